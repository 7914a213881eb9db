"""MiniSEED and SAC, read by ObsPy (extra ``seismology``): binary, no unit in the file.

Their numbers are counts as a rule: ``unit`` is needed, and ``scale`` where they are counts.
"""

from __future__ import annotations

import io
import re
import struct
import warnings
from typing import Any, ClassVar

import numpy as np

from carom.errors import InputError
from carom.motions.readers.base import reader
from carom.motions.readers.document import Asked, Document
from carom.motions.readers.networks.channels import Channel, ChannelReader, component_label

_MINISEED = re.compile(rb"[0-9 ]{6}[DRQM][ \0]")
SAC_HEADER, SAC_VERSION, SAC_COUNT = 632, 304, 316
"""Bytes of SAC's header; where its version, 6 or 7, and the number of samples stand."""
SAC_PLACES, SAC_UNKNOWN = (31 * 4, 39 * 4), -12345.0
"""From where to where coordinates of station and event stand; what an unknown number is."""


class _ObsPyReader(ChannelReader):
    """A format that ObsPy reads."""

    obspy: ClassVar[str]

    def channels(self, document: Document, asked: Asked) -> list[Channel]:
        """Read all traces; the pieces of a channel must follow each other without a gap."""
        found: dict[str, list[Any]] = {}
        for trace in self._traces(document):
            found.setdefault(str(trace.id), []).append(trace)
        return [_channel(document, name, pieces) for name, pieces in found.items()]

    def _traces(self, document: Document) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of old interfaces, and of damage that is refused below
                import obspy
        except ImportError:
            raise InputError(
                f"{document.owner} is a {self.obspy} file, which ObsPy reads. Install it: pip install "
                "carom[seismology]."
            ) from None
        if not document.content:
            raise InputError(f"{document.owner} is a text file, not {self.obspy}.")
        content = self.prepared(document)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return obspy.read(io.BytesIO(content), format=self.obspy)
        except Exception as error:  # whatever a reader of others raises on a damaged file
            said = " ".join(str(error).split())[:120]
            raise InputError(
                f"{document.owner} cannot be read as {self.obspy}: {said or type(error).__name__}."
            ) from None

    def prepared(self, document: Document) -> bytes:
        """Return the bytes for ObsPy; refuse a header that promises what the file does not hold."""
        return document.content


def _channel(document: Document, name: str, pieces: list[Any]) -> Channel:
    pieces = sorted(pieces, key=lambda trace: trace.stats.starttime)
    step, end = float(pieces[0].stats.delta), None
    for trace in pieces:
        if float(trace.stats.delta) != step:
            raise InputError(f"Channel {name} of {document.owner} must have one time step. Got {step:g} s and others.")
        gap = step if end is None else float(trace.stats.starttime - end)
        if abs(gap - step) > 0.5 * step:
            raise InputError(
                f"Channel {name} of {document.owner} must have no gap. Got {gap:g} s at {end}. Cut it there."
            )
        end = trace.stats.endtime
    values = np.concatenate([np.asarray(trace.data) for trace in pieces])
    if values.dtype.kind not in "iuf" or not np.isfinite(values).all():
        raise InputError(f"Channel {name} of {document.owner} must hold finite numbers.")
    stats = pieces[0].stats
    code = str(stats.channel)
    station = ".".join(part for part in (str(stats.network), str(stats.station), str(stats.location)) if part)
    return Channel(
        values.astype(np.float64), step, component_label(code[2:] if len(code) == 3 else code), None, station
    )


@reader("miniseed", aliases=("mseed",), about="MiniSEED, by ObsPy; unit and scale given")
class MiniSeed(_ObsPyReader):
    """Seismology's exchange format."""

    obspy = "MSEED"

    def recognises(self, document: Document) -> int:
        """The number of the first record, and its quality."""
        return 95 if _MINISEED.match(document.content[:8]) else 0


@reader("sac", about="SAC, by ObsPy; unit and scale given")
class Sac(_ObsPyReader):
    """The format of the Seismic Analysis Code."""

    obspy = "SAC"

    def recognises(self, document: Document) -> int:
        """The version in the header, in either order of bytes."""
        return 90 if _sac_order(document.content) else 0

    def prepared(self, document: Document) -> bytes:
        """The samples that the header counts must be there; its coordinates are left out.

        ObsPy works out distances from them, and does not come to an end where they are absurd.
        """
        order = _sac_order(document.content)
        count = struct.unpack_from(f"{order}i", document.content, SAC_COUNT)[0] if order else 0
        held = (len(document.content) - SAC_HEADER) // 4
        if not 2 <= count <= held:
            raise InputError(f"{document.owner} must hold the {count} samples of its header. Got {max(held, 0)}.")
        first, last = SAC_PLACES
        unknown = struct.pack(f"{order}f", SAC_UNKNOWN) * ((last - first) // 4)
        return document.content[:first] + unknown + document.content[last:]


def _sac_order(content: bytes) -> str:
    """Return the order of bytes of a SAC file, nothing for other files."""
    if len(content) < SAC_HEADER:
        return ""
    return next((order for order in "<>" if struct.unpack_from(f"{order}i", content, SAC_VERSION)[0] in (6, 7)), "")
