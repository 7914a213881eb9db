"""A small study that several tests take: two oscillators, a gap and a period that vary, two motions, three factors."""

from __future__ import annotations

from pathlib import Path

from carom.scenario.studies.reading import Study, study_of

SCENARIO = """
[scenario.structures.left]
kind = "oscillator"
mass = "4600 kg"
period = "0.6 s"
damping_ratio = "5 %"

[scenario.structures.right]
kind = "oscillator"
mass = "3500 kg"
period = "0.3 s"
damping_ratio = "5 %"

[scenario.laws.pad]
name = "hertzdamp"
stiffness = "2e9 N/m^1.5"
restitution = 0.65

[scenario.laws.block]
name = "kelvin-voigt"
stiffness = "50 kN/mm"
restitution = 0.5

[[scenario.contacts]]
left = "left"
right = "right"
gap = "2 cm"
law = "pad"
"""

STUDY = (
    """
title = "Two neighbours"
outputs = ["displacement", "acceleration", "impacts", "peak_force"]

[sampler]
kind = "latin-hypercube"
samples = 6
seed = 7

[parameters.gap]
path = "contacts.0.gap"
distribution = "lognormal"
median = "2 cm"
dispersion = 0.4

[parameters.period]
path = "structures.left.period"
distribution = "uniform"
low = "0.5 s"
high = "1 s"

[motions]
records = ["default", "thirty-05a"]
scales = [0.5, 1.0, 2.0]
period = "0.5 s"
"""
    + SCENARIO
)


def changed(*changes: tuple[str, str]) -> str:
    """Return the text with some words replaced, each of which must be there."""
    text = STUDY
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def example(*changes: tuple[str, str]) -> Study:
    """Return the study with some words of its file replaced."""
    return study_of(changed(*changes), "study.toml", Path())
