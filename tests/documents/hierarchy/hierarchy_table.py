"""A small table of document 003's experiment, and functions that read a figure's lines, pictures and texts."""

import inspect

import numpy as np
import pandas as pd

from conftest import default_config
from deepnets.documents.hierarchy.figures import data as of_data
from deepnets.documents.hierarchy.figures import learning, sliders
from deepnets.documents.hierarchy.figures import regression as comparison
from deepnets.experiments.hierarchy import run as hierarchy

CONFIG = default_config()["experiments"]["hierarchy"]
# This rate is for few features, this scale for few steps.
SPEC = {
    **CONFIG,
    **{"dataset": "plain", "depth": 2, "init": "fan_sum_normal", "scale": 1e-2, "learning_rate": 15, "seed": 2021},
    **{"data": {"draw": 0}, "features": 200, "steps": 60, "record_rsm_every": 1},
}
SHARK, PARROT, BONES = (
    {"dataset": name, "data": CONFIG["grids"][name]["data"]} for name in ("shark", "parrot", "bones")
)
ZERO_DEPTH = {"depth": 1, "init": "fan_in_uniform", "scale": 1, "learning_rate": 50}
BLOCKS = {
    "main": [{}, {"seed": 2022}, {"seed": 2023}],
    "shark": [SHARK, {**SHARK, "seed": 2022}],
    "parrot": [PARROT],
    "bones": [BONES],
    "zero_depth": [ZERO_DEPTH, {**ZERO_DEPTH, "seed": 2022}],
    "zero_depth_from_small": [{**ZERO_DEPTH, "init": "fan_sum_normal", "scale": 1e-12}],
    # One of the four settings is missing, one learns nothing, one diverges.
    "sliders": [{"scale": 1e-12}, {"scale": 1}, {"scale": 1, "learning_rate": 1e5}],
    "larger_scale": [{"scale": 1, "learning_rate": 4}],
}
AXES = ("block", "dataset", "depth", "init", "scale", "learning_rate", "seed")
FIGURES = [
    figure
    for module in (of_data, learning, comparison, sliders)
    for name, figure in inspect.getmembers(module, inspect.isfunction)
    if figure.__module__ == module.__name__ and not name.startswith("_") and name != "regression_exercise"
]


def table_of(blocks=BLOCKS, **changes):
    frames = []
    for block, runs in blocks.items():
        for run in runs:
            spec = {**SPEC, **run, **changes, "block": block}
            rows = pd.DataFrame(hierarchy.run(spec).columns())
            frames.append(rows.assign(**{axis: spec[axis] for axis in AXES}))
    table = pd.concat(frames, ignore_index=True)
    return table.astype(dict.fromkeys(["block", "dataset", "init", "metric"], "category"))


def values(table, metric, block="main", seed=2021, **where):
    """Return the values of a metric in a run, in the order of the records."""
    where = {"metric": metric, "block": block, "seed": seed, **where}
    return table.loc[np.logical_and.reduce([table[name] == value for name, value in where.items()]), "value"].to_numpy()


def by_step(table, metric, block="main", **where):
    return values(table, metric, block, **where).reshape(-1, 8, 8)


def lines(axis):
    return [np.asarray(line.get_ydata(), float) for line in axis.lines]


def picture(axis):
    return np.asarray(axis.images[0].get_array())


def words(figure):
    return [text.get_text() for axis in figure.axes for text in axis.texts]


def legend_of(figure):
    """Return the last line of the legend's title, after the notes, and its labels."""
    legend = figure.legends[0]
    return [legend.get_title().get_text().split("\n")[-1], *(text.get_text() for text in legend.get_texts())]
