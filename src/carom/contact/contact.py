"""One relation and one law: where two places may meet, and what force follows where they do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from carom.contact.friction import Friction
from carom.contact.relation import Place, Relation
from carom.errors import InputError, refusal
from carom.laws.base import CompliantLaw, DampedLaw
from carom.laws.impulse import ImpulsiveLaw
from carom.plain_text import refuse_controls
from carom.units import POSITIVE, number

__all__ = ["Contact"]


@dataclass(frozen=True)
class Contact:
    """Two places that may meet: `a` stands left of `b`, overlap = u_a − u_b − gap, x to the right.

    A place is a structure by name or index, for a structure with several floors together with the floor
    (``("left", 3)``, the first slab above ground is 1), a height on its columns (``("left", "7.5 m")``), a
    degree of freedom (``("bridge", "deck")``) or a point with a direction (``("slab", "corner", "y")``; x where none
    is given). Both sides may lie on one structure: an expansion joint. Across y or any other direction, `a` stands on
    the side from which the direction points.

    With a `tangent` the two sides may also slide along each other: an impulsive law may have `friction` of its own, a
    law with a force is given one here. The tangent says where on both structures the sliding is read, w_a − w_b: one
    place for both sides, or a pair; a wall needs none. In space a `second_tangent` across it makes friction a vector.
    Oblique surfaces are weights: place ``("ball", {"x": 0.8, "y": 0.6})``, tangent ``{"x": -0.6, "y": 0.8}``; of a
    point that has a direction, the tangent is another direction.

    Examples
    --------
    >>> import carom
    >>> law = carom.law("hertz", stiffness=2e9)
    >>> carom.Contact(("left", 3), ("right", "7.5 m"), gap="20 mm", law=law).gap
    0.02
    """

    a: Place
    """Left side."""
    b: Place
    """Right side."""
    gap: Any = field(default=None, kw_only=True)
    """Distance at rest [m]; negative means pressed together, which a `Problem` must be told to allow. Against a face it
    may be left out: as the two stand."""
    law: CompliantLaw | ImpulsiveLaw = field(kw_only=True)
    """The force between them, or the impulse."""
    name: str = field(default="", kw_only=True)
    """A label for results; by default the two places."""
    tangent: Any = field(default=None, kw_only=True)
    """Where sliding is read: a place on both sides, or a pair of them; None: no friction."""
    second_tangent: Any = field(default=None, kw_only=True)
    """Where sliding is read along a second direction, in space: square to the normal and to the first."""
    friction: Friction | None = field(default=None, kw_only=True)
    """Friction of a law with a force; impulsive laws have theirs."""
    edge: Any = field(default=None, kw_only=True)
    """Of the right side, a deck or an abutment: the edge that the point on the left strikes, wherever both move, and
    only between its ends. `carom.facing` makes such contacts."""
    overhang: float = field(default=0.0, kw_only=True)
    """How far the edge counts past its ends [m]; negative: it ends so much earlier."""
    face: Any = field(default=None, kw_only=True)
    """Of the right side, in space: the face that the point on the left strikes, wherever both move, and only inside its
    outline. The name of a face of a rigid body, girder or fixed body, or three or four points of any structure,
    counter-clockwise seen from outside. With friction it slides along the face in any direction."""
    mass: float | None = field(default=None, kw_only=True)
    """The mass [kg] that the law takes for its damping, where it is not to be the effective mass (H M⁻¹ Hᵀ)⁻¹ of the
    two places: papers with several nodes in contact state nodal masses. The motion does not depend on it otherwise."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        for side in ("a", "b"):
            put(self, side, Place.of(getattr(self, side), name=side, owner="Contact"))
        if self.gap is None and self.face is None:
            raise refusal(
                "gap", "Contact", "must be given", None, 'Write gap="20 mm". Only faces say by their places how far.'
            )
        for name in ("gap", "overhang"):
            if getattr(self, name) is not None:
                put(self, name, number(getattr(self, name), "m", name=name, owner="Contact"))
        put(self, "face", _taken_face(self.face))
        if self.mass is not None:
            put(self, "mass", number(self.mass, "kg", name="mass", owner="Contact", within=POSITIVE))
        checked_law(self.law, "Contact")
        if not isinstance(self.name, str):
            raise refusal("name", "Contact", "must be text", self.name)
        refuse_controls(self.name, "name", "Contact")
        put(self, "tangent", _tangent(self.tangent, "tangent"))
        put(self, "second_tangent", _tangent(self.second_tangent, "second_tangent"))
        for what in ("edge", "tangent"):
            if self.face is not None and getattr(self, what) is not None:
                raise refusal(
                    what, "Contact", "must be left out against a face, along which both directions count",
                    getattr(self, what),
                )  # fmt: skip
        if isinstance(self.law, ImpulsiveLaw) and self.law.friction > 0.0 and not self.slides:
            raise refusal(
                "friction", self.law.name, "must be 0 for a contact without a tangent", self.law.friction,
                'Say where it slides: Contact(…, tangent="y").',
            )  # fmt: skip
        self._check_friction()

    def _check_friction(self) -> None:
        """Refuse friction and tangents that do not belong together."""
        if self.second_tangent is not None and self.tangent is None:
            raise refusal(
                "second_tangent", "Contact", "must be left out where there is no first", self.second_tangent,
                'Write tangent="y", second_tangent="z".',
            )  # fmt: skip
        if self.friction is None:
            if self.tangent is not None and not isinstance(self.law, ImpulsiveLaw):
                raise refusal(
                    "tangent", "Contact", "must be left out for a law with a stiffness where no friction is given",
                    self.tangent, "Add friction=carom.Friction(static=…, kinetic=…).",
                )  # fmt: skip
            return
        if not isinstance(self.friction, Friction):
            raise refusal(
                "friction", "Contact", "must be a carom.Friction", self.friction, "Write carom.Friction(static=0.3)."
            )  # fmt: skip
        if isinstance(self.law, ImpulsiveLaw):
            raise refusal(
                "friction", "Contact", "must be left out for an impulsive law, which has its own", self.friction,
                f'Write carom.law("{self.law.name}", restitution=…, friction={self.friction.static:g}).',
            )  # fmt: skip
        if not self.slides:
            raise refusal(
                "friction", "Contact", "must be left out for a contact without a tangent", self.friction,
                'Say where it slides: Contact(…, tangent="y").',
            )  # fmt: skip

    @property
    def slides(self) -> bool:
        """Whether it is known along which directions the two sides slide."""
        return self.tangent is not None or self.face is not None

    @property
    def relation(self) -> Relation:
        """The geometry, apart from the law."""
        return Relation(self.a, self.b, self.gap, self.tangent, self.second_tangent)

    @property
    def laws(self) -> tuple[CompliantLaw | ImpulsiveLaw, ...]:
        """The law, as facing floors have one or two."""
        return (self.law,)

    def replace(self, **changes: Any) -> Contact:
        """Return a copy with some fields changed."""
        return replace(self, **changes)


def _tangent(given: Any, name: str) -> tuple[Any, Any] | None:
    """Return the places on both sides where sliding is read."""
    if given is None:
        return None
    sides = given if isinstance(given, (tuple, list)) else (given, given)
    if len(sides) != 2 or all(side is None for side in sides):
        raise refusal(name, "Contact", "must be a place, or one for each side", given, 'Write "y" or ("y", None).')
    a, b = (dict(side) if isinstance(side, Mapping) else side for side in sides)
    return a, b


def _taken_face(given: Any) -> Any:
    """Return a face as its name, or as three or four places on one structure."""
    if given is None or (isinstance(given, str) and given.strip()):
        return given
    if isinstance(given, (tuple, list)) and len(given) in (3, 4):
        return tuple(given)
    raise refusal(
        "face", "Contact", "must be the name of a face, or three or four points", given,
        'Write face="e", or face=["n1", "n2", "n3", "n4"], counter-clockwise seen from outside.',
    )  # fmt: skip


def checked_law(law: object, owner: str) -> CompliantLaw | ImpulsiveLaw:
    """Return a law that a contact can use: one law, with stiffness, its damping known; or an impulsive one."""
    if isinstance(law, ImpulsiveLaw):
        return law
    if not isinstance(law, CompliantLaw):
        hint = law if isinstance(law, str) else getattr(law, "name", None) or "hertz"
        raise refusal("law", owner, "must be a law with its stiffness", law, f'Write carom.law("{hint}", stiffness=…).')
    if law.many:
        raise refusal(
            "law", owner, "must be a single law, not an array of them", law.name,
            "Vary its parameters in an ensemble, or make one Contact for each.",
        )  # fmt: skip
    if isinstance(law, DampedLaw) and law.empirical:
        raise InputError(
            f"`law` of {owner} needs its damping: {law.name} publishes no relation to restitution. Give `damping` "
            f"({law.damping_symbol}), or calibrate first: law.calibrated(mass=…, velocity=…)."
        )
    return law
