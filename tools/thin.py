"""Drop rows that no claim reads from the default config's tables (tools/record.py).

Rows are dropped if no claim's row in its ledger changes, neither with the measured values nor with noise instead of
them. Noise reveals that a claim reads a row even if its measured value makes no difference. If the rows that were kept
before still suffice, only new runs are searched.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from default_tables import FOLDER, claims_of, judge, noise
from entries import LEDGERS, TABLES
from reproduce.claims.claim import Claim
from reproduce.jobs.frames import to_table
from reproduce.records.tables import metadata_of, read_table
from reproduce.tables.axes import axes_of

# At most this many rows, or this part of those that are left, are kept or dropped together.
_FEW, _PART = 2000, 0.01
_ROW = ("metric", "step", "index")


def _keys(rows: pd.DataFrame, columns: list[str]) -> pd.MultiIndex:
    return pd.MultiIndex.from_frame(rows[columns].astype(str))


class Thinning:
    """The rows of one experiment's table that are kept, and the claims that read it."""

    def __init__(self, experiment: str, rows: dict[str, pa.Table]) -> None:
        tables = {name: to_table(each) for name, each in rows.items()}
        self.experiment = experiment
        # Noise is first: it nearly always changes a claim that reads the row, so the second check is rarely needed.
        self.versions = [noise(tables, seed=0), tables]
        self.table = tables[experiment].frame
        self.kept = np.ones(len(self.table), dtype=bool)
        # The first row of every run is kept, so that claims find all runs.
        self.first = ~self.table[axes_of(self.table)].duplicated().to_numpy()
        claims = [each for document in LEDGERS if experiment in TABLES[document] for each in claims_of(document)]
        judged = [list(self._judged(claims, version)) for version in self.versions]
        self.whole = {id(each): rows for each, *rows in zip(claims, *judged, strict=True)}
        self.claims = self._readers(claims, np.arange(len(self.table)))

    def thin(self, before: pd.DataFrame | None) -> np.ndarray:
        """Return which rows are kept, (rows,). before: the rows that were kept of an earlier table."""
        if before is not None:
            axes = [axis for axis in axes_of(self.table) if axis in before]
            old = _keys(self.table, axes).isin(_keys(before, axes))
            others = np.flatnonzero(old & ~_keys(self.table, rows := [*axes, *_ROW]).isin(_keys(before, rows)))
            if next(self._changed(self.claims, others), None) is None:
                self._drop(others)
                if old.all():
                    return self.kept
        metrics = self.table["metric"].astype(str).to_numpy()
        readers = {}
        for metric, _ in self.table["metric"].value_counts().items():
            rows = np.flatnonzero(metrics == metric)
            readers[metric] = self._readers(self.claims, rows)
            if not readers[metric]:
                self._drop(rows)
        settings = axes_of(self.table, "seed")
        middle = self._middle()
        orders = [*settings, "index", "step"], ["step", *settings, "index"]
        # Twice, since fewer rows are left then, and parts are smaller.
        for order in orders * 2:
            # The rows that claims read are adjacent in one of these orders, or at the ends of runs.
            ordered = self.table.sort_values(order, kind="stable").index.to_numpy()
            for metric, claims in readers.items():
                for part in (middle, ~middle):
                    rows = ordered[((metrics == metric) & self.kept & part)[ordered]]
                    self._thin(claims, rows, max(_FEW, int(_PART * np.count_nonzero(self.kept))))
        return self.kept

    def _middle(self) -> np.ndarray:
        """Return which rows are between the first and the last step at which a run recorded a metric, (rows,)."""
        steps = self.table.groupby([*axes_of(self.table), "metric"], observed=True)["step"]
        return (
            (self.table["step"] > steps.transform("min")) & (self.table["step"] < steps.transform("max"))
        ).to_numpy()

    def _thin(self, claims: list[Claim], rows: np.ndarray, few: int) -> None:
        """Drop those of the given rows that none of the claims reads, in parts of a few rows."""
        reader = next(self._changed(claims, rows), None)
        if not reader:
            self._drop(rows)
            return
        # The same claim probably reads the next rows: check it first.
        claims.remove(reader)
        claims.insert(0, reader)
        if len(rows) > few:
            for half in np.array_split(rows, 2):
                self._thin(claims, half, few)

    def _drop(self, rows: np.ndarray) -> None:
        self.kept[rows] = self.first[rows]

    def _readers(self, claims: list[Claim], rows: np.ndarray) -> list[Claim]:
        changed = {id(each) for each in self._changed(claims, rows)}
        return [each for each in claims if id(each) in changed]

    def _changed(self, claims: list[Claim], rows: np.ndarray):
        """Yield the claims whose row in the ledger changes without these rows."""
        kept = self.kept.copy()
        kept[rows] = self.first[rows]
        if not (kept == self.kept).all():
            for version, tables in enumerate(self.versions):
                fewer = {**tables, self.experiment: tables[self.experiment].pipe(lambda rows: rows[kept])}
                for each, row in zip(claims, self._judged(claims, fewer), strict=True):
                    if row != self.whole[id(each)][version]:
                        yield each

    def _judged(self, claims, tables):
        # As text, in which NaN equals itself.
        return (str(row) for row in judge(claims, tables))


def thin(experiment: str, folder: Path) -> str:
    """Write an experiment's thinned table into the tests' folder; return which part of it is left."""
    tables = {path.stem: read_table(path) for path in sorted(folder.glob("[!.]*.parquet"))}
    whole = tables[experiment]
    path = FOLDER / f"{experiment}.parquet"
    before = read_table(path).to_pandas() if path.exists() else None
    table = whole.filter(pa.array(Thinning(experiment, tables).thin(before))).combine_chunks()
    FOLDER.mkdir(exist_ok=True)
    options = {"compression": "zstd", "compression_level": 19}
    # Files are a quarter smaller if the bytes of floats are sorted by position.
    options["use_dictionary"] = [name for name in table.column_names if name != "value"]
    options["column_encoding"] = {"value": "BYTE_STREAM_SPLIT"}
    with pq.ParquetWriter(path, table.schema, **options) as writer:
        writer.add_key_value_metadata(metadata_of(whole))
        writer.write_table(table)
    return f"{experiment}: {len(table)} of {len(whole)} rows, {path.stat().st_size} bytes"
