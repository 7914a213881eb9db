"""A scenario under a visitor's hands: its tables, as they were moved."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from carom.app.controls import controls_of
from carom.app.explored import RTOL, Explored
from carom.laws.base import stiffness_unit
from carom.laws.catalogue import laws
from carom.problem import Problem
from carom.scenario import Scenario
from carom.scenario.motions.grounds import grounds_under
from carom.scenario.reading import default_text, scenario_of
from carom.scenario.studies.paths import Place, changed, places_in
from carom.scenario.studies.quick import Known, problem_of
from carom.units import number

__all__ = ["Explorer"]


class Explorer(Explored):
    """A scenario, and the last answer of it."""

    def __init__(
        self, tables: Mapping[str, Any] | None = None, name: str = "the default scenario", folder: Path | None = None
    ) -> None:
        self.tables: dict[str, Any] = dict(tables) if tables is not None else tomllib.loads(default_text())
        self.scenario: Scenario = scenario_of(self.tables, name, folder or Path())
        self.places = places_in(self.tables)
        self.known = Known()
        self.last: dict[str, Any] = self.tables
        """The tables behind the last answer."""
        analysis = self.scenario.analysis
        options = {**analysis.simulation, "duration": analysis.duration}
        options["sampling"] = None if self.scenario.ground else analysis.sampling
        if analysis.scheme == "event":
            options["rtol"] = max(RTOL, analysis.rtol)
        super().__init__(
            title=self.scenario.title, controls=controls_of(self.tables), ground=self.scenario.ground,
            laws={law: str(table.get("name", "")) for law, table in self.tables.get("laws", {}).items()},
            options=options, spectrum_damping=analysis.spectrum_damping,
        )  # fmt: skip

    def stated(self, wish: Mapping[str, Any]) -> dict[str, Any]:
        """Return the scenario's tables as a visitor has moved them."""
        moves: list[tuple[Place, Any]] = []
        for path, (control, value) in self.moved(wish).items():
            place = self.places[path]
            if control.listed:
                given: Any = self.tables
                for step in place.steps:
                    given = given[step]
                moves.append((place, [value * float(one) for one in place.take(given)]))
            else:
                moves.append((place, value))
        tables = changed(self.tables, moves)
        for name, law in self.chosen(wish).items():
            tables["laws"][name] = _with_name(tables["laws"][name], law)
        return tables

    def problem(self, wish: Mapping[str, Any]) -> Problem:
        """Return the problem that a visitor wishes, at the gaps, laws and motion as they were moved."""
        self.last = self.stated(wish)
        return problem_of(
            self.last, allow_overlap=self.scenario.analysis.allow_overlap, known=self.known,
            motion=grounds_under(self.last["structures"], self.grounds(wish)),
        )  # fmt: skip

    def apart(self, wish: Mapping[str, Any]) -> dict[str, Any]:
        """Return the tables of the last problem without gaps and laws."""
        contacts = [
            {key: value for key, value in one.items() if key not in ("gap", "law")}
            for one in self.last.get("contacts", [])
        ]
        return {**{key: value for key, value in self.last.items() if key != "laws"}, "contacts": contacts}


def _with_name(table: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a law's table under another law: of equal peak force at its own overlap of a millimetre, equal e asked."""
    before, after = laws.get(str(table["name"])), laws.get(name)
    found = {key: value for key, value in table.items() if key in ("restitution", "tension", "v0")}
    stiffness = number(table["stiffness"], stiffness_unit(before.n), name="stiffness", owner=name)
    return {**found, "name": name, "stiffness": stiffness * 1e-3 ** (before.n - after.n)}
