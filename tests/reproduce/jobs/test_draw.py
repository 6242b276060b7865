import io
from dataclasses import replace
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib import font_manager
from matplotlib.mathtext import MathTextParser

from reproduce.errors import UserError
from reproduce.jobs.draw import _fix_layout, _keep_own_fonts, _read_formula, mark_reduced
from reproduce.jobs.page import mathematics


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


@pytest.mark.parametrize("formula", [r"\frac{", "{" * 3000 + "}" * 3000])
def test_a_formula_that_cannot_be_read_is_a_sentence_in_a_figure_and_on_the_page(monkeypatch, formula):
    monkeypatch.setattr(MathTextParser, "parse", _read_formula)
    for read in (lambda: plt.figtext(0, 0, f"${formula}$").get_window_extent(), lambda: mathematics(formula)):
        with pytest.raises(UserError, match=r"^the formula '.{6,90}' cannot be read: \w+"):
            read()
    plt.close("all")


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
