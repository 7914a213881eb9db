"""From the tables of a scenario to the objects they state, each refusal laid at the field it belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from carom.contact import Contact, Damper, Facing, facing
from carom.errors import InputError, refusal
from carom.laws.base import CompliantLaw, stiffness_unit
from carom.laws.catalogue import checked_name, impulsive_laws, parameters
from carom.laws.catalogue import law as make_law
from carom.laws.catalogue import laws as catalogue
from carom.laws.impulse import ImpulsiveLaw
from carom.scenario.faults import BEYOND, Fault, FieldError, beyond, fault_of
from carom.scenario.model import (
    AbutmentPart,
    BodyPart,
    ContactPart,
    DamperPart,
    DeckPart,
    FixedBodyPart,
    FramePart,
    GirderPart,
    GroundPart,
    LawPart,
    MatricesPart,
    MomentFramePart,
    OscillatorPart,
    PierPart,
    RigidBodyPart,
    ShearBuildingPart,
    StoreysPart,
    TorsionalPart,
    WallPart,
)
from carom.scenario.parts import Part
from carom.scenario.places import PlacePart, place_of, tangent_of
from carom.scenario.structures.dampings import damping_of
from carom.scenario.structures.decks import abutment_of, deck_of, friction_of, pier_of
from carom.scenario.structures.frames import frame_of, moment_frame_of
from carom.scenario.structures.matrices import matrices_of
from carom.scenario.structures.solids import fixed_body_of, girder_of, rigid_body_of
from carom.scenario.structures.storey_file import storeys_of
from carom.scenario.structures.storeys import spring_of
from carom.scenario.structures.torsional import torsional_of
from carom.structures import Body, Ground, Oscillator, ShearBuilding, Wall
from carom.units import number

if TYPE_CHECKING:
    from carom.structures.base import LinearStructure

__all__ = ["contacts_of", "damper_of", "law_faults", "law_of", "start_of", "structure_of"]

NONE: Mapping[str, Any] = MappingProxyType({})
WAY_TO_PLACE = 'Write left = {structure = "…", floor = 3} for a single place.'
RESTITUTION = "Concrete on concrete is often given 0.5 to 0.75; 1 is a perfectly elastic impact."


def structure_of(
    name: str, part: Part, folder: Path = Path(), others: Mapping[str, LinearStructure] = NONE
) -> LinearStructure:
    """Return the structure that a table states; files are looked for in `folder`, what it stands beside in `others`."""
    if isinstance(part, DeckPart):
        return deck_of(name, part)
    if isinstance(part, PierPart):
        return pier_of(name, part)
    if isinstance(part, AbutmentPart):
        return abutment_of(name, part, others)
    if isinstance(part, GirderPart):
        return girder_of(name, part)
    if isinstance(part, RigidBodyPart):
        return rigid_body_of(name, part)
    if isinstance(part, FixedBodyPart):
        return fixed_body_of(name, part)
    if isinstance(part, TorsionalPart):
        return torsional_of(name, part)
    if isinstance(part, MatricesPart):
        return matrices_of(name, part, folder)
    if isinstance(part, StoreysPart):
        return storeys_of(name, part, folder)
    if isinstance(part, MomentFramePart):
        return moment_frame_of(name, part)
    if isinstance(part, FramePart):
        return frame_of(name, part)
    given = {
        key: value for key, value in part if key not in ("kind", "delay", "motion", "floors") and value is not None
    }
    if isinstance(part, ShearBuildingPart):
        given["damping"] = damping_of(part.damping) if part.damping is not None else None
        if part.storeys is not None:
            given["storeys"] = _storeys(part.storeys)
        if part.floors is not None:
            given |= _for_floors(name, part, part.floors)
        return ShearBuilding(**given, name=name)
    kinds: dict[type[Part], Any] = {OscillatorPart: Oscillator, BodyPart: Body, WallPart: Wall, GroundPart: Ground}
    structure: LinearStructure = kinds[type(part)](**given, name=name)
    return structure


def _for_floors(name: str, part: ShearBuildingPart, floors: int) -> dict[str, Any]:
    """Return masses and stiffnesses for every floor; a single value serves all."""
    found: dict[str, Any] = {}
    for field in ("masses", "stiffnesses"):
        values = getattr(part, field)
        values = values if isinstance(values, list) else [values]
        if len(values) not in (1, floors):
            rule = f"must be one number, or one for each of {floors} floors"
            way_out = f"Give {floors} values, or leave `floors` out."
            raise refusal(field, f"ShearBuilding '{name}'", rule, values, way_out)
        found[field] = values * floors if len(values) == 1 else values
    return found


def _storeys(given: Part | list[Part]) -> Any:
    """Return the springs of the storeys; one for all, unless it is elastic, which is none."""
    return spring_of(given) if isinstance(given, Part) else tuple(spring_of(part) for part in given)


def law_of(part: LawPart) -> CompliantLaw | ImpulsiveLaw:
    """Return the law that a table states."""
    values = {key: getattr(part, key) for key in _given(part)}
    if isinstance(values.get("restitution"), list):
        values["restitution"] = [_pair(pair, part.name) for pair in values["restitution"]]
    return make_law(part.name, **values)


def _pair(pair: list[Any], law: str) -> tuple[float, float]:
    """Return an approach velocity [m/s] and e, of a restitution that depends on it."""
    if len(pair) != 2:
        way_out = 'Write restitution = [["0 m/s", 0.8], ["0.5 m/s", 0.6]].'
        raise refusal("restitution", law, "must be a number, or pairs of approach velocity and e", pair, way_out)
    speed, e = pair
    return number(speed, "m/s", name="restitution", owner=law), number(e, "", name="restitution", owner=law)


def law_faults(part: LawPart, field: str) -> list[Fault]:
    """Return all that is wrong with a law, parameter by parameter."""
    try:
        checked_name(part.name)
    except InputError as error:
        return [Fault(f"{field}.name", f"must be a law of the catalogue: {str(error).rstrip('.')}")]
    if part.name in impulsive_laws:
        known: dict[str, Any] = {entry.name: None for entry in fields(impulsive_laws.get(part.name))}
        found = _impulsive_faults(part, field, impulsive_laws.name_of(part.name), known)
    else:
        kind = catalogue.get(part.name)
        known = parameters(kind)
        found = _compliant_faults(part, field, kind)
    if not found:
        try:
            law_of(part)
        except InputError as error:
            found.append(fault_of(error, field, known))
        except BEYOND:
            found.append(beyond(field))
    return found


def _impulsive_faults(part: LawPart, field: str, name: str, known: Iterable[str]) -> list[Fault]:
    found = []
    for key in _given(part):
        value = getattr(part, key)
        if key == "stiffness":
            found.append(Fault(f"{field}.{key}", f"is not for {name}, whose bodies are rigid", value, "Leave it out."))
        elif key not in known:
            found.append(_stranger(field, key, name, value, known))
    if name != "plastic" and part.restitution is None:
        found.append(Fault(f"{field}.restitution", "must be given", way_out="Write restitution = 0.65, for example."))
    return found


def _compliant_faults(part: LawPart, field: str, kind: type[CompliantLaw]) -> list[Fault]:
    known = parameters(kind)
    found = []
    if part.stiffness is None:
        way_out = f'Write stiffness = "{"5000 kN/mm" if kind.n == 1.0 else f"2e9 N/m^{kind.n:g}"}", for example.'
        found.append(Fault(f"{field}.stiffness", "must be given", way_out=way_out))
    for key in _given(part):
        value, entry = getattr(part, key), known.get(key)
        if entry is None and key != "restitution":
            found.append(_stranger(field, key, kind.name, value, known))
        elif entry is not None and "unit" in entry.metadata:
            unit = entry.metadata["unit"]
            unit = stiffness_unit(kind.n) if unit == "stiffness" else unit
            try:
                way_out = RESTITUTION if key == "restitution" else ""
                number(value, unit, name=key, owner=kind.name, within=entry.metadata["within"], way_out=way_out)
            except InputError as error:
                found.append(fault_of(error, field, [key]))
    return found


def _given(part: LawPart) -> list[str]:
    """Return the parameters that a table gives."""
    return [key for key, value in part if key in part.model_fields_set and key != "name" and value is not None]


def _stranger(field: str, key: str, law: str, value: object, known: Iterable[str]) -> Fault:
    return Fault(f"{field}.{key}", f"is not a parameter of {law}", value, f"It takes {', '.join(known)}.")


def contacts_of(
    part: ContactPart, law: CompliantLaw | ImpulsiveLaw | None, column_law: CompliantLaw | ImpulsiveLaw | None = None
) -> list[Contact | Facing]:
    """Return the contacts that a table states: of several nodes with a face one for each, else one."""
    if part.face is None:
        for name, given in (("nodes", part.nodes), ("overhang", part.overhang)):
            if given is not None:
                raise refusal(name, "a contact", "must be left out where no face is struck", given, 'Write face = "e".')
        return [contact_of(part, law, column_law)]
    for name, odd in (("columns", part.columns), ("column_law", column_law is not None)):
        if odd:
            raise refusal(name, "a contact", "is for facing floors: two names alone", odd, "Leave it out.")
    if law is None:
        raise refusal("law", "a contact", "must be given", None, "Write the name of a table under [laws].")
    if isinstance(part.gap, list):
        raise refusal("gap", "a contact", "must be one number against a face", part.gap, "Leave it out: it is known.")
    if not isinstance(part.right, str):
        raise refusal("right", "a contact", "must be the name of the structure whose face is struck", part.right)
    left: list[Any] = [place_of(part.left)]
    if part.nodes is not None:
        if not isinstance(part.left, str):
            raise refusal("nodes", "a contact", "must be left out where `left` is a place", part.nodes)
        left = [(part.left, node) for node in part.nodes]
    elif isinstance(part.left, str):
        raise refusal(
            "nodes", "a contact", "must be given, or a point of the structure on the left", None,
            'Write nodes = ["se top", "ne top"].',
        )  # fmt: skip
    if part.label is not None and len(left) > 1:
        raise refusal("label", "a contact", "is for a single place", part.label, "Leave it out: nodes are named.")
    right: Any = part.right
    stated: dict[str, Any] = {"gap": part.gap, "law": law, "mass": part.mass, "tangent": tangent_of(part.tangent)}
    face = tuple(part.face) if isinstance(part.face, list) else part.face
    return [
        Contact(
            node, right, face=face, overhang=part.overhang or 0.0, name=part.label or "",
            friction=friction_of(part.friction), **stated,
        )
        for node in left
    ]  # fmt: skip


def contact_of(
    part: ContactPart, law: CompliantLaw | ImpulsiveLaw | None, column_law: CompliantLaw | ImpulsiveLaw | None = None
) -> Contact | Facing:
    """Return one contact, or, where both sides are names alone or edges of decks, all facing floors or corners."""
    left, right = (_without_edge(side) for side in (part.left, part.right))
    if isinstance(left, str) and isinstance(right, str):
        if part.label is not None:
            raise refusal("label", "facing floors", "is for a single place", part.label, WAY_TO_PLACE)
        for name, given in (("tangent", part.tangent), ("mass", part.mass)):
            if given is not None:
                raise refusal(name, "facing floors", "is for a single place", given, WAY_TO_PLACE)
        sides = (place_of(side)[:2] if isinstance(side, PlacePart) else side for side in (part.left, part.right))
        stated: dict[str, Any] = {"columns": part.columns, "column_law": column_law}
        return facing(*sides, gap=part.gap, law=law, friction=friction_of(part.friction), **stated)
    for name, given in (("columns", part.columns), ("column_law", part.column_law is not None)):
        if given:
            raise refusal(name, "a contact", "is for facing floors: two names alone", given, "Leave it out.")
    if isinstance(part.gap, list):
        raise refusal("gap", "a contact", "must be one number for a single place", part.gap)
    if part.gap is None:
        raise refusal("gap", "a contact", "must be given", None, 'Write gap = "2 cm", for example.')
    if law is None:
        raise refusal("law", "a contact", "must be given", None, "Write the name of a table under [laws].")
    places: list[Any] = [place_of(side) for side in (left, right)]
    return Contact(
        *places, gap=part.gap, law=law, name=part.label or "", tangent=tangent_of(part.tangent), mass=part.mass,
        friction=friction_of(part.friction),
    )  # fmt: skip


def _without_edge(side: str | PlacePart) -> str | PlacePart:
    """Return the structure alone where a side is an edge of a deck."""
    return side.structure if isinstance(side, PlacePart) and side.edge is not None else side


def damper_of(part: DamperPart) -> Damper:
    """Return one damper."""
    return Damper(place_of(part.left), place_of(part.right), part.constant)


def start_of(structure: LinearStructure, given: Any) -> Any:
    """Return a start as `carom.Problem` takes it; what a table leaves out starts from zero."""
    if not isinstance(given, dict):
        return given
    names = structure.dof_names
    values = [0.0] * len(names)
    for place, value in given.items():
        by_number = place.isdecimal() and structure.floors and 1 <= int(place) <= structure.floors
        if not by_number and place not in names:
            rule = f"must be given by degrees of freedom of {structure.owner}, or floors by number"
            raise FieldError(_quoted(place), refusal("value", "field", rule, place, _known(structure)))
        values[int(place) - 1 if by_number else names.index(place)] = value
    return values


def _known(structure: LinearStructure) -> str:
    """Return names of degrees of freedom, some where there are many."""
    names = structure.dof_names
    return f"Known: {', '.join(names[:12])}{', …' if len(names) > 12 else ''}."


def _quoted(name: str) -> str:
    """Return a key as a file writes it."""
    return name if name.replace("-", "").replace("_", "").isalnum() else f'"{name}"'
