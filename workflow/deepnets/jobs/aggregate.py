"""Program: join the runs of one experiment into one tidy table."""

from pathlib import Path

import pyarrow as pa

from workflow.deepnets.config.points import Point, points_of
from workflow.deepnets.data.mnist import merged_mnist
from workflow.deepnets.errors import UserError
from workflow.deepnets.jobs._job import Job
from workflow.deepnets.records.provenance import digest_of
from workflow.deepnets.records.tables import AXIS_TYPES, metadata_of, read_run, write_table


def main(job: Job, output: Path) -> None:
    """Read every run that the spec's grids span and write them, axes as columns, in the order of the axes.

    The spec holds the experiment, its grids and the types of its axes.
    """
    spec = job.spec
    points = points_of(spec["experiment"], spec["grids"])
    runs = [_run_of(point) for point in points]
    table = pa.concat_tables(_with_axes(run, point, spec["types"]) for run, point in zip(runs, points, strict=True))
    inputs = {"runs": digest_of([point.path for point in points])}
    mnist = merged_mnist([metadata_of(run)["mnist"] for run in runs])
    write_table(output, table.unify_dictionaries().combine_chunks(), job.provenance(inputs, mnist))


def _run_of(point: Point) -> pa.Table:
    run = read_run(point.path)
    if metadata_of(run)["spec"] != point.spec:
        raise UserError(
            f"{point.path} holds the run of another spec: {metadata_of(run)['spec']} instead of {point.spec}; "
            f"rebuild it with: snakemake --cores 1 --force {point.path}"
        )
    return run


def _with_axes(run: pa.Table, point: Point, types: dict[str, str]) -> pa.Table:
    """Prepend a point's axes to the rows of its run; `experiment`, which is no axis of the config, is text."""
    for position, (axis, value) in enumerate(point.axes.items()):
        type_ = AXIS_TYPES[types.get(axis, "string")]
        plain = type_.value_type if pa.types.is_dictionary(type_) else type_
        column = pa.repeat(pa.scalar(value, plain), len(run))
        column = column.dictionary_encode() if pa.types.is_dictionary(type_) else column
        run = run.add_column(position, pa.field(axis, type_, nullable=False), column)
    return run
