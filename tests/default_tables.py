"""The default config's tables, thinned to what claims read, and the claims of all documents judged by them."""

import io
import json
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from types import MappingProxyType

import numpy as np

from conftest import plan_of_default
from entries import LEDGERS
from reproduce.claims.claim import Claim
from reproduce.claims.judging import row_of
from reproduce.claims.measures import Tables
from reproduce.jobs.frames import to_table
from reproduce.records.paths import LEDGER
from reproduce.records.tables import read_table
from reproduce.tables.axes import axes_of
from reproduce.tables.table import Table
from reproduce.tables.words import Sizes

FOLDER = Path(__file__).parent / "deepnets/documents/default_tables"
# Set the variable to the path of a copy of results/tables to try claims that read other rows.
_TABLES = Path(os.environ.get("DEFAULT_TABLES", FOLDER))


@cache
def claims_of(document: str) -> list[Claim]:
    return [each for each in LEDGERS[document]() if isinstance(each, Claim)]


@cache
def default_tables() -> Tables:
    return {path.stem: to_table(read_table(path)) for path in sorted(_TABLES.glob("*.parquet"))}


def judge(
    claims: Iterable[Claim], tables: Tables, sizes: Sizes = MappingProxyType({})
) -> Iterator[Mapping[str, object]]:
    """Yield the row of each claim in its ledger, as judged from full data sets."""
    for each in claims:
        # As for diverged runs, logarithms, quotients and means of noise may not be finite.
        # `row_of` prints why a claim cannot be judged, which is expected of noise and of fewer rows.
        with np.errstate(all="ignore"), warnings.catch_warnings(), redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore", RuntimeWarning)
            row = row_of(each, tables, sizes=sizes)
        yield row


@cache
def judged(document: str) -> dict[str, Mapping[str, object]]:
    sizes = json.loads(plan_of_default().results[LEDGER.format(document=document)].spec).get("sizes", {})
    return {row.claim: row for row in judge(claims_of(document), default_tables(), sizes)}


def noise(tables: Tables, seed: int) -> Tables:
    """Return the tables with noise instead of every value: random sign, magnitude from 10⁻⁶ to 10⁶.

    If training ends at a target, the last step of each run is a result, so noise is added to it, too.
    """
    generator = np.random.default_rng(seed)
    noisy = {}
    for name, table in tables.items():
        frame = table.frame
        signs, magnitudes = generator.choice([-1, 1], len(frame)), generator.uniform(-6, 6, len(frame))
        drawn = frame.assign(value=signs * 10**magnitudes)
        if any("max_steps" in grid["settings"] for grid in table.grids):
            runs = frame.groupby(axes_of(frame), observed=True, sort=False)
            added = (10 ** generator.uniform(0, 6, runs.ngroups)).astype(int)[runs.ngroup()]
            drawn["step"] += np.where(frame["step"] == runs["step"].transform("max"), added, 0)
        noisy[name] = Table(drawn, table.grids)
    return noisy
