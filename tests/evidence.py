"""Tables of a few runs with values that the test states."""

from dataclasses import replace

import numpy as np
import pandas as pd

from entries import entries_of
from reproduce.claims.claim import Claim
from reproduce.claims.judging import row_of
from reproduce.claims.measures import final
from reproduce.records.files import sha256_of
from reproduce.records.ledgers import write_ledger as write_rows
from reproduce.records.paths import LEDGER
from reproduce.records.record import Record, record_of, write_record
from reproduce.tables.selection import Selection
from reproduce.tables.table import Table


class Claims(dict):
    """The claims of a document by name. room: the document's folder."""

    def __init__(self, room):
        super().__init__({each.name: each for each in entries_of(room) if isinstance(each, Claim)})

    def measured(self, name, found):
        return self[name].measure(found)

    def verdict(self, name, found):
        """Return the verdict on a claim for results of the full data sets."""
        return row_of(self[name], found).verdict


def rows(metric, values, *, step=0, index=None, **axes):
    """Return the rows that one run records of a metric at a step. index: 0, 1, … if omitted."""
    values = np.atleast_1d(values).astype(float)
    index = np.arange(len(values)) if index is None else index
    return pd.DataFrame({**axes, "step": step, "metric": metric, "index": index, "value": values})


def curve(values, index=0):
    """Return {(step, index): value} of one index, at steps 0, 1, …"""
    return {(step, index): float(value) for step, value in enumerate(values)}


def cells(values, step=0):
    """Return {(step, index): value} of one step, from an array of any shape."""
    return {(step, index): float(value) for index, value in enumerate(np.ravel(values))}


def table(runs):
    """Return a tidy table of runs, each given as ({axis: value}, {metric: {(step, index): value}})."""
    usual = {"experiment": "toy", "depth": 1, "init": "none"}
    rows = [
        {**usual, **axes, "step": step, "metric": metric, "index": index, "value": value}
        for axes, metrics in runs
        for metric, values in metrics.items()
        for (step, index), value in values.items()
    ]
    return pd.DataFrame(rows)


def evidence(runs, *grids):
    """Return tables with an experiment `toy`. grids: (axes, settings) of each; by default one with all runs."""
    frame = table(runs)
    names = [column for column in frame.columns if column not in ("experiment", "step", "metric", "index", "value")]
    every = {name: sorted(frame[name].unique().tolist()) for name in names}
    held = [{"axes": {**every, **axes}, "settings": settings} for axes, settings in grids or [({}, {})]]
    return {"toy": Table(frame, held)}


def of_one_grid(experiment, frame, axes, settings):
    """Return tables with an experiment whose runs (a frame) are all of one grid. axes: their names."""
    held = {name: sorted(set(frame[name])) for name in axes}
    return {experiment: Table(frame, [{"axes": held, "settings": settings}])}


def write_ledger(folder, document, entries, loss=10.0, tables=(), reduced=""):
    """Write the ledger of a document below a folder; its entries are judged from one run of `toy` with this loss.

    tables: the tables that its record names; reduced: as in `Record`.
    """
    found = evidence([({"seed": 0}, {"loss": {(0, 0): loss}})])
    rows = [row_of(each, found) if isinstance(each, Claim) else each for each in entries]
    path = folder / LEDGER.format(document=document)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_rows(path, [replace(row, document=document) for row in rows], "{}", "")
    outputs, inputs = {path.name: sha256_of(path)}, dict.fromkeys(tables, "")
    write_record(record_of(path), Record("{}", inputs=inputs, outputs=outputs, reduced=reduced))
    return path


def loss_claim(name, criterion, **words):
    """Return a claim on the loss of runs of `toy` that draw nothing."""
    fixed = {**dict.fromkeys(("place", "because"), ""), "statement": "It is.", "kind": "number", "no_draws": True}
    return Claim(name=name, criterion=criterion, measure=final(Selection("toy"), "loss"), **fixed | words)
