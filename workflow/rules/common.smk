from snakemake.exceptions import WorkflowError

from workflow.deepnets.atomic import check_writable
from workflow.deepnets.errors import UserError
from workflow.deepnets.plan import Plan

try:
    check_writable("results")
    plan = Plan(config)
    # The report's captions are the docstrings of the figures' functions.
    config["captions"] = {f"{figure.document}/{figure.name}": figure.caption for figure in plan.figures.values()}
except UserError as error:
    raise WorkflowError(str(error)) from None


wildcard_constraints:
    experiment="[a-z0-9_]+",
    document="[a-z0-9-]+",
    figure="[a-z0-9_]+",


def all_tables():
    return [f"results/tables/{experiment}.parquet" for experiment in plan.experiments]


def all_figures():
    return [
        f"results/figures/{document}/{name}.{suffix}" for document, name in plan.figures for suffix in ("pdf", "png")
    ]


def point_of(wildcards):
    path = f"results/runs/experiment={wildcards.experiment}/{wildcards.axes}/run.parquet"
    if path not in plan.points:
        raise WorkflowError(f"{path} is no point of the config; see its grids, or add the point there")
    return plan.points[path]


def run_spec(wildcards):
    return point_of(wildcards).spec


def run_code(wildcards):
    return plan.run_code(wildcards.experiment)


def run_data(wildcards):
    return [f"results/data/{dataset}.npz" for dataset in plan.run_datasets(wildcards.experiment)]


def table_runs(wildcards):
    return plan.run_paths(wildcards.experiment)


def table_spec(wildcards):
    return plan.table_spec(wildcards.experiment)


def figure_tables(wildcards):
    figure = plan.figure(wildcards.document, wildcards.figure)
    return [f"results/tables/{experiment}.parquet" for experiment in figure.tables]


def figure_spec(wildcards):
    return plan.figure(wildcards.document, wildcards.figure).spec


def figure_code(wildcards):
    return plan.figure_code(wildcards.document, wildcards.figure)
