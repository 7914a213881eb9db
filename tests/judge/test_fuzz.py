"""About a minute of random problems: energy, momentum, invariances and, for a share of them, the judge.

Longer runs: ``make fuzz SEED=… MINUTES=…``. The seeds are a plain range; none was chosen for what it gives.
"""

from __future__ import annotations

import pytest

from tests.judge.check import check

RTOL = 1e-6
GROUPS = 8
EACH = 9
"""Problems of a group; the judge sees every third."""


@pytest.mark.parametrize("group", range(GROUPS))
def test_random_problems(group: int) -> None:
    seeds = range(group * EACH, (group + 1) * EACH)
    reports = [check(seed, RTOL, ask=seed % 3 == 0) for seed in seeds]
    assert [report.seed for report in reports if report.judged not in ("", "yes")] == []
    assert [finding.line() for report in reports for finding in report.findings if not finding.tips] == []
