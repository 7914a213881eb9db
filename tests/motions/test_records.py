"""Real records, where they lie beside the repository: PGA, npts and dt as in their index."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import carom
from carom.errors import InputError
from carom.units import standard_gravity

RECORDS = Path(__file__).parents[3] / "shared" / "records"
INDEX = RECORDS / "INDEX.md"
FOLDERS = ("peer_", "opensees/", "text/")


def index() -> list[list[str]]:
    if not INDEX.exists():
        return []
    rows = [[cell.strip() for cell in line.strip()[1:-1].split("|")] for line in INDEX.read_text().splitlines()]
    return [row for row in rows if len(row) > 10 and row[0].startswith(FOLDERS)]


@pytest.mark.skipif(not INDEX.exists(), reason="the records are not part of the repository: ../shared/records")
def test_every_at2_and_text_record() -> None:
    rows = index()
    assert len(rows) > 100
    refused = 0
    for name, dt, npts, unit, pga, _source, note in ((row[0], *row[6:12]) for row in rows):
        path = RECORDS / name
        if path.suffix.lower() in (".vt2", ".dt2"):
            with pytest.raises(InputError, match="not acceleration"):
                carom.read_motion(path)
            refused += 1
            continue
        given: dict[str, object] = {}
        if "dt is not in the file" in note:
            given["dt"] = float(dt)
        if "units not stated" in note or name.startswith("text/") or given:
            given["unit"] = unit
        motion = carom.read_motion(path, **given)
        assert motion.npts == int(npts), name
        assert motion.dt == pytest.approx(float(dt), rel=1e-12), name
        assert motion.pga / standard_gravity == pytest.approx(float(pga), abs=5.1e-5), name
        if given:
            with pytest.raises(InputError, match="must be known"):
                carom.read_motion(path)
    assert refused == sum(bool(re.search(r"[VD]T2$", row[0])) for row in rows)


@pytest.mark.skipif(not INDEX.exists(), reason="the records are not part of the repository: ../shared/records")
def test_plain_columns_under_the_headers_of_networks() -> None:
    """ESM states step and unit above one column; ESD prints numbers without blanks between."""
    esm = carom.read_motion(RECORDS / "esm" / "HI.ARS1..HNE.D.20190728.160908.C.ACC.ASC")
    assert (esm.npts, esm.dt) == (19128, 0.005)
    assert esm.pga / standard_gravity == pytest.approx(0.0003, abs=5.1e-5)
    esd = carom.read_motion(RECORDS / "esd" / "16833_H1.cor.acc", dt=0.005)
    assert esd.npts == 59220
    assert esd.pga / standard_gravity == pytest.approx(0.5169, abs=5.1e-5)
