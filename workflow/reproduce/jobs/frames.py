"""Tables as pandas frames, with the grids of the config whose runs they contain."""

import json
from collections.abc import Callable, Mapping
from typing import TypeVar

import pandas as pd
import pyarrow as pa

from reproduce.config.seeds import expand_seeds
from reproduce.records.tables import metadata_of
from reproduce.tables.selection import add_grids

Drawn = TypeVar("Drawn")


def draw_tables(draw: Callable[..., Drawn], tables: Mapping[str, pa.Table]) -> Drawn:
    """Call a function with tables by the names of its arguments, or with one table, whatever its argument is called."""
    frames = {name: to_frame(table) for name, table in tables.items()}
    return draw(*frames.values()) if len(frames) == 1 else draw(**frames)


def to_frame(table: pa.Table) -> pd.DataFrame:
    """Return a table of runs as selections need it."""
    frame, spec = table.to_pandas(), json.loads(metadata_of(table)["spec"])
    return add_grids(frame, grids_of_spec(spec)) if "grids" in spec else frame


def grids_of_spec(spec: dict) -> list[dict]:
    """Return the grids in the spec of a table, with seeds as a list."""
    return [{**grid, "axes": {**grid["axes"], "seed": expand_seeds(grid["axes"]["seed"])}} for grid in spec["grids"]]
