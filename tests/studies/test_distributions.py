"""Distributions and correlation, against SciPy's own distributions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from carom.errors import InputError
from carom.studies.distributions import correlated, quantile, sampled
from tests.studies.example import example

P = np.linspace(0.001, 0.999, 101)

WITNESSES = {
    "uniform": ({"low": 2.0, "high": 5.0}, stats.uniform(2.0, 3.0)),
    "log-uniform": ({"low": 0.1, "high": 10.0}, stats.loguniform(0.1, 10.0)),
    "triangular": ({"low": 1.0, "mode": 2.0, "high": 5.0}, stats.triang(0.25, 1.0, 4.0)),
    "normal": ({"mean": 3.0, "std": 0.5}, stats.norm(3.0, 0.5)),
    "lognormal": ({"median": 3.0, "dispersion": 0.4}, stats.lognorm(0.4, scale=3.0)),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_quantiles_are_those_of_scipy(name: str) -> None:
    numbers, witness = WITNESSES[name]
    np.testing.assert_allclose(quantile(name, numbers, P), witness.ppf(P), rtol=1e-12)


def test_cut_distributions() -> None:
    found = quantile("normal", {"mean": 3.0, "std": 0.5, "low": 2.5, "high": 4.5}, P)
    np.testing.assert_allclose(found, stats.truncnorm(-1.0, 3.0, 3.0, 0.5).ppf(P), rtol=1e-10)
    found = quantile("lognormal", {"median": 3.0, "dispersion": 0.4, "low": 2.0}, P)
    whole = stats.lognorm(0.4, scale=3.0)
    np.testing.assert_allclose(found, whole.ppf(whole.cdf(2.0) + P * whole.sf(2.0)), rtol=1e-10)
    ends = np.array([1e-16, 1.0 - 1e-16])
    far = quantile("normal", {"mean": 0.0, "std": 1.0, "low": 6.0, "high": 7.0}, ends)
    assert ((far >= 6.0) & (far <= 7.0)).all()


def test_correlation_is_that_of_the_normal_scores_and_marginals_stay() -> None:
    wanted = np.array([[1.0, 0.6, 0.0], [0.6, 1.0, -0.3], [0.0, -0.3, 1.0]])
    points = correlated(np.random.default_rng(1).random((40_000, 3)), wanted)
    np.testing.assert_allclose(np.corrcoef(stats.norm.ppf(points).T), wanted, atol=0.015)
    for column in points.T:
        assert stats.kstest(column, "uniform").pvalue > 1e-3
    together = correlated(np.random.default_rng(1).random((50, 2)), np.ones((2, 2)))
    np.testing.assert_allclose(together[:, 0], together[:, 1], atol=1e-9)


def test_samples_of_a_study() -> None:
    study = example(
        ("samples = 6", "samples = 4000"),
        ("[motions]", '[[correlations]]\nparameters = ["gap", "period"]\nvalue = 0.7\n[motions]'),
    )
    found = sampled(study)
    assert np.median(found["gap"]) == pytest.approx(0.02, rel=0.02)
    assert stats.spearmanr(found["gap"], found["period"]).statistic == pytest.approx(
        6 / np.pi * np.arcsin(0.35), abs=0.03
    )


def test_lists_are_drawn_in_equal_shares() -> None:
    study = example(
        ('distribution = "uniform"\nlow = "0.5 s"\nhigh = "1 s"', "values = [0.5, 0.6, 0.9]"),
        ("samples = 6", "samples = 300"),
    )
    values, counts = np.unique(sampled(study)["period"], return_counts=True)
    assert values.tolist() == [0.5, 0.6, 0.9]
    assert counts.tolist() == [100, 100, 100]


def test_a_grid_of_levels_takes_equally_likely_values() -> None:
    text = (
        ("samples = 6\n", ""),
        ('"latin-hypercube"', '"grid"'),
        ("dispersion = 0.4", "dispersion = 0.4\nlevels = 3"),
    )
    study = example(*text, ('high = "1 s"', 'high = "1 s"\nlevels = 2'))
    found = sampled(study)
    np.testing.assert_allclose(found["period"], [0.625, 0.875] * 3)
    np.testing.assert_allclose(found["gap"][::2], stats.lognorm(0.4, scale=0.02).ppf([1 / 6, 1 / 2, 5 / 6]))


def test_ordered_samplers_do_not_take_correlation() -> None:
    correlation = ("[motions]", '[[correlations]]\nparameters = ["gap", "period"]\nvalue = 0.7\n[motions]')
    study = example(correlation, ('"latin-hypercube"', '"saltelli"'))
    with pytest.raises(InputError, match="correlated parameters need"):
        sampled(study)


def test_samples_that_are_not_finite_are_refused_before_the_first_run() -> None:
    wide = example(("distribution = \"uniform\"\nlow = \"0.5 s\"\nhigh = \"1 s\"",
                    'distribution = "lognormal"\nmedian = "1 s"\ndispersion = 1e6'))  # fmt: skip
    with pytest.raises(InputError, match=r"draws samples that are not finite \(lognormal with .*dispersion = 1e\+06"):
        sampled(wide)
