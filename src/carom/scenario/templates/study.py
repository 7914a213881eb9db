"""A study to start from: commented and sound."""

from __future__ import annotations

from carom.scenario.format import FORMAT
from carom.scenario.studies.model import STUDY_SCHEMA_NAME

__all__ = ["study_text"]


def study_text(scenario: str, title: str) -> str:
    """Return a study of the gaps of a scenario, which goes by its path from the study, or by ``default``."""
    named, told = (text.replace("\\", "\\\\").replace('"', '\\"') for text in (scenario, title))
    return f"""#:schema {STUDY_SCHEMA_NAME}
# A study of carom: one scenario many times. Carry it out with `carom study run`; docs/studies.md says more.
# Numbers without a unit are SI; "3 cm", "200 t", "300 kN/mm", "0.4 g", "5 %" work everywhere.

format = {FORMAT}
title = "{told}"
scenario = "{named}"  # a scenario file, relative to this one, or "default"
outputs = ["displacement", "acceleration", "impacts", "peak_force"]  # kept of every run; also drift, no_pounding, …

[sampler]
kind = "latin-hypercube"  # or grid, sobol, random, paired, saltelli, morris
samples = 50
seed = 2026

[parameters.gap]  # a name of your own
path = "contacts.*.gap"  # a field of the scenario; contacts by number from 0 or by label, * means all
distribution = "lognormal"  # or uniform, log-uniform, triangular, normal; or values = […]
median = 1.0
dispersion = 0.3  # standard deviation of the logarithm
factor = true  # multiplies what the scenario says; without it: median = "3 cm"

# [parameters.law]
# path = "contacts.*.law"
# values = ["slabs", "rubber"]  # names of tables under [laws] of the scenario

# [[correlations]]
# parameters = ["gap", "stiffness"]
# value = -0.3

[motions]
suite = "thirty"  # or records = ["default", "records/*.AT2", "a-folder"]
pga = ["0.1 g", "0.2 g", "0.4 g"]  # every motion to each; or scales = [0.5, 1.0], or sa = […] with period
# period = "0.5 s"  # the spectral acceleration at this period is noted of every run

# [run]
# rtol = 1e-4  # tolerance of a step in contact
# duration = "30 s"  # that of each motion, where not said

[analyses.fragility]  # questions put to the runs, each with its options; docs/analyses.md lists them
"""
