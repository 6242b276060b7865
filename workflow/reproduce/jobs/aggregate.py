"""Program: join all runs of one experiment in one tidy table."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from reproduce.config.grids import points_of
from reproduce.config.points import Point
from reproduce.errors import UserError
from reproduce.records.atomic import replacing
from reproduce.records.job import Job
from reproduce.records.provenance import digest_of, merge_reduced
from reproduce.records.tables import (
    AXIS_TYPES,
    RUN_COLUMNS,
    TableWriter,
    metadata_of,
    read_content,
    read_run,
    table_digest,
)

# Write a piece of the table after this number of rows or runs, because the whole table may not fit into memory. The
# pieces depend only on the runs. A run takes about 15 KB in addition to its rows.
_ROWS, _RUNS = 2**20, 10_000


def main(job: Job, runs: list[Path], output: Path) -> None:
    """Write one table of all runs, with axes as columns.

    runs: one file for each point of the spec's grids, sorted by the axes
    spec: the experiment, its grids, the types of its axes, and the code that its runs must have
    """
    spec = job.spec
    points = points_of(spec["experiment"], spec["grids"])
    # `experiment` is not an axis of the config, which gives it no type: use text.
    axes = [pa.field(axis, AXIS_TYPES[spec["types"].get(axis, "string")], nullable=False) for axis in points[0].axes]
    reader = _Runs(spec["code"])
    with replacing(output) as unfinished, TableWriter(unfinished, pa.schema([*axes, *RUN_COLUMNS])) as writer:
        for piece in _read_pieces(zip(points, runs, strict=True), reader):
            writer.write(_join_runs(piece, axes))
        inputs = {"runs": digest_of(runs, reader.digests.__getitem__)}
        writer.close(job.provenance(inputs, merge_reduced(sorted(reader.reduced))))


class _Runs:
    """A reader of runs, which checks each run and collects what the table records about all runs.

    digests: path → content digest of the run; reduced: what the runs record of it.
    """

    def __init__(self, code: str) -> None:
        self._code = code
        self._first: tuple[str, str] | None = None
        self.digests: dict[Path, str] = {}
        self.reduced: set[str] = set()

    def read(self, point: Point, path: Path) -> pa.Table:
        """Return a point's run.

        raises: UserError if its spec or code differs from what the table needs, or its inputs from those of the
            first run: a data set may have changed between two runs.
        """
        content = read_content(path)
        run = read_run(path, content)
        metadata = metadata_of(run)
        for name, wanted in {"spec": point.spec, "code": self._code}.items():
            if metadata[name] != wanted:
                raise UserError(
                    f"{point.path} contains a run with another {name}: {metadata[name]} instead of {wanted}; "
                    f"rebuild it with: snakemake --cores 1 --force {point.path}"
                )
        first, inputs = self._first = self._first or (point.path, metadata["inputs"])
        if metadata["inputs"] != inputs:
            raise UserError(
                f"{first} and {point.path} read different data: {inputs} and {metadata['inputs']}; "
                "start snakemake again: it repeats the runs whose data have changed since"
            )
        self.digests[path] = table_digest(path, content)
        self.reduced.add(metadata["reduced"])
        return run


def _read_pieces(files: Iterable[tuple[Point, Path]], reader: _Runs) -> Iterator[list[tuple[Point, pa.Table]]]:
    """Yield lists of points with their runs, each small enough for memory."""
    piece, rows = [], 0
    for point, path in files:
        run = reader.read(point, path)
        piece.append((point, run))
        rows += len(run)
        if rows >= _ROWS or len(piece) >= _RUNS:
            yield piece
            piece, rows = [], 0
    if piece:
        yield piece


def _join_runs(piece: list[tuple[Point, pa.Table]], axes: list[pa.Field]) -> pa.Table:
    """Return one table of several runs, with the axes of their points as first columns."""
    rows = pa.concat_tables(run for _, run in piece).unify_dictionaries().combine_chunks()
    places = np.repeat(np.arange(len(piece)), [len(run) for _, run in piece])
    values = [pa.array([point.axes[axis.name] for point, _ in piece], axis.type).take(places) for axis in axes]
    return pa.table([*values, *rows.columns], pa.schema([*axes, *RUN_COLUMNS]))
