"""Tables as figures, charts and claims read them, with the grids of the config whose runs they contain."""

import json
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from reproduce.code.modules import Package
from reproduce.config.experiments import units_of
from reproduce.config.grids import expand_seeds
from reproduce.records.record import merge_reduced
from reproduce.records.tables import metadata_of, read_table
from reproduce.tables.rows import DOCUMENTED, drop_infinite
from reproduce.tables.table import Table

Drawn = TypeVar("Drawn")


@contextmanager
def known_metrics(experiments: Iterable[str]) -> Generator[None]:
    """Make a metric that the docstring of no experiment lists an error in a block, which calls the code of a document.

    The docstrings are read as text: they can stop a job but change no result.
    """
    package = Package()
    for name in experiments:
        DOCUMENTED[name] = {"diverged", *units_of(package, name)}
    try:
        yield
    finally:
        DOCUMENTED.clear()


def read_tables(paths: Iterable[Path]) -> tuple[dict[str, Table], str]:
    """Return the tables of experiments by name, and what is reduced in any of them, in words."""
    read = {path.stem: read_table(path) for path in paths}
    reduced = merge_reduced(metadata_of(rows)["reduced"] for rows in read.values())
    return {name: to_table(rows) for name, rows in read.items()}, reduced


def draw_tables(draw: Callable[..., Drawn], tables: Mapping[str, Table]) -> Drawn:
    """Call a function with tables by the names of its arguments, or with one table, whatever its argument is called."""
    finite = {name: table.pipe(drop_infinite) for name, table in tables.items()}
    return draw(*finite.values()) if len(finite) == 1 else draw(**finite)


def to_table(rows: pa.Table) -> Table:
    """Return the table of an experiment from its file."""
    # To join columns in blocks would copy all of them, which takes 0.2 s for a million rows.
    return Table(rows.to_pandas(split_blocks=True), grids_of_spec(json.loads(metadata_of(rows)["spec"])))


def grids_of_spec(spec: dict) -> list[dict]:
    """Return the grids in the spec of a table, with seeds as a list."""
    return [{**grid, "axes": {**grid["axes"], "seed": expand_seeds(grid["axes"]["seed"])}} for grid in spec["grids"]]
