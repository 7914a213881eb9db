"""UNAM: Mexico's standard acceleration file, version 2, up to twelve channels side by side, in gal."""

from __future__ import annotations

import re

from carom.errors import InputError
from carom.motions.quantities import unit_in
from carom.motions.readers.base import reader
from carom.motions.readers.document import LONGEST_HEADER_LINE, Asked, Document
from carom.motions.readers.networks.channels import Channel, ChannelReader, component_label
from carom.motions.readers.networks.keyed import count_of, counted, joined, keys_of, positive, table_of
from carom.motions.readers.networks.volumes import first_lines

_SIGN = re.compile(r"(?im)^\s*ARCHIVO EST.{1,3}NDAR DE ACELERACI|^DATOS DE ACELERACI|INSTITUTO DE INGENIER")
_DATA = re.compile(r"^\s*DATOS DE ACELERACI", re.IGNORECASE)
_RULE = re.compile(r"^[-+=*\s]{10,}$")
_CHANNELS = re.compile(r"^\s*(?:CANAL-?\d+\s*)+$", re.IGNORECASE)


@reader("unam", aliases=("mexico", "iingen"), about="UNAM standard file (Mexico), several channels per file")
class Unam(ChannelReader):
    """The format of the Instituto de Ingeniería."""

    def recognises(self, document: Document) -> int:
        """Its own words."""
        return 95 if _SIGN.search(first_lines(document, 120)) else 0

    def channels(self, document: Document, asked: Asked) -> list[Channel]:
        """Read the channels by the names above their columns."""
        head = [line[:LONGEST_HEADER_LINE] for line in document.lines[:400]]
        title = next((at for at, line in enumerate(head) if _DATA.match(line)), None)
        row = next((at for at, line in enumerate(head) if at > (title or 0) and _CHANNELS.match(line)), None)
        if title is None or row is None or row + 2 >= len(document.lines):
            raise InputError(f"{document.owner} must name its channels, CANAL-1 and so on, below DATOS DE ACELERACION.")
        names = head[row + 1].split() if row + 1 < len(head) else []
        width = len(re.findall("CANAL", head[row], re.IGNORECASE))
        if len(names) != width:
            raise InputError(f"Line {row + 2} of {document.owner} must name {width} directions. Got {len(names)}.")
        first = row + 2 + bool(_RULE.match(document.lines[row + 2]))
        said = keys_of(document, title)
        table, _ = table_of(document, first, width)
        count, notes = counted(document, len(table), count_of(said.get("num. total de muestras, c1-c6", "")), asked)
        step = positive(said.get("intervalo de muestreo, c1-c6 (s)", ""))
        unit = unit_in(f"units: {said.get('unidades de los datos', '')}")
        station = joined(said, "clave de la estacion", "nombre de la estacion")
        event = joined(said, "fecha del sismo [gmt]", "magnitud(es)")
        return [
            Channel(column, step, component_label(name), unit, station, event, 0.0, notes)
            for name, column in zip(names, table[:count].T, strict=True)
        ]
