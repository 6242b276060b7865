"""Saxe's condition for pretraining on raw MNIST: figure 5, left and centre, of Saxe, McClelland and Ganguli 2013."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from workflow.deepnets.figures.panels import letter
from workflow.deepnets.figures.rows import rows_of
from workflow.deepnets.figures.which_runs import choose, say_which_runs


def consistency_of_inputs(input_correlations: pd.DataFrame) -> Figure:
    """On raw MNIST the modes of the task hardly correlate, which is the condition for greedy pretraining.

    Each matrix shows correlations of the inputs, Σ11, divided by the roots of both diagonal entries. a: of ten
    neighbouring pixels in the middle of the image. b: of the ten modes of the task, which are directions in the space
    of images, strongest first. If b is diagonal, pretraining on the inputs alone prepares the modes of the task. Below
    each matrix: root mean square of the entries off the diagonal, and the largest of them. The pixels are neither
    centred nor whitened.
    """
    runs, words = choose(input_correlations)
    figure, axes = plt.subplots(1, 2, figsize=(3.4, 1.9))
    letter(axes)
    for axis, metric, name in ((axes[0], "pixel_correlation", "pixel"), (axes[1], "mode_correlation", "mode")):
        values = rows_of(runs, metric)
        values = values[values["seed"] == values["seed"].min()].sort_values("index")["value"].to_numpy()
        matrix = values.reshape(round(len(values) ** 0.5), -1)
        scales = np.sqrt(np.diag(matrix))
        # A pixel that is black in all images correlates with none.
        cosines = matrix / np.where(scales > 0, scales, 1)[:, np.newaxis] / np.where(scales > 0, scales, 1)
        off = cosines[~np.eye(len(cosines), dtype=bool)]
        image = axis.imshow(cosines, vmin=-1, vmax=1, cmap="PuOr_r")
        said = f"rms {np.sqrt(np.mean(off**2)):.2f}, max {np.abs(off).max():.2f}"
        axis.set(xlabel=f"{name}\n{said}", ylabel=name, xticks=[0, len(cosines) - 1], yticks=[0, len(cosines) - 1])
        axis.set_xticklabels([1, len(cosines)])
        axis.set_yticklabels([1, len(cosines)])
    figure.colorbar(image, ax=axes, shrink=0.7, label="correlation")
    say_which_runs(figure, words)
    return figure
