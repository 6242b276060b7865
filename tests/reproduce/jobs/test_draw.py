import gc
import io
from dataclasses import replace
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib import font_manager

from conftest import ROOT
from reproduce.jobs.draw import _fix_layout, _keep_own_fonts, main, mark_reduced
from reproduce.jobs.job import Job
from reproduce.records.files import sha256_of
from reproduce.records.record import record_at


@pytest.mark.parametrize("width", [3.4, 6.9])
def test_the_notice_of_the_subset_fits_into_the_figure(off_screen, width):
    figure, axis = plt.subplots(figsize=(width, 2.5))
    axis.set_xlabel("updates")
    mark_reduced(figure, "embedded subset of images, 4,000 training images")
    figure.canvas.draw()
    (notice,) = (text for text in figure.texts if "4,000 training images" in text.get_text().replace("\n", " "))
    words, label = notice.get_window_extent(), axis.xaxis.label.get_window_extent()
    assert 0 < words.x0 < words.x1 < figure.bbox.width
    assert 0 < words.y0 < words.y1 < label.y0


def test_a_png_has_the_same_layout_as_if_saved_after_the_pdf(off_screen):
    def pixels(settle):
        figure, axes = plt.subplots(2, 2, figsize=(3.4, 2.5))
        for axis in axes.flat:
            axis.plot([1, 1e4], [0.001, 1e3], label="loss")
            axis.set(xscale="log", ylabel="mean squared error", box_aspect=1)
        figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center")
        figure.savefig(io.BytesIO(), format="pdf")
        settle(figure)
        draws, file = [], io.BytesIO()
        figure.add_artist(plt.Line2D([0, 0], [0, 0])).draw = lambda renderer: draws.append(renderer)
        figure.savefig(file, format="png")
        file.seek(0)
        return plt.imread(file), len(draws)

    (laid_out, twice), (settled, once) = pixels(lambda figure: None), pixels(_fix_layout)
    assert np.array_equal(settled, laid_out)
    assert (once, twice) == (1, 2)


def test_only_matplotlib_s_own_fonts_are_used_even_if_the_cached_list_is_from_a_different_installation(monkeypatch):
    # A user's font of a weight that the own fonts lack would be taken.
    own = [font for font in font_manager.fontManager.ttflist if font.name.startswith("DejaVu")]
    elsewhere = [replace(own[0], fname=fname, weight=300) for fname in ("/gone/DejaVuSans.ttf", __file__)]
    for listed in (elsewhere, [*own, *elsewhere]):
        monkeypatch.setattr(font_manager.fontManager, "ttflist", listed)
        _keep_own_fonts()
        names = {font.name for font in font_manager.fontManager.ttflist}
        assert {"DejaVu Sans", "DejaVu Sans Mono"} <= names
        assert all(Path(font.fname).is_file() for font in font_manager.fontManager.ttflist)
        assert __file__ not in {font.fname for font in font_manager.fontManager.ttflist}


@pytest.fixture
def save(monkeypatch):
    """Return a function that runs the job of a figure: save(draw, path, …)."""

    def save(draw, *paths):
        monkeypatch.setattr("reproduce.jobs.isolation.import_function", lambda entry: draw)
        style = ROOT / "workflow/reproduce/figures/column.mplstyle"
        with plt.rc_context():
            main(Job("{}", "toy:draw", paths[0].with_suffix(".json")), style, [], list(paths))

    yield save
    gc.enable()


def test_each_file_has_the_format_of_its_name(tmp_path, save):
    begins = {"pdf": b"%PDF-", "png": b"\x89PNG", "svg": b"<?xml", "csv": b"panel,"}
    paths = [tmp_path / f"figure.{kind}" for kind in begins]

    def draw():
        return plt.subplots(subplot_kw={"xlabel": "updates"})[0]

    save(draw, *paths)
    assert {path.suffix[1:]: path.read_bytes()[: len(begins[path.suffix[1:]])] for path in paths} == begins
    # One record of all, and the same bytes a second time.
    first = record_at(paths[0])
    assert first.outputs == {path.name: sha256_of(path) for path in paths} and [*first.inputs] == ["style"]
    save(draw, *paths)
    assert record_at(paths[0]) == first
