from dataclasses import replace
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from matplotlib import font_manager

from workflow.deepnets.jobs.draw import _keep_own_fonts, mark_subset


@pytest.mark.parametrize("width", [3.4, 6.9])
def test_notice_of_the_subset_lies_within_the_figure(off_screen, width):
    figure, axis = plt.subplots(figsize=(width, 2.5))
    axis.set_xlabel("updates")
    mark_subset(figure)
    figure.canvas.draw()
    (notice,) = (text for text in figure.texts if "4,000 training images" in text.get_text().replace("\n", " "))
    words, label = notice.get_window_extent(), axis.xaxis.label.get_window_extent()
    assert 0 < words.x0 < words.x1 < figure.bbox.width
    assert 0 < words.y0 < words.y1 < label.y0


def test_fonts_are_found_whatever_installation_the_user_s_list_is_of(monkeypatch):
    elsewhere = [replace(font, fname="/gone/DejaVuSans.ttf") for font in font_manager.fontManager.ttflist[:3]]
    for listed in (elsewhere, [*font_manager.fontManager.ttflist, *elsewhere]):
        monkeypatch.setattr(font_manager.fontManager, "ttflist", listed)
        _keep_own_fonts()
        names = {font.name for font in font_manager.fontManager.ttflist}
        assert {"DejaVu Sans", "DejaVu Sans Mono"} <= names
        assert all(Path(font.fname).is_file() for font in font_manager.fontManager.ttflist)
