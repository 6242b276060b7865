"""The condition for pretraining on raw MNIST: figure 5, left and centre, of Saxe, McClelland and Ganguli 2013."""

import numpy as np
from matplotlib.figure import Figure

from deepnets.documents.saxe_2013.quantities import correlation_coefficients, off_diagonal
from deepnets.documents.saxe_2013.runs import INPUTS
from reproduce import api


def consistency_of_inputs(input_correlations: api.Table) -> Figure:
    """On raw MNIST, the modes of the task hardly correlate; this is the condition for greedy pretraining.

    Entries of Σ11 divided by the square roots of the two diagonal entries in their row and column: a, of ten
    neighbouring pixels in the middle of the image; b, of the ten modes of the task, directions in the space of images,
    in order of strength. Below each matrix: root mean square and largest value off the diagonal. The pixels are neither
    centred nor whitened.
    """
    sheet = api.Sheet(note_divergence=False)
    runs = sheet.take(INPUTS.shown(input_correlations))
    axes = sheet.panels(1, 2, figsize=(3.4, 1.9))
    for axis, metric, name in ((axes[0], "pixel_correlation", "pixel"), (axes[1], "mode_correlation", "mode")):
        coefficients = correlation_coefficients(runs, metric)
        off, count = off_diagonal(coefficients), len(coefficients)
        image = axis.imshow(coefficients, vmin=-1, vmax=1, cmap="PuOr_r")
        said = f"rms {np.sqrt(np.mean(off**2)):.2f}, max {np.abs(off).max():.2f}"
        axis.set(xlabel=f"{name}\n{said}", ylabel=name)
        axis.set_xticks([0, count - 1], [1, count])
        axis.set_yticks([0, count - 1], [1, count])
    sheet.figure.colorbar(image, ax=axes, shrink=0.7, label="correlation")
    return sheet.finish()
