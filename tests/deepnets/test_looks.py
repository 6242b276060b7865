from importlib import import_module
from typing import get_args

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
