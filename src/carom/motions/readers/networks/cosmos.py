"""COSMOS V0, V1, V2 and their one-channel files V1c, V2c: headers that announce each of their own parts.

    Corrected acceleration    (Format v01.20 with 13 text lines)
     100 Integer-header values follow on  10 lines, Format= (10I8)
     100 Real-header values follow on  20 lines, Format= (5F15.6)
       6 Comment line(s) follow, each starting with a "|":
       42000 acceleration pts, approx  210 secs, units=cm/sec2(04),Format=(1E15.6)
    End-of-data for Chan  1 acceleration

COSMOS Strong Motion Data Format, version 1.20 (2001): units in table 2; of the real header the 62nd number is the time
step [ms], the 22nd the least significant bit of the recorder [µV], the 42nd the sensitivity of the sensor [V/g]; the
54th whole number is the azimuth, 400 for up, 401 for down.
"""

from __future__ import annotations

import re

from carom.errors import InputError
from carom.motions.readers.base import reader
from carom.motions.readers.document import LONGEST_HEADER_LINE, Asked, Document
from carom.motions.readers.networks.channels import Channel, ChannelReader, component_label
from carom.motions.readers.networks.fixed import block_of, skip_numbers, width_in
from carom.motions.readers.networks.volumes import first_lines

_TITLE = re.compile(r"\(?\s*Format\s+v\s*\d+\.\d+\s+with\s+(\d{1,3})\s+text\s+lines", re.IGNORECASE)
_PART = re.compile(r"^\s*(\d{1,4})\s+(?:Integer|Real)-header values follow on\s+(\d{1,4})\s+lines", re.IGNORECASE)
_COMMENTS = re.compile(r"^\s*(\d{1,4})\s+Comment line", re.IGNORECASE)
_DATA = re.compile(r"^\s*(\d{1,18})\s+([a-z][a-z. ]{0,30}?)\s+(?:pts|points)\b(.*)", re.IGNORECASE)
_UNIT = re.compile(r"units\s*=\s*([A-Za-z/0-9]+?)\.?\s*\((\d+)\)", re.IGNORECASE)
_CHANNEL = re.compile(r"^Sta Chan\s+\S+?\s*:\s*(\d{1,3})\s*deg", re.IGNORECASE)
_WORD = re.compile(r"^Sta Chan\s+\S+?\s*:\s*(.*?)\s*(?:\(|\s{3}|$)", re.IGNORECASE)
_CODE = re.compile(r"<SCNL>\s*[^.\s]+\.(\w{3})\.")
_STATION = re.compile(r"^Statn No:\s*\S+\s*\S*\s+Code:\S+\s+(?:[A-Z0-9]{2,6}\s{1,3})?(\S.*)", re.IGNORECASE)
UNITS = {2: "g", 4: "cm/s2", 7: "in/s2", 10: "gal", 11: "g/10"}
"""Units of acceleration by their number."""
COUNTS = 50
STEP, BIT, SENSITIVITY, AZIMUTH = 61, 21, 41, 53
"""Places in the headers, from 0: time step [ms], least bit [µV], sensitivity [V/g]; whole number of the azimuth."""


@reader("cosmos", aliases=("cosmos-v1", "cosmos-v2", "v1c", "v2c", "smc-vdc"), about="COSMOS V0, V1, V2, V1c, V2c")
class Cosmos(ChannelReader):
    """COSMOS' common format."""

    def recognises(self, document: Document) -> int:
        """The first line says it."""
        return 95 if _TITLE.search(first_lines(document, 3)) else 0

    def channels(self, document: Document, asked: Asked) -> list[Channel]:
        """Read the channels of acceleration one after the other, and pass over others."""
        found: list[Channel] = []
        starts = [place for place, line in enumerate(document.lines) if _TITLE.search(line[:LONGEST_HEADER_LINE])]
        for place in starts:
            channel, stop = _channel(document, place, asked)
            found += [] if channel is None else [channel]
        if not starts:
            raise InputError(f"{document.owner} must begin with a line such as Format v01.20 with 13 text lines.")
        stop += bool(stop < len(document.lines) and document.lines[stop].lstrip().lower().startswith("end-of-data"))
        document.ignore_after(stop)
        return found


def _channel(document: Document, place: int, asked: Asked) -> tuple[Channel | None, int]:
    lines = document.lines
    title = _TITLE.search(lines[place][:LONGEST_HEADER_LINE])
    assert title is not None
    text = [line[:LONGEST_HEADER_LINE] for line in lines[place : place + int(title[1])]]
    at = place + int(title[1])
    wholes, at = _header(document, at, asked)
    reals, at = _header(document, at, asked)
    if at < len(lines) and (said := _COMMENTS.match(lines[at][:LONGEST_HEADER_LINE])):
        text += [line[:LONGEST_HEADER_LINE] for line in lines[at + 1 : at + 1 + int(said[1])]]
        at += 1 + int(said[1])
    line = lines[at][:LONGEST_HEADER_LINE] if at < len(lines) else ""
    said = _DATA.match(line)
    if said is None:
        raise InputError(
            f"Line {at + 1} of {document.owner} must announce data, such as '13400 acceleration pts, units=g (02)'. "
            f"Got {line.strip()[:60]!r}."
        )
    if "acc" not in said[2].lower():
        return None, skip_numbers(document, at + 1)
    values, stop, notes = block_of(document, at + 1, int(said[1]), width_in(said[3], 10), asked)
    unit, factor = _unit(said[3], reals)
    if factor != 1.0:
        values = factor * (values - values.mean())
        notes += (f"counts multiplied by {factor:.7g} {unit}, their mean removed",)
    step = 0.001 * reals[STEP] if len(reals) > STEP and reals[STEP] > 0.0 else None
    station = next((found[1] for line in text if (found := _STATION.match(line))), "")
    event = text[1].strip() if len(text) > 1 else ""
    return Channel(values, step, _label(text, wholes), unit, station.strip(), event, 0.0, notes), stop


def _header(document: Document, at: int, asked: Asked) -> tuple[list[float], int]:
    """Return the numbers of one part of the header, and the line after it."""
    line = document.lines[at][:LONGEST_HEADER_LINE] if at < len(document.lines) else ""
    said = _PART.match(line)
    if said is None:
        raise InputError(
            f"Line {at + 1} of {document.owner} must announce a header, such as '100 Real-header values follow on 17 "
            f"lines'. Got {line.strip()[:60]!r}."
        )
    values, _, _ = block_of(document, at + 1, int(said[1]), width_in(line, 8), asked, what="header values")
    return values.tolist(), at + 1 + int(said[2])


def _unit(said: str, reals: list[float]) -> tuple[str | None, float]:
    """Return the unit of the numbers, and a factor where they are counts."""
    found = _UNIT.search(said)
    number = int(found[2][:4]) if found else 0
    if number in UNITS:
        return UNITS[number], 1.0
    if number == COUNTS and len(reals) > SENSITIVITY and reals[BIT] > 0.0 and reals[SENSITIVITY] > 0.0:
        return "g", 1e-6 * reals[BIT] / reals[SENSITIVITY]
    return None, 1.0


def _label(text: list[str], wholes: list[float]) -> str:
    for line in text:
        if found := _CHANNEL.match(line):
            return component_label(found[1])
    word = next((found[1] for line in text if (found := _WORD.match(line))), "")
    if (label := component_label(word)) == "UP":
        return label
    code = next((found[1] for line in text if (found := _CODE.search(line))), "")
    azimuth = wholes[AZIMUTH] if len(wholes) > AZIMUTH else -999.0
    if azimuth == 400.0 or code.endswith("Z"):
        return "UP"
    if 1.0 <= azimuth <= 360.0:
        return f"{azimuth:03.0f}"
    return code or ("" if word.lower() == "other" else label)
