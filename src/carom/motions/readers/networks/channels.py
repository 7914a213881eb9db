"""Files of strong-motion networks: labelled components, one or several in a file."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from carom.errors import InputError
from carom.motions.axes import NAMED, VERTICAL
from carom.motions.motion import Array, Motion
from carom.motions.readers.base import Reader
from carom.motions.readers.document import Asked, Document

__all__ = ["Channel", "ChannelReader", "chosen", "component_label", "is_vertical"]

_DEGREES = re.compile(r"([+-]?\d{1,3})(?:\.0*)?\s*(?:deg\w*|°)?", re.IGNORECASE)
_BEARING = re.compile(r"([NS])\s*(\d{1,2})(?:\.0*)?\s*([EW])", re.IGNORECASE)
_PLACES = {"h1": (False, 0), "h2": (False, 1), "v": (True, 0), "vertical": (True, 0)}
"""Names that say which of the horizontal and vertical components, in the order of the file."""


@dataclass(frozen=True)
class Channel:
    """One component as its file states it."""

    samples: Array
    """As printed, in the unit of the file."""
    step: float | None
    """Time step [s]; None: the file does not say it."""
    component: str
    unit: str | None
    """Unit of the samples; None: the file does not say it."""
    station: str = ""
    event: str = ""
    start: float = 0.0
    """Time of the first sample [s]."""
    notes: tuple[str, ...] = ()
    """What the reader did to the samples."""


class ChannelReader(Reader):
    """A format whose files hold labelled components."""

    @abstractmethod
    def channels(self, document: Document, asked: Asked) -> list[Channel]:
        """Return the components of acceleration in the order of the file."""

    def read_all(self, document: Document, asked: Asked) -> tuple[Motion, ...]:
        """Return all components."""
        found = self.channels(document, asked)
        if not found:
            raise InputError(f"{document.owner} must hold acceleration. No channel of it does.")
        return tuple(_motion(document, channel, asked) for channel in found)

    def read(self, document: Document, asked: Asked) -> Motion:
        """Return the component asked for, or the only one."""
        return chosen(self.read_all(document, asked), asked.component, document.owner)


def _motion(document: Document, channel: Channel, asked: Asked) -> Motion:
    if channel.samples.size < 2:
        raise InputError(f"{document.owner} must hold at least two samples. Got {channel.samples.size}.")
    step, notes = document.step(asked, channel.step)
    factor, more = document.unit(asked, channel.unit)
    name = document.path.name
    return Motion(
        channel.samples * factor, step, start=channel.start, component=channel.component, event=channel.event,
        station=channel.station, source=f"{name}, component {channel.component}" if channel.component else name,
        processing=(*channel.notes, *notes, *more),
    )  # fmt: skip


def chosen(motions: Sequence[Motion], component: str | None, owner: str) -> Motion:
    """Return the motion of a component, by its label or as H1, H2 or V; without a name the only one."""
    labels = ", ".join(motion.component or "one without a name" for motion in motions)
    if component is None:
        if len(motions) == 1:
            return motions[0]
        raise InputError(
            f"`component` of {owner} must be named where there are several: {labels}. Got none. "
            f'Pass component="{motions[0].component}" (on the command line: --component {motions[0].component}), '
            "or read all by carom.read_motions."
        )
    plain = _plain(component)
    found = [motion for motion in motions if _plain(motion.component) == plain]
    if not found and plain in _PLACES:
        vertical, place = _PLACES[plain]
        found = [motion for motion in motions if is_vertical(motion.component) == vertical][place : place + 1]
    if len(found) == 1:
        return found[0]
    rule = "stands for several of" if found else "must be one of"
    raise InputError(f"`component` of {owner} {rule} {labels}; H1, H2 and V count by their order. Got {component!r}.")


def is_vertical(component: str) -> bool:
    """Tell whether a component is called vertical."""
    word = _plain(component)
    return NAMED.get(word) == VERTICAL or word in ("down", "dn", "dwn", "d") or (word[2:] == "z" and len(word) == 3)


def component_label(text: str) -> str:
    """Return the label of a component: UP, or the azimuth in three digits where the file gives one, else its words."""
    words = " ".join(text.split())
    if is_vertical(words):
        return "UP" if _plain(words) in ("up", "u", "v", "z", "ver", "vert", "vertical") else words.upper()
    if found := _BEARING.fullmatch(words):
        angle = int(found[2])
        if found[1].upper() == "S":
            angle = 180 - angle if found[3].upper() == "E" else 180 + angle
        elif found[3].upper() == "W":
            angle = (360 - angle) % 360
        return f"{angle:03d}"
    if (found := _DEGREES.fullmatch(words)) and 0 <= int(found[1]) <= 360:
        return f"{int(found[1]):03d}"
    return words


def _plain(text: str) -> str:
    word = re.sub(r"[\s_\-]|deg$|°", "", text.casefold())
    return word.lstrip("0") or "0" if word.isdigit() else word
