"""Program: join all runs of one experiment in one tidy table."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from reproduce.config.grids import points_of
from reproduce.config.points import Point
from reproduce.errors import UserError
from reproduce.jobs.job import Job
from reproduce.records.atomic import replacing
from reproduce.records.digests import digest_of
from reproduce.records.reduced import merge_reduced
from reproduce.records.tables import AXIS_TYPES, RUN_COLUMNS, TableWriter, metadata_of, read_content, read_run

# Write a piece of the table after this number of rows or runs, because the whole table may not fit into memory. The
# pieces depend only on the runs. A run takes about 15 KB in addition to its rows.
_ROWS, _RUNS = 2**20, 10_000


def main(job: Job, runs: list[Path], output: Path) -> None:
    """Write one table of all runs, with axes as columns.

    runs: one file for each point of the spec's grids, sorted by the axes
    spec: the experiment, its grids, and the types of its axes
    """
    spec = job.spec
    points = points_of(spec["experiment"], spec["grids"])
    # `experiment` is not an axis of the config, which gives it no type: use text.
    axes = [pa.field(axis, AXIS_TYPES[spec["types"].get(axis, "string")], nullable=False) for axis in points[0].axes]
    reader = _Runs()
    with replacing(output) as unfinished:
        with TableWriter(unfinished, pa.schema([*axes, *RUN_COLUMNS])) as writer:
            for piece in _read_pieces(zip(points, runs, strict=True), reader):
                writer.write(_join_runs(piece, axes))
            reduced = merge_reduced(sorted(reader.reduced))
            writer.close(job.spec_text, reduced)
        job.write_record({output: unfinished}, {"runs": digest_of(runs, reader.digests.__getitem__)}, reduced)


class _Runs:
    """A reader of runs, which checks each run and collects what the table records about all runs.

    digests: path → SHA-256 of the run; reduced: what the runs record of it.
    """

    def __init__(self) -> None:
        self.digests: dict[Path, str] = {}
        self.reduced: set[str] = set()

    def read(self, point: Point, path: Path) -> pa.Table:
        """Return a point's run.

        raises: UserError if its spec differs from what the table needs
        """
        content = read_content(path)
        run = read_run(path, content)
        metadata = metadata_of(run)
        if metadata["spec"] != point.spec:
            raise UserError(
                f"{point.path} contains a run with another spec: {metadata['spec']} instead of {point.spec}; "
                f"rebuild it with: snakemake --cores 1 --force {point.path}"
            )
        self.digests[path] = hashlib.sha256(content).hexdigest()
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
