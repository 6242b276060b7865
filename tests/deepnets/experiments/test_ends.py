"""Each number of each experiment's config at its ends is refused with its path, or its run ends without an error."""

import copy
import json
from collections.abc import Mapping
from functools import reduce
from importlib import import_module
from operator import getitem

import pytest
import yaml

from conftest import ROOT, default_config
from entries import EXPERIMENTS
from reproduce.config.check import resolve, schema
from reproduce.config.grids import grids_of
from reproduce.errors import UserError
from small_tables import data_for

# The plan accepts larger counts, but their runs would take hours.
MOST = 100
# For numbers without a bound.
SMALLEST, LARGEST = 1e-12, 1e300


def merge(below, above):
    both = {key: merge(below[key], above[key]) for key in below.keys() & above.keys() if is_nested(below, above, key)}
    return {**below, **above, **both}


def is_nested(below, above, key):
    return isinstance(below[key], Mapping) and isinstance(above[key], Mapping)


def tiny_config(experiment):
    """Return a config of one grid of an experiment, at the size of tests/tiny.yaml and for MNIST of 20 images."""
    tiny = yaml.safe_load((ROOT / "tests/tiny.yaml").read_text(encoding="utf-8"))
    # The plan does not know how many images the source `auto` gives.
    config = {**merge(default_config(), tiny), "mnist": default_config()["mnist"], "only": [experiment]}
    block = config["experiments"][experiment]
    name = next(name for name, grid in block["grids"].items() if grid is not None)
    block["grids"] = {name: merge(block.pop("defaults", {}), block["grids"][name])}
    return merge(config, {"experiments": {"zero_init": {"batch": 4}}})


def ends_in(value, fragment, path=()):
    """Yield (path, number) for both ends of each number of a block, as its schema allows them."""
    variants = [each for part in (fragment, *fragment.get("oneOf", [])) for each in (part, *part.get("anyOf", []))]
    if isinstance(value, Mapping):
        for key, each in value.items():
            below = (part.get("properties", {}).get(key, part.get("additionalProperties")) for part in variants)
            yield from ends_in(each, next(filter(None, below)), (*path, key))
        return
    for part in variants:
        if part.get("type") in ("integer", "number") and "enum" not in part and value is not None:
            unbounded = part["type"] == "number"
            least = SMALLEST if "exclusiveMinimum" in part else part.get("minimum", -LARGEST if unbounded else None)
            most = part.get("maximum", LARGEST if unbounded else None)
            yield from ((path, end) for end in (least, most) if end is not None)
            return


@pytest.mark.parametrize("experiment", EXPERIMENTS)
@pytest.mark.filterwarnings("ignore")
def test_a_number_at_its_end_is_refused_with_its_path_or_runs(experiment):
    config = tiny_config(experiment)
    run = import_module(f"deepnets.experiments.{experiment}.run").run
    data = data_for(run)
    ends = list(
        ends_in(config["experiments"][experiment], schema()["properties"]["experiments"]["properties"][experiment])
    )
    assert ends
    for path, end in ends:
        edited, key = copy.deepcopy(config), path[-1]
        reduce(getitem, path[:-1], edited["experiments"][experiment])[key] = end
        try:
            grids = grids_of(experiment, resolve(edited)[experiment])
            # More images than the stub has are refused at once.
            if isinstance(end, float) or end <= MOST or key in ("batch", "images"):
                (point, *_) = (point for grid in grids.values() for point in grid.points())
                assert len(run(json.loads(point.spec), *data).columns()["value"])
        except UserError as error:
            # A message on several keys names the one that was changed.
            assert f"experiments.{experiment}" in str(error) and (key in str(error) or f"{end:g}" in str(error)), path
        except Exception as error:
            raise AssertionError(f"{'.'.join(path)}: {end:g}: {type(error).__name__}: {error}") from error
