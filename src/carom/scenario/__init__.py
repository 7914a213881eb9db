"""A problem as a file: TOML that people write, every error of it found at once, and what it states.

scenario = carom.read_scenario("neighbours.toml")
scenario.problem, scenario.analysis
"""

from __future__ import annotations

from carom.scenario.faults import Fault, ScenarioError
from carom.scenario.model import ScenarioFile, json_schema
from carom.scenario.reading import default_scenario, read_scenario
from carom.scenario.stated import Scenario

__all__ = [
    "Fault",
    "Scenario",
    "ScenarioError",
    "ScenarioFile",
    "default_scenario",
    "json_schema",
    "read_scenario",
]
