import re
from importlib import import_module
from itertools import combinations
from typing import get_args

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from conftest import ROOT
from deepnets import looks

TABLES = (looks.ACTIVATIONS, looks.RULES, looks.INITS, looks.NORMS, looks.LAYERS)


def test_the_table_has_every_init_that_figures_distinguish():
    for experiment in ("learning_time", "zero_init", "spectra", "largest_rate", "mnist_modes"):
        limits = import_module(f"deepnets.experiments.{experiment}.limits").LIMITS
        assert {*get_args(limits["init"])} <= {*looks.INITS}


def test_no_two_values_look_the_same():
    widths = {width: looks.of_width("gaussian", width, 256) for width in (64, 128, 256, 512, 1024)}
    assert widths[256].color == looks.INITS["gaussian"].color.lower()
    for table in (*TABLES, widths, {depth: looks.of_depth(depth) for depth in range(1, 8)}):
        assert len({(look.color, look.marker) for look in table.values()}) == len(table)
    assert len({*map(str, looks.ARCHITECTURES.values())}) == len(looks.ARCHITECTURES)


def shown_in_dark(colour):
    """Return a colour as the page shows it in dark mode; the filters are those of Filter Effects Module, 1."""
    page = (ROOT / "workflow/reproduce/page/templates/page.css").read_text(encoding="utf-8")
    inverted, brighter = map(
        float, re.search(r"invert\((.*)\) hue-rotate\(180deg\) brightness\((.*)\);", page).groups()
    )
    turn = 2 * np.array([0.213, 0.715, 0.072]) - np.eye(3)
    turned = np.clip(turn @ (inverted + (1 - 2 * inverted) * np.array(to_rgb(colour))), 0, 1)
    return np.clip(brighter * turned, 0, 1)


@pytest.mark.usefixtures("off_screen")
def test_colours_of_lines_are_visible_in_dark_mode():
    def luminance(colour):
        # WCAG 2.2.
        return ((shown_in_dark(colour) + 0.055) / 1.055) ** 2.4 @ [0.2126, 0.7152, 0.0722] + 0.05

    # WCAG asks for 3, and lines here are thin. All colours but the last, yellow, which no figure uses.
    colours = plt.rcParams["axes.prop_cycle"].by_key()["color"][:-1]
    depths = [looks.of_depth(depth).color for depth in range(1, 8)]
    assert min(luminance(colour) / luminance("white") for colour in colours + depths) >= 4
    assert min(np.linalg.norm(shown_in_dark(a) - shown_in_dark(b)) for a, b in combinations(depths, 2)) > 0.2
