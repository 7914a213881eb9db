"""Every figure draws without a display, in the house style, and leaves the user's settings alone."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from carom.plots import draw, save
from carom.plots.style import SERIES
from carom.results import Curve, FigureData, Kind, Label, Panel, Width
from carom.studies.reproduce import case_names
from tests.reproduced import reproduce

FIGURES = [name for name in case_names() if "table" not in name]


def small() -> FigureData:
    x = np.linspace(0.0, 1.0, 5)
    curves = tuple(Curve(x, x * i, f"curve {kind}", kind, i) for i, kind in enumerate(Kind))
    panel = Panel("x [m]", "y [N]", curves, "A title", labels=(Label(0.5, 0.5, "here"),), legend="upper left")
    return FigureData("small", "A small figure", "after nobody", (panel, panel, panel), columns=2, width=Width.DOUBLE)


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_draws(name: str) -> None:
    for figure in reproduce(name).figures:
        fig, axes = draw(figure)
        assert len(axes) == len(figure.panels)
        width = {"single": 85.0, "double": 175.0}[figure.width]
        assert fig.get_figwidth() * 25.4 == pytest.approx(width)
        fig.canvas.draw()


@pytest.mark.parametrize("name", FIGURES)
def test_nothing_leaves_the_page_or_runs_into_its_neighbour(name: str) -> None:
    for data in reproduce(name).figures:
        fig, axes = draw(data)
        canvas = fig.canvas
        assert isinstance(canvas, FigureCanvasAgg)
        canvas.draw()
        page = fig.bbox
        boxes = [ax.get_tightbbox(canvas.get_renderer()) for ax in axes]
        for box in boxes:
            assert box is not None
            assert box.x0 >= page.x0
            assert box.y0 >= page.y0
            assert box.x1 <= page.x1 + 0.5
            assert box.y1 <= page.y1 + 0.5
        titles = [ax.title.get_window_extent() for ax in axes] + [ax._left_title.get_window_extent() for ax in axes]
        for i, one in enumerate(titles):
            for other in titles[i + 1 :]:
                assert one.width == 0 or other.width == 0 or not one.overlaps(other)


def test_letters_and_kinds() -> None:
    fig, axes = draw(small())
    assert isinstance(fig, Figure)
    assert [ax.get_title(loc="left") for ax in axes] == ["(a) A title", "(b) A title", "(c) A title"]
    assert "after nobody" in [text.get_text().strip() for text in fig.texts]


def test_series_differ_in_more_than_colour() -> None:
    assert len({look.marker for look in SERIES}) == len(SERIES)
    assert len({look.colour for look in SERIES}) == len(SERIES)
    dashed = [look.dashes for look in SERIES if look.dashes != "-"]
    assert len(set(map(str, dashed))) == len(dashed)


def test_the_users_settings_stay() -> None:
    before = dict(mpl.rcParams)
    draw(small())
    assert dict(mpl.rcParams) == before


def test_files_are_whole_and_repeatable(tmp_path: Path) -> None:
    first = save(small(), tmp_path / "new" / "folder")
    assert [path.name for path in first] == ["small.png", "small.pdf"]
    bytes_before = [path.read_bytes() for path in first]
    assert [path.read_bytes() for path in save(small(), tmp_path / "new" / "folder")] == bytes_before
    assert bytes_before[0].startswith(b"\x89PNG")
    assert b"after nobody" in bytes_before[0]
    assert bytes_before[1].startswith(b"%PDF")
    assert len(list((tmp_path / "new" / "folder").iterdir())) == 2


def test_an_interruption_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (old,) = save(small(), tmp_path, formats=("png",))
    content = old.read_bytes()

    def interrupted(self: Figure, path: Path, **_: object) -> None:
        Path(path).write_bytes(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(Figure, "savefig", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save(small(), tmp_path, formats=("png", "pdf"))
    assert [path.name for path in tmp_path.iterdir()] == ["small.png"]
    assert old.read_bytes() == content
