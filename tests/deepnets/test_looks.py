import inspect
import json
import re
from importlib import import_module

import matplotlib.pyplot as plt
import pytest
from matplotlib.colors import to_hex
from matplotlib.container import Container

from deepnets import looks
from drawn_tables import table_of
from entries import CHARTS, FIGURES
from reproduce.figures.sheet import draw_or_explain

TABLES = (looks.ACTIVATIONS, looks.RULES, looks.INITS, looks.NORMS, looks.LAYERS)
# A label with an init and an activation has the colour of the init.
NAMED = {look.name: look.color for table in TABLES for look in table.values()}
DEPTH = re.compile(r"(?:depth )?(\d+)(?: layers?)?")


def colour_of(label):
    """Return the colour that the table gives to a label, None if no part of it names a depth, an init or a norm."""
    first, *_ = parts = [part.strip() for part in re.split("[,:×]", label)]
    if "layer" in first or "depth" in first:
        return looks.of_depth(int(found[1])).color if (found := DEPTH.fullmatch(first)) else None
    return next((colour for name, colour in reversed(NAMED.items()) if name in parts), None)


@pytest.mark.usefixtures("off_screen")
@pytest.mark.parametrize("name", FIGURES)
def test_a_legend_has_the_colours_of_the_table(name):
    draw = FIGURES[name]
    tables = [table_of(experiment, "whole") for experiment in inspect.signature(draw).parameters]
    figure = draw_or_explain(lambda: draw(*tables))
    found = {}
    for axis in figure.axes:
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
            artist = handle[0] if isinstance(handle, Container) else handle
            colour = artist.get_color() if hasattr(artist, "get_color") else artist.get_facecolor()
            found[label] = to_hex(colour)
    plt.close("all")
    expected = {label: colour.lower() for label in found if (colour := colour_of(label))}
    assert {label: found[label] for label in expected} == expected


def test_lines_of_charts_have_the_colours_of_the_chosen_value():
    colours = {looks.NAMES[value]: colour for value, colour in looks.COLOURS.items()}
    wanted, there = {}, {}
    for name, draw in CHARTS.items():
        chart = draw(*(table_of(experiment, "whole") for experiment in inspect.signature(draw).parameters)).to_dict()
        lists = {each["name"]: each.get("bind", {}).get("labels", [""]) for each in chart.get("params", [])}
        known = {
            place: [colours[label] for label in labels] for place, labels in lists.items() if {*labels} <= {*colours}
        }
        if known:
            wanted[name] = [f"{json.dumps(each)}[{place}]" for place, each in known.items()]
            there[name] = [each for each in wanted[name] if each in str(chart["vconcat"])]
    assert len(wanted) == 3
    assert all(there.values()), wanted


def test_the_table_has_every_init_that_figures_distinguish():
    for experiment in ("learning_time", "zero_init", "spectra", "largest_rate", "mnist_modes"):
        settings = import_module(f"deepnets.experiments.{experiment}.settings")
        axes = next(each for each in vars(settings).values() if "init" in getattr(each, "model_fields", {}))
        one_of, *_ = re.findall(r'"enum": (\[.*?\])', json.dumps(axes.model_json_schema()["properties"]["init"]))
        assert {*json.loads(one_of)} <= {*looks.INITS}


def test_no_two_values_look_the_same():
    widths = {width: looks.of_width("gaussian", width, 256) for width in (64, 128, 256, 512, 1024)}
    assert widths[256].color == looks.INITS["gaussian"].color.lower()
    for table in (*TABLES, widths, {depth: looks.of_depth(depth) for depth in range(1, 8)}):
        assert len({(look.color, look.marker) for look in table.values()}) == len(table)
    assert len({*map(str, looks.ARCHITECTURES.values())}) == len(looks.ARCHITECTURES)
