import matplotlib.pyplot as plt
import pytest

from workflow.deepnets.jobs.draw import mark_subset


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
