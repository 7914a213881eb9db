"""Real records, where they lie beside the repository: PGA, npts and dt as in their index."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import carom
from carom.errors import CaromWarning, InputError
from carom.units import standard_gravity

RECORDS = Path(__file__).parents[3] / "shared" / "records"
INDEX = RECORDS / "INDEX.md"
FOLDERS = ("peer_", "opensees/", "text/")


def index() -> list[list[str]]:
    return [row for row in rows_of() if row[0].startswith(FOLDERS)]


def rows_of() -> list[list[str]]:
    if not INDEX.exists():
        return []
    rows = [[cell.strip() for cell in line.strip()[1:-1].split("|")] for line in INDEX.read_text().splitlines()]
    return [row for row in rows if len(row) > 10 and re.match(r"\w+/", row[0])]


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
def test_every_record_of_a_network() -> None:
    """RENADIC: the tool behind the index took g = 980 cm/s²; the numbers are in g/10 and the header says 0.334 g."""
    rows = [row for row in rows_of() if not row[0].startswith(FOLDERS)]
    assert len(rows) > 18
    for name, dt, npts, pga in ((row[0], row[6], row[7], row[9]) for row in rows):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CaromWarning)  # films on uneven times
            found = carom.motions.read_motions(RECORDS / name)
            axes = carom.motions.read_set(RECORDS / name).axes if len(found) == 3 else (None,)
        wanted = [float(peak) for peak in re.findall(r"\d\.\d{4}", pga)]
        peaks = [motion.pga / standard_gravity for motion in found]
        if name.startswith("renadic"):
            wanted = [peak * 980.665 / 980.0 for peak in wanted]
            assert round(peaks[0], 3) == 0.334
        np.testing.assert_allclose(peaks, wanted, atol=1.01e-4, err_msg=name)
        assert {motion.npts for motion in found} == {int(count) for count in npts.split("/")}, name
        assert all(motion.dt == pytest.approx(float(dt), rel=1e-12) for motion in found), name
        assert len(found) == 1 or None not in axes
