"""Frames that tables of a scenario state, each refusal laid at the field it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from carom.errors import InputError, UnknownNameError, refusal
from carom.scenario.faults import FieldError
from carom.scenario.parts import Part
from carom.scenario.structures.dampings import damping_of
from carom.scenario.structures.frame_parts import (
    FrameFields,
    FrameShared,
    MaterialPart,
    MomentFrameFields,
    OutputPart,
    SectionPart,
)
from carom.structures.frame import Diaphragm, Frame, Link, Material, Member, Section, Spring

__all__ = ["frame_of", "moment_frame_of"]

T = TypeVar("T")

SIZES = {"rectangle": ("breadth", "depth"), "circle": ("diameter",), "tube": ("diameter", "wall"),
         "box": ("breadth", "depth", "wall")}  # fmt: skip
"""Lengths that a shape takes, in order."""
NUMBERS = ("area", "inertia_y", "inertia_z", "torsion", "shear_y", "shear_z", "polar")
"""Of a section that is given by numbers."""
MATERIALS = {"steel": Material.steel, "concrete": Material.concrete}


def moment_frame_of(name: str, part: MomentFrameFields) -> Frame:
    """Return the regular frame that a table states."""
    return Frame.moment_frame(
        storeys=part.storeys, bays=part.bays, rows=part.rows or (),
        columns=_sections(part.columns, "columns"), beams=_sections(part.beams, "beams"),
        material=_material(part.material, {}, "material"), slab=part.slab, supports=part.supports,
        origin=tuple(part.origin), setbacks=_setbacks(part), **_shared(part), name=name,
    )  # fmt: skip


def _setbacks(part: MomentFrameFields) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for i, one in enumerate(part.setbacks, 1):
        if one.storey in found:
            rule = "must be different for every setback"
            raise FieldError(f"setbacks[{i}].storey", refusal("value", "field", rule, one.storey))
        found[one.storey] = {key: value for key in ("bays", "rows") if (value := getattr(one, key)) is not None}
    return found


def frame_of(name: str, part: FrameFields) -> Frame:
    """Return the frame that a table states, node by node."""
    owner = f"Frame '{name}'"
    for node, at in part.nodes.items():
        if len(at) != 3:
            raise FieldError(f"nodes.{node}", refusal("value", "field", "must be three coordinates x, y, z", at))
    sections = {key: _section(given, {}, f"sections.{key}") for key, given in part.sections.items()}
    materials = {key: _made(f"materials.{key}", one, Material, **_said(one)) for key, one in part.materials.items()}
    members = []
    for i, one in enumerate(part.members, 1):
        field = f"members[{i}]"
        for end in ("start", "end"):
            _refuse_stranger(getattr(one, end), part.nodes, f"{field}.{end}", owner)
        made: dict[str, Any] = {
            "section": _section(one.section, sections, f"{field}.section"),
            "material": _material(one.material, materials, f"{field}.material"),
            "released": tuple(one.released), "load": tuple(one.load),
            "offsets": None if one.offsets is None else tuple(map(tuple, one.offsets)),
        }  # fmt: skip
        plain = {key: value for key, value in one if key not in made}
        members.append(_made(field, one, Member, **plain, **made))
    return Frame(
        nodes={node: tuple(at) for node, at in part.nodes.items()},
        members=members,
        supports=part.supports,
        masses=part.masses,
        springs=_each("springs", part.springs, Spring),
        diaphragms=_each("diaphragms", part.diaphragms, Diaphragm),
        links=_each("links", part.links, Link),
        loads=part.loads,
        plane=part.plane,
        **_shared(part),
        name=name,
    )


def _shared(part: FrameShared) -> dict[str, Any]:
    outputs: Any = part.outputs
    if isinstance(outputs, dict):
        outputs = {key: _output(one, f"outputs.{key}") for key, one in outputs.items()}
    return {
        "damping_ratio": part.damping_ratio,
        "damping": None if part.damping is None else damping_of(part.damping),
        "gravity": part.gravity or None,  # false: none acts
        "lumped": part.lumped,
        "rotary": part.rotary,
        "outputs": outputs,
    }


def _output(part: OutputPart, field: str) -> Any:
    given = [key for key in ("member", "node", "slab", "weights") if getattr(part, key) is not None]
    if len(given) != 1:
        raise FieldError(field, InputError(f"it takes one of `member`, `node`, `slab` and `weights`. Got {given}"))
    if part.member is not None:
        if (part.force is None) == (part.share is None):
            rule = "must be given with `member`, or `share` in its place"
            raise FieldError(f"{field}.force", refusal("value", "field", rule, part.force, 'Write force = "my".'))
        return (part.member, part.share) if part.force is None else (part.member, part.force, part.end)
    if part.slab is not None:
        if part.at is None or len(part.at) != 2:
            error = refusal("value", "field", "must be x and y of a point of the slab", part.at, "Write at = [6, 2.5].")
            raise FieldError(f"{field}.at", error)
        return part.slab, tuple(part.at)
    return part.node if part.node is not None else part.weights


def _each(field: str, parts: Iterable[Part], kind: Callable[..., T]) -> list[T]:
    """Return what tables of a list state, each fault laid at its own."""
    found = []
    for i, one in enumerate(parts, 1):
        given = {key: tuple(value) if isinstance(value, list) else value for key, value in one}
        found.append(_made(f"{field}[{i}]", one, kind, **given))
    return found


def _sections(given: str | SectionPart | list[Any], field: str) -> Any:
    if isinstance(given, list):
        return [_section(one, {}, f"{field}[{i}]") for i, one in enumerate(given, 1)]
    return _section(given, {}, field)


def _section(given: str | SectionPart, named: Mapping[str, Section], field: str) -> Section:
    """Return a section: one that has a name here, a rolled shape, or what a table says."""
    if isinstance(given, str):
        if given in named:
            return named[given]
        try:
            return Section.steel(given)
        except InputError as error:
            names = f" or under `sections`: {', '.join(named)}" if named else ""
            told = str(error).removeprefix(f"Unknown steel shape {given!r}. ")
            raise FieldError(field, refusal("value", "field", f"must be a rolled shape{names}", given, told)) from None
    shapes = [key for key in ("steel", *SIZES) if getattr(given, key) is not None]
    numbers = {key: value for key in NUMBERS if (value := getattr(given, key)) is not None}
    if len(shapes) + bool(numbers) != 1:
        known = ", ".join(f"`{key}`" for key in ("steel", *SIZES))
        raise FieldError(field, InputError(f"it takes one of {known} or the numbers. Got {[*shapes, *numbers]}"))
    if numbers:
        missing = [key for key in NUMBERS[:4] if key not in numbers]
        if missing:
            raise FieldError(f"{field}.{missing[0]}", refusal("value", "field", "must be given", None))
        return _made(field, given, Section, **numbers)
    shape = shapes[0]
    if shape == "steel":
        return _section(str(given.steel), {}, f"{field}.steel")
    sizes: Any = getattr(given, shape)
    sizes = sizes if isinstance(sizes, list) else [sizes]
    if len(sizes) != len(SIZES[shape]):
        rule = f"must be {len(SIZES[shape])} lengths: {', '.join(SIZES[shape])}"
        raise FieldError(f"{field}.{shape}", refusal("value", "field", rule, sizes))
    found: Section = _made(f"{field}.{shape}", given, getattr(Section, shape), *sizes)
    return found


def _material(given: str | MaterialPart, named: Mapping[str, Material], field: str) -> Material:
    if isinstance(given, MaterialPart):
        return _made(field, given, Material, **_said(given))
    if given in named:
        return named[given]
    if given in MATERIALS:
        return MATERIALS[given]()
    raise FieldError(field, UnknownNameError("material", given, [*MATERIALS, *named]))


def _said(part: Part) -> dict[str, Any]:
    return {key: value for key, value in part if value is not None}


def _made(field: str, part: Part, make: Callable[..., T], /, *sizes: float, **given: Any) -> T:
    """Return what is made of what a table gives; a refusal is laid at its field."""
    try:
        return make(*sizes, **given)
    except InputError as error:
        raise FieldError(field, error, type(part).model_fields) from None


def _refuse_stranger(node: str, nodes: Iterable[str], field: str, owner: str) -> None:
    if node not in nodes:
        raise FieldError(field, refusal("value", "field", f"must be a node of {owner}", node, _near(node, nodes)))


def _near(name: str, known: Iterable[str]) -> str:
    return str(UnknownNameError("node", name, known)).removeprefix(f"Unknown node {name!r}. ")
