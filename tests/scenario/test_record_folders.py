"""Records of a folder as the motions of a study, and one component of a file as that of a scenario."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import carom
from carom.errors import InputError
from carom.motions.folders import MotionFilter
from carom.scenario import read_scenario
from carom.scenario.faults import ScenarioError
from carom.scenario.reading import default_text
from carom.scenario.studies.reading import Study, study_of
from carom.units import standard_gravity as G
from tests.motions.network_samples import bhrc, csmip_v2, knet
from tests.motions.samples import at2, rows, wave
from tests.studies.example import changed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "records"
    (inside / "deep").mkdir(parents=True)
    (inside / "a.V2").write_bytes(csmip_v2().content)
    (inside / "deep" / "b.V1").write_bytes(bhrc().content)
    (inside / "FIEL.EW").write_bytes(knet().content)
    (inside / "d.AT2").write_text(at2(2.0 * wave(), "NPTS= 60, DT= .01 SEC"))
    (inside / "README").write_text("some words")
    (inside / "study.toml").write_text("")
    return tmp_path


def study(folder: Path, *tables: str, records: str = '["records"]') -> Study:
    text = changed(('["default", "thirty-05a"]', records))
    return study_of(text + "\n" + "\n".join(tables), "s.toml", folder)


def names(found: Study) -> list[str]:
    assert found.motions is not None
    return [motion.name for motion in found.motions.motions]


def test_a_folder_of_records_is_a_study(folder: Path) -> None:
    assert names(study(folder)) == ["FIEL EW", "a 090", "a 000", "d", "b 352", "b 082"]


@pytest.mark.parametrize(
    ("table", "left"),
    [
        ('[motions.filter]\nformats = ["csmip", "K-NET"]', ["FIEL EW", "a 090", "a 000"]),
        ('[motions.filter]\ncomponent = "vertical"\nformats = ["csmip", "bhrc"]', ["a UP", "b UP"]),
        ('[motions.filter]\npga = ["0.5 g", "1 g"]', ["d"]),
        (
            '[motions.filter]\nduration = ["0.5 s", "2 s"]\ncomponent = "all"\nformats = ["bhrc"]',
            ["b 352", "b UP", "b 082"],
        ),
    ],
)
def test_filters_take_what_is_asked_for(folder: Path, table: str, left: list[str]) -> None:
    found = study(folder, table)
    assert names(found) == left
    assert any("hold no motion that is asked for" in note for note in found.notes)


def test_what_cannot_be_read_is_left_out_with_a_word(folder: Path) -> None:
    (folder / "records" / "bare.txt").write_text(rows(wave()))
    found = study(folder)
    assert len(names(found)) == 6
    assert any("1 files cannot be read (`dt` of bare.txt must be known" in note for note in found.notes)
    told = ('["default", "thirty-05a"]', '["records"]'), ('period = "0.5 s"\n', 'dt = 0.01\nunit = "g"\n')
    found = study_of(changed(*told), "s.toml", folder)
    assert "bare" in names(found)
    with pytest.raises(ScenarioError, match=r"`dt` of bare\.txt must be known"):
        study(folder, records='["records/*.txt"]')
    with pytest.raises(ScenarioError, match="must be a folder with motions in it"):
        study(folder, '[motions.filter]\npga = ["5 g", "6 g"]')


def test_motions_are_scaled_and_selected_by_a_target(folder: Path) -> None:
    table = (
        '[motions.target]\nspectrum = "ec8: ag = 0.3 g, ground = B"\nperiods = ["0.1 s", "0.5 s"]\nlimits = [0.01, 100]'
    )
    found = study(folder, table)
    goal = carom.motions.targets.ec8(ag="0.3 g", ground="B")
    axis = np.geomspace(0.1, 0.5, 300)
    assert found.motions is not None
    for motion in found.motions.motions:
        assert np.log(motion.spectrum(axis).psa / goal.sa(axis)).mean() == pytest.approx(0.0, abs=0.02)
    few = study(folder, table + "\nselect = 3")
    assert len(names(few)) == 3
    assert set(names(few)) < set(names(found))
    with pytest.raises(ScenarioError, match="`count` of select must be a whole number from 1 to 6"):
        study(folder, table + "\nselect = 7")
    with pytest.raises(ScenarioError, match="must be a code"):
        study(folder, '[motions.target]\nspectrum = "ec9: ag = 1"\nperiods = [0.1, 0.5]')


def test_a_scenario_takes_one_component_of_a_file(folder: Path) -> None:
    path = folder / "s.toml"
    text = default_text()
    line = next(line for line in text.splitlines() if line.startswith("record"))
    path.write_text(text.replace(line, 'record = "records/a.V2"\ncomponent = "UP"'))
    found = read_scenario(path).ground["x"]
    assert found.component == "UP"
    path.write_text(text.replace(line, 'record = "records/a.V2"'))
    with pytest.raises(ScenarioError, match="must be named where there are several: 090, UP, 000"):
        read_scenario(path)
    (folder / "counts.txt").write_text("1000\n-2000\n500\n")
    path.write_text(text.replace(line, 'record = "counts.txt"\ndt = 0.01\nunit = "gal"\nscale = 0.05'))
    assert np.abs(read_scenario(path).ground["x"].acceleration).max() > 0.0


def test_filters_that_cannot_be() -> None:
    for given, part in (
        ({"formats": ["nowhere"]}, "Unknown motion format"), ({"pga": ["1 g", "0.1 g"]}, "least value first"),
        ({"duration": 3.0}, "least and the largest"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=part):
            MotionFilter.of(**given)
    assert MotionFilter.of(pga=("0.1 g", "1 g")).pga == (0.1 * G, G)
