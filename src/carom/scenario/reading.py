"""Read a scenario: all that is wrong with it at once, or the problem that it states."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from pydantic import TypeAdapter, ValidationError

from carom.contact import Bearing, Damper, Seat
from carom.errors import CaromWarning, InputError, UnknownNameError
from carom.joints import SlidingBearing
from carom.problem import Problem
from carom.problem.plausibility import USUAL, unlikely_step
from carom.scenario.analysis import Analysis
from carom.scenario.building import (
    contacts_of,
    damper_of,
    law_faults,
    law_of,
    start_of,
    structure_of,
)
from carom.scenario.faults import BEYOND, Fault, ScenarioError, beyond, fault_of, from_pydantic, in_toml
from carom.scenario.few_modes import ReducedPart, reduced_by, reduced_faults
from carom.scenario.format import refuse_newer
from carom.scenario.method import method_faults, named
from carom.scenario.model import (
    AbutmentPart,
    BearingPart,
    ContactPart,
    DamperPart,
    InitialPart,
    KeptPart,
    LawPart,
    MotionPart,
    PlacePart,
    ScenarioFile,
    SeatPart,
    StructurePart,
)
from carom.scenario.motions.grounds import ground_of, grounds_under, long_run, motion_faults, refined_alike, under
from carom.scenario.needs import needs_stated
from carom.scenario.places import place_fault, place_of
from carom.scenario.remarks import notes_of
from carom.scenario.stated import Scenario
from carom.scenario.structures.decks import bearings_of, seat_of
from carom.scenario.text import parsed, text_of
from carom.structures.bridges.deck import Deck

if TYPE_CHECKING:
    from carom.contact import Contact, Facing
    from carom.laws.base import CompliantLaw
    from carom.laws.impulse import ImpulsiveLaw
    from carom.motions import Motion
    from carom.structures.base import LinearStructure

    Law: TypeAlias = CompliantLaw | ImpulsiveLaw

__all__ = ["default_scenario", "default_text", "read_scenario", "scenario_of"]

T = TypeVar("T")

GROUND = "ground"
"""What bearings and seats may stand on without a structure of that name."""


def read_scenario(path: str | Path, *, motion: str | None = None) -> Scenario:
    """Read a scenario file; `motion` names a built-in one for a file that has none.

    Raises
    ------
    ScenarioError
        With every fault of the file, each naming field, rule, value and way out.
    """
    path = Path(path)
    text = text_of(
        path, what="scenario", missing="`carom new` writes one to start from.", folder="Name the scenario file in it."
    )
    return _Reading(path.name, text, path.parent, motion=motion).scenario()


def default_scenario() -> Scenario:
    """Return the scenario that comes with the package: two buildings of different height that pound."""
    return _Reading("default", default_text(), Path()).scenario()


def default_text() -> str:
    """Return the file of the default scenario."""
    return (files("carom.scenario") / "default.toml").read_text(encoding="utf-8")


def scenario_of(tables: Mapping[str, Any], name: str, folder: Path) -> Scenario:
    """Return what the tables of a scenario state; `name` is said in errors, paths are relative to `folder`."""
    return _Reading(name, "", folder, raw=dict(tables)).scenario()


@dataclass
class _Reading:
    """The state of reading one file: its tables, and what was found wrong so far."""

    name: str
    text: str
    folder: Path
    raw: dict[str, Any] = field(default_factory=dict)
    motion: str | None = None
    faults: list[Fault] = field(default_factory=list)

    def scenario(self) -> Scenario:
        self.raw = self.raw or parsed(self.name, self.text)
        refuse_newer(self.name, self.raw)
        if self.motion is not None:
            self.raw.setdefault("motion", {"record": self.motion})
        if "structures" not in self.raw and "scenario" in self.raw:
            raise InputError(f"{self.name} is a study, not a scenario. `carom study {self.name}` carries it out.")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", CaromWarning)
            found = self._stated()
        if found is None or self.faults:
            raise ScenarioError(self.name, self.faults)
        problem, analysis, ground = found
        notes = (*notes_of(self.raw, caught), *long_run(analysis, ground))
        if analysis.spectrum_damping not in USUAL["damping_ratio"]:
            notes += (USUAL["damping_ratio"].caution("floor spectra", analysis.spectrum_damping),)
        seen = [motion for support in problem.supports for motion in support.motions]
        unseen = [motion for motion in ground.values() if not any(motion is one for one in seen)]
        notes += unlikely_step(unseen)  # their samples were refined: as they are, nobody sees them
        title, description = self.raw["title"], self.raw.get("description", "")
        return Scenario(title, description, problem, analysis, ground, self.name, self.text, notes)

    def _stated(self) -> tuple[Problem, Analysis, dict[str, Motion]] | None:
        """Return what the file states; each part that the validator passes is built, to find its own faults too."""
        try:
            ScenarioFile.model_validate(self.raw)
        except ValidationError as error:
            self.faults += from_pydantic(error.errors(), ScenarioFile)
        known, self.faults = self.faults, []
        analysis, ground = self._analysis(), self._grounds()
        of_motion, self.faults = self.faults, known
        self._refuse_beyond_budget(analysis, ground)
        structures = self._structures()
        laws = self._laws()
        self.faults += of_motion
        initial = self._initial(structures)
        contacts = self._contacts(structures, laws, initial, analysis)
        outputs = self._outputs(structures)
        dampers = self._dampers(structures)
        bearings, seats = self._supports(structures)
        few = self._few()
        self._endless(analysis)
        step = min((motion.dt for motion in ground.values()), default=None)
        self.faults += method_faults(analysis, structures, contacts, step)
        if self.faults:
            return None
        shaken = grounds_under(self._tables("structures"), refined_alike(ground, analysis))
        stated: dict[str, Any] = {"structures": structures.values(), "contacts": contacts, "motion": shaken, **initial}
        stated |= {"outputs": outputs, "dampers": dampers, "bearings": bearings, "seats": seats}
        problem = self._made("the file", lambda: Problem(**stated, allow_overlap=analysis.allow_overlap))
        if problem is not None and few is not None:
            problem = self._made("reduced", partial(reduced_by, few, problem), ReducedPart.model_fields)
        return None if problem is None else (problem, named(analysis), ground)

    def _few(self) -> ReducedPart | None:
        part: ReducedPart | None = self._valid(ReducedPart, self.raw["reduced"]) if "reduced" in self.raw else None
        self.faults += [] if part is None else reduced_faults(part, "reduced")
        return part

    def _refuse_beyond_budget(self, analysis: Analysis, ground: Mapping[str, Motion]) -> None:
        """Refuse what no machine ends before any of it is built."""
        parts = {name: self._valid(StructurePart, table) for name, table in self._tables("structures").items()}
        tables = self.raw.get("contacts", [])
        contacts = (self._valid(ContactPart, table) for table in (tables if isinstance(tables, list) else []))
        size = needs_stated(parts, [part for part in contacts if part is not None], analysis, ground)
        try:
            size.refuse_beyond()
        except InputError as error:
            told = " ".join([in_toml(str(error)), *long_run(analysis, ground)])
            fault = Fault("the file", f"asks for too much. {told.rstrip('.')}")
            raise ScenarioError(self.name, [*self.faults, fault]) from None

    # the parts -----------------------------------------------------------------------------------------

    def _structures(self) -> dict[str, LinearStructure]:
        found: dict[str, LinearStructure] = {}
        parts: dict[str, Any] = {}
        for name, table in self._tables("structures").items():
            part: Any = self._valid(StructurePart, table)
            if part is not None:
                parts[name] = part
        for name, part in sorted(parts.items(), key=lambda one: isinstance(one[1], AbutmentPart)):  # decks before
            make = partial(structure_of, name, part, self.folder, found)
            structure = self._made(f"structures.{name}", make, type(part).model_fields)
            found |= {} if structure is None else {name: structure}
        return {name: found[name] for name in parts if name in found}

    def _laws(self) -> dict[str, Law]:
        found = {}
        for name, table in self._tables("laws").items():
            law = self._law(table, f"laws.{name}")
            if law is not None:
                found[name] = law
        return found

    def _law(self, table: object, place: str) -> Law | None:
        part = self._valid(LawPart, table)
        if part is None:
            return None
        faults = law_faults(part, place)
        self.faults += faults
        return None if faults else self._made(place, lambda: law_of(part))

    def _analysis(self) -> Analysis:
        """Return the analysis; where it is faulty, its scheme at least, so that what it cannot do is said too."""
        table = self.raw.get("analysis", {})
        scheme = table.get("scheme") if isinstance(table, dict) else None
        return self._valid(Analysis, table) or self._valid(Analysis, {"scheme": scheme}) or Analysis()

    def _grounds(self) -> dict[str, Motion]:
        """Return the motions of the file by direction, then those of structures of their own: ``"x under pier"``."""
        found = self._ground(self.raw["motion"], "motion") if "motion" in self.raw else {}
        for name, table in self._tables("structures").items():
            if isinstance(table, dict) and "motion" in table:
                own = self._ground(table["motion"], f"structures.{name}.motion")
                found |= {under(axis, name): motion for axis, motion in own.items()}
        return found

    def _ground(self, table: object, field: str) -> dict[str, Motion]:
        part = self._valid(MotionPart, table)
        if part is None:
            return {}
        if faults := motion_faults(part, field):
            self.faults += faults
            return {}
        return self._made(field, lambda: ground_of(part, self.folder), MotionPart.model_fields) or {}

    def _initial(self, structures: Mapping[str, LinearStructure]) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {"initial_displacement": {}, "initial_velocity": {}}
        for name, table in self._tables("initial").items():
            if not self._is_structure(name, f"initial.{name}"):
                continue
            part = self._valid(InitialPart, table)
            for quantity in ("displacement", "velocity"):
                given = getattr(part, quantity, None)
                if given is None or name not in structures:
                    continue
                place = f"initial.{name}.{quantity}"
                value = self._made(place, partial(start_of, structures[name], given))
                start: dict[str, Any] = {f"initial_{quantity}": {name: value}}
                alone = (_held(structures[name]),)
                if value is not None and self._made(place, partial(Problem, alone, **start)) is not None:
                    found[f"initial_{quantity}"][name] = value
        return found

    def _contacts(
        self,
        structures: Mapping[str, LinearStructure],
        laws: Mapping[str, Law],
        initial: Mapping[str, Any],
        analysis: Analysis,
    ) -> list[Contact | Facing]:
        found = []
        tables = self.raw.get("contacts", [])
        for i, table in enumerate(tables if isinstance(tables, list) else [], 1):
            place = f"contacts[{i}]"
            part = self._valid(ContactPart, table)
            if part is None:
                continue
            law = None if part.law is None else self._law_of_contact(part.law, laws, f"{place}.law")
            column_law = None
            if part.column_law is not None:
                column_law = self._law_of_contact(part.column_law, laws, f"{place}.column_law")
            sides = [side if isinstance(side, str) else side.structure for side in (part.left, part.right)]
            known = [
                self._is_structure(side, f"{place}.{where}")
                for side, where in zip(sides, ("left", "right"), strict=True)
            ]
            if (
                (law is None) != (part.law is None)
                or (column_law is None) != (part.column_law is None)
                or not all(known)
                or not all(side in structures for side in sides)
            ):
                continue
            if not self._are_places(part, place, structures):
                continue
            pair = tuple(structures[side] for side in dict.fromkeys(sides))
            start = {key: {k: v for k, v in given.items() if k in sides} for key, given in initial.items()}
            alone = partial(_alone, part, (law, column_law), pair, start, analysis.allow_overlap)
            contact: list[Contact | Facing] | None = self._made(place, alone, ContactPart.model_fields)
            found += [] if contact is None else contact
        return found

    def _dampers(self, structures: Mapping[str, LinearStructure]) -> list[Damper]:
        found = []
        tables = self.raw.get("dampers", [])
        for i, table in enumerate(tables if isinstance(tables, list) else [], 1):
            place, part = f"dampers[{i}]", self._valid(DamperPart, table)
            if part is None:
                continue
            sides = {
                where: side if isinstance(side, str) else side.structure
                for where, side in (("left", part.left), ("right", part.right))
            }
            known = [self._is_structure(side, f"{place}.{where}") for where, side in sides.items()]
            if not all(known) or not all(side in structures for side in sides.values()):
                continue
            if self._are_places(part, place, structures):
                damper = self._made(place, partial(damper_of, part), DamperPart.model_fields)
                pair = tuple(structures[side] for side in dict.fromkeys(sides.values()))
                alone = damper and self._made(place, partial(_damped, pair, damper), DamperPart.model_fields)
                found += [damper] if damper is not None and alone is not None else []
        return found

    def _are_places(
        self, part: ContactPart | DamperPart, field: str, structures: Mapping[str, LinearStructure]
    ) -> bool:
        """Whether both sides of a contact are places that their structures have."""
        faults = [
            fault
            for name in ("left", "right")
            if isinstance(side := getattr(part, name), PlacePart)
            and side.edge is None
            and (fault := place_fault(side, f"{field}.{name}", structures[side.structure])) is not None
        ]
        self.faults += faults
        return not faults

    def _outputs(self, structures: Mapping[str, LinearStructure]) -> list[Any]:
        found = []
        tables = self.raw.get("outputs", [])
        for i, table in enumerate(tables if isinstance(tables, list) else [], 1):
            part = self._valid(KeptPart, table)
            if part is None or not self._is_structure(part.structure, f"outputs[{i}].structure"):
                continue
            if part.structure in structures:
                fault = place_fault(part, f"outputs[{i}]", structures[part.structure])
                self.faults += [] if fault is None else [fault]
                found += [place_of(part)] if fault is None else []
        return found

    def _supports(self, structures: Mapping[str, LinearStructure]) -> tuple[list[Bearing], list[Seat]]:
        """Return bearings and seats; where they are is judged with the whole problem, each by itself first."""
        bearings: list[Bearing] = []
        seats: list[Seat] = []
        for word, kind in (("bearings", BearingPart), ("seats", SeatPart)):
            tables = self.raw.get(word, [])
            for i, table in enumerate(tables if isinstance(tables, list) else [], 1):
                place, part = f"{word}[{i}]", self._valid(kind, table)
                if part is None or not self._is_structure(part.deck, f"{place}.deck"):
                    continue
                on = part.on if isinstance(part.on, str) else part.on.structure
                if on != GROUND and not self._is_structure(on, f"{place}.on"):
                    continue
                if part.deck not in structures or (on != GROUND and on not in structures):
                    continue
                alone = partial(_supported, part, {one: structures[one] for one in (part.deck, on) if one != GROUND})
                made = self._made(place, alone, kind.model_fields)
                bearings += made if isinstance(made, list) else []
                seats += [made] if isinstance(made, Seat) else []
        return bearings, seats

    def _law_of_contact(self, given: str | LawPart, laws: Mapping[str, Law], place: str) -> Law | None:
        if not isinstance(given, str):
            return self._law(given.model_dump(exclude_unset=True), place)
        named = self._tables("laws")
        if given not in named:
            way_out = f'Write a table [laws.{given}] with name = "hertzdamp", stiffness = … and restitution = ….'
            near = get_close_matches(given, named, n=1)
            listed = f"must be the name of a table under [laws]{': ' + ', '.join(named) if named else ''}"
            self.faults.append(Fault(place, listed, given, f"Did you mean {near[0]}?" if near else way_out))
        return laws.get(given)

    def _endless(self, analysis: Analysis) -> None:
        own = any(isinstance(one, dict) and "motion" in one for one in self._tables("structures").values())
        if "motion" not in self.raw and not own and analysis.duration is None:
            way_out = 'Write duration = "10 s" under [analysis], or a table [motion].'
            self.faults.append(Fault("analysis.duration", "must be given where there is no motion", way_out=way_out))

    # helpers -------------------------------------------------------------------------------------------

    def _tables(self, name: str) -> dict[str, Any]:
        given = self.raw.get(name)
        return given if isinstance(given, dict) else {}

    def _valid(self, kind: Any, table: object) -> Any:
        """Return a part where the validator passes it; its faults are known already."""
        try:
            return _adapter(kind).validate_python(table)
        except ValidationError:
            return None

    def _is_structure(self, name: str, place: str) -> bool:
        known = self._tables("structures")
        if name in known or not known:  # where there are none at all, that is the fault
            return name in known
        told = str(UnknownNameError("structure", name, known)).removeprefix(f"Unknown structure {name!r}. ")
        if (place_of := next((one for one in known if name.startswith(f"{one} ")), None)) is not None:
            told = f'Write {{structure = "{place_of}", floor = 1}} for a place on it.'
        self.faults.append(Fault(place, "must be the name of a structure", name, told))
        return False

    def _made(self, place: str, make: Callable[[], T], known: Iterable[str] = ()) -> T | None:
        """Return what `make` makes; a refusal of the library is laid at a field of the file."""
        try:
            return make()
        except InputError as error:
            self.faults.append(fault_of(error, place, known))
        except BEYOND:
            self.faults.append(beyond(place))
        return None


def _damped(pair: tuple[LinearStructure, ...], damper: Damper) -> Problem:
    """Return two structures with a damper alone, once it has been found to fit."""
    problem = Problem(pair, dampers=(damper,))
    problem.flat()
    return problem


def _alone(
    part: ContactPart,
    laws: tuple[Law | None, Law | None],
    pair: tuple[LinearStructure, ...],
    start: dict[str, Any],
    overlap: bool,
) -> list[Contact | Facing]:
    """Return the contacts that a table states, once its two structures alone have been found to allow them."""
    found = contacts_of(part, *laws)
    Problem(tuple(_held(one) for one in pair), tuple(found), allow_overlap=overlap, **start)
    return found


def _supported(part: BearingPart | SeatPart, known: Mapping[str, LinearStructure]) -> list[Bearing] | Seat:
    """Return the bearings, or the seat, that a table states, once the structures alone have been found to allow it."""
    alone = tuple(_held(one) for one in known.values())
    if isinstance(part, SeatPart):
        seat = seat_of(part)
        Problem(alone, seats=(seat,))
        return seat
    bearings = bearings_of(part)
    for bearing in bearings:
        weighed = bearing.replace(
            rule=[one.bearing(1.0) if isinstance(one, SlidingBearing) else one for one in bearing.rules]
        )
        Problem(alone, bearings=(weighed,))
    return bearings


def _held(structure: LinearStructure) -> LinearStructure:
    """Return a structure as it may stand alone: a deck whose bearings are looked at elsewhere is free."""
    return structure.replace(free=True) if isinstance(structure, Deck) else structure


_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}


def _adapter(kind: Any) -> TypeAdapter[Any]:
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]
