"""The net that the page trains, trained again by `networks.linear` from the setting in words."""

import random

import numpy as np

from deepnets.documents.synthesis.charts import small_net
from deepnets.networks import linear
from deepnets.theory.deep_mode import optimal_rate
from drawn_tables import table_of

CHART = small_net(table_of("mnist_modes", "whole")).to_dict()
NET = CHART["usermeta"]["program"]["small_net"]
VALUES, STEPS = NET["values"], NET["values"]["updates"]
CONTROLS = CHART["usermeta"]["controls"]
FIRST = {control["name"]: control["value"] for control in CONTROLS}


def places(**setting):
    """Return the places of the controls at a setting; those that it does not name are where they start."""
    return FIRST | {name: VALUES[name].index(each) if name in VALUES else each for name, each in setting.items()}


def shown(reader, settings):
    """Yield what the page computes at these places, one script each: a script has a minute."""
    if reader.browser.current_url == "about:blank" or not reader.browser.execute_script("return !!window.chart"):
        reader.open(CHART)
    reader.browser.execute_script("window.net = chartPrograms.small_net(arguments[0])", NET)
    for each in settings:
        yield reader.browser.execute_script("return net.show(arguments[0])", each)


def setting_of(places):
    return {name: VALUES[name][place] if name in VALUES else place for name, place in places.items()}


def clean_target(setting):
    place, listed = setting["target"], NET["targets"]
    if place < len(listed):
        return np.reshape(listed[place]["matrix"], (8, 8))
    target = np.zeros((8, 8))
    if place == len(listed):
        target[tuple(np.array([[*map(int, cell)] for cell in setting["cells"].split()]).T - 1)] = 1
    else:
        values = setting["spectrum"].split(", ")
        np.fill_diagonal(target[: len(values)], [*map(float, values)])
    return target


def noisy_target(setting):
    clean = clean_target(setting)
    return clean + setting["noise"] * np.linalg.norm(clean) * np.reshape(NET["matrices"]["noise"][0], (8, 8))


def start_of(setting):
    """Return the initial layers as the setting describes them, independently of the page."""
    depth, size = setting["depth"], setting["size"]
    imbalance = setting["imbalance"] if depth > 1 else 0
    # By bisection: the product of the layers' strengths is the initial size.
    low, high = 0.0, 1.1
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if middle ** (depth - 1) * np.hypot(middle, imbalance**0.5) < size else (low, middle)
    factors = [low] * (depth - 1) + [np.hypot(low, imbalance**0.5)]
    if setting["start"] != "aligned":
        return [
            factor * np.reshape(each, (8, 8))
            for factor, each in zip(factors, NET["matrices"][setting["start"]], strict=False)
        ]
    left, values, right = np.linalg.svd(noisy_target(setting))
    kept = values > 1e-9 * values[0]
    turns = [np.reshape(each, (8, 8)) for each in NET["matrices"]["orthogonal"]]
    before = [left[:, kept] @ np.eye(8)[kept], *(turn.T for turn in turns[: depth - 1])]
    after = [*turns[: depth - 1], np.eye(8)[:, kept] @ right[kept]]
    return [factor * one @ other for factor, one, other in zip(factors, before, after, strict=True)]


def descend(setting, last):
    """Yield the layers after 0 to `last` updates."""
    weights, target = start_of(setting), noisy_target(setting)
    for _ in range(last + 1):
        yield weights
        weights = linear.gradient_step(
            weights, linear.covariance_gradients(weights, np.eye(8), target), setting["rate"]
        )


def modes_of(target):
    """Return the distinct singular values, and the matrix of each whose product with another is its strength."""
    left, values, right = np.linalg.svd(target)
    starts = np.flatnonzero(np.append(True, np.diff(values) < -1e-9 * values[0]) & (values > 1e-9 * values[0]))
    ends = [*starts[1:], np.sum(values > 1e-9 * values[0])]
    return values[starts], [left[:, a:b] @ right[a:b] / (b - a) for a, b in zip(starts, ends, strict=True)]


def amplifies_rounding(setting):
    """Return whether the net may overshoot, at its start or its goal: then rounding grows with each update."""

    def norm(layers):
        return np.linalg.norm(linear.product([np.eye(8), *layers]), 2)

    layers, depth = start_of(setting), setting["depth"]
    first = sum((norm(layers[:at]) * norm(layers[at + 1 :])) ** 2 for at in range(depth))
    largest = optimal_rate(max(norm([noisy_target(setting)]), norm(layers), 1), depth)
    return setting["rate"] * max(first, 1.9 / largest * (1 + setting["imbalance"])) > 0.95


def random_setting(draw):
    """Return random places of all controls."""
    cells = draw.sample([f"{row}{column}" for row in range(1, 9) for column in range(1, 9)], draw.randint(1, 12))
    spectrum = [f"{draw.uniform(0.05, 3):.3g}" for _ in range(draw.randint(1, 8))]
    chosen = {name: draw.randrange(len(each)) for name, each in VALUES.items()} | {"target": draw.randrange(5)}
    return chosen | {"cells": " ".join(cells), "spectrum": ", ".join(spectrum)}


def random_places(count, seed):
    """Return random places of all controls at which rounding does not grow."""
    draw, found = random.Random(seed), []
    while len(found) < count:
        chosen = random_setting(draw)
        if not amplifies_rounding(setting_of(chosen)):
            found.append(chosen)
    return found
