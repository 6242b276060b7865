"""Program: join the runs of one experiment into one tidy table."""

from pathlib import Path

import pyarrow as pa

from workflow.deepnets.config.grids import points_of
from workflow.deepnets.config.points import Point
from workflow.deepnets.data.mnist import merged_mnist
from workflow.deepnets.errors import UserError
from workflow.deepnets.jobs._job import Job
from workflow.deepnets.records.atomic import replacing
from workflow.deepnets.records.provenance import unchanged
from workflow.deepnets.records.tables import AXIS_TYPES, metadata_of, read_run, write_table


def main(job: Job, output: Path) -> None:
    """Read every run that the spec's grids span and write them, axes as columns, in the order of the axes.

    The spec holds the experiment, its grids, the types of its axes, and the code that its runs must be of.
    """
    spec = job.spec
    points = points_of(spec["experiment"], spec["grids"])
    with replacing(output) as unfinished, unchanged({"runs": [point.path for point in points]}) as inputs:
        runs = [_run_of(point, spec["code"]) for point in points]
        _check_same_data(points, runs)
        table = pa.concat_tables(_with_axes(run, point, spec["types"]) for run, point in zip(runs, points, strict=True))
        mnist = merged_mnist([metadata_of(run)["mnist"] for run in runs])
        write_table(unfinished, table.unify_dictionaries().combine_chunks(), job.provenance(inputs, mnist))


def _run_of(point: Point, code: str) -> pa.Table:
    run = read_run(point.path)
    for name, wanted in {"spec": point.spec, "code": code}.items():
        if (found := metadata_of(run)[name]) != wanted:
            raise UserError(
                f"{point.path} holds the run of another {name}: {found} instead of {wanted}; "
                f"rebuild it with: snakemake --cores 1 --force {point.path}"
            )
    return run


def _check_same_data(points: list[Point], runs: list[pa.Table]) -> None:
    """Raise UserError unless all runs read the same data: MNIST may have changed between them."""
    read = [metadata_of(run)["inputs"] for run in runs]
    for point, inputs in zip(points, read, strict=True):
        if inputs != read[0]:
            raise UserError(
                f"{points[0].path} and {point.path} read different data: {read[0]} and {inputs}; "
                "start snakemake again: it makes again what read other data than there are now"
            )


def _with_axes(run: pa.Table, point: Point, types: dict[str, str]) -> pa.Table:
    """Prepend a point's axes to the rows of its run; `experiment`, which is no axis of the config, is text."""
    for position, (axis, value) in enumerate(point.axes.items()):
        type_ = AXIS_TYPES[types.get(axis, "string")]
        plain = type_.value_type if pa.types.is_dictionary(type_) else type_
        column = pa.repeat(pa.scalar(value, plain), len(run))
        column = column.dictionary_encode() if pa.types.is_dictionary(type_) else column
        run = run.add_column(position, pa.field(axis, type_, nullable=False), column)
    return run
