"""Program: join all runs of one experiment in one tidy table."""

import hashlib
from pathlib import Path

import numpy as np
import pyarrow as pa

from reproduce.config.grids import Point, points_of
from reproduce.errors import UserError
from reproduce.jobs.job import Job
from reproduce.records.files import digest_of, replacing
from reproduce.records.record import merge_reduced
from reproduce.records.tables import (
    AXIS_TYPES,
    RUN_COLUMNS,
    add_metadata,
    metadata_of,
    open_table,
    read_content,
    read_run,
)

# Write a piece of the table after this number of rows, because the whole table may not fit into memory. The pieces
# depend only on the runs.
_ROWS = 2**20


def main(job: Job, runs: list[Path], output: Path) -> None:
    """Write one table of all runs, with axes as columns.

    runs: one file for each point of the spec's grids, sorted by the axes
    spec: the experiment, its grids, and the types of its axes
    """
    spec = job.spec
    points = points_of(spec["experiment"], spec["grids"])
    # `experiment` is not an axis of the config, which gives it no type: use text.
    axes = [pa.field(axis, AXIS_TYPES[spec["types"].get(axis, "string")], nullable=False) for axis in points[0].axes]
    digests: dict[Path, str] = {}
    found: set[str] = set()
    piece: list[tuple[Point, pa.Table]] = []
    rows = 0
    with replacing(output) as unfinished:
        with open_table(unfinished, pa.schema([*axes, *RUN_COLUMNS])) as table:
            for point, path in zip(points, runs, strict=True):
                content = read_content(path)
                run = read_run(path, content)
                if (spec := metadata_of(run)["spec"]) != point.spec:
                    raise UserError(
                        f"{point.path} contains a run with another spec: {spec} instead of {point.spec}; "
                        f"rebuild it with: snakemake --cores 1 --force {point.path}"
                    )
                digests[path] = hashlib.sha256(content).hexdigest()
                found.add(metadata_of(run)["reduced"])
                piece.append((point, run))
                rows += len(run)
                if rows >= _ROWS or len(digests) == len(runs):
                    table.write_table(_join_runs(piece, axes))
                    piece, rows = [], 0
            reduced = merge_reduced(sorted(found))
            add_metadata(table, job.spec_text, reduced)
        job.write_record({output: unfinished}, {"runs": digest_of(runs, digests.__getitem__)}, reduced)


def _join_runs(piece: list[tuple[Point, pa.Table]], axes: list[pa.Field]) -> pa.Table:
    """Return one table of several runs, with the axes of their points as first columns."""
    rows = pa.concat_tables(run for _, run in piece).unify_dictionaries().combine_chunks()
    places = np.repeat(np.arange(len(piece)), [len(run) for _, run in piece])
    values = [pa.array([point.axes[axis.name] for point, _ in piece], axis.type).take(places) for axis in axes]
    return pa.table([*values, *rows.columns], pa.schema([*axes, *RUN_COLUMNS]))
