import gc
import json

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger
from snakemake.settings.enums import PersistenceBackend
from snakemake.utils import update_config

from workflow.deepnets.config import environment
from workflow.deepnets.engine import metadata as memory
from workflow.deepnets.config.files import check_keys, of_command_line
from workflow.deepnets.engine.long_specs import argument_for
from workflow.deepnets.records.paths import (
    ARCHIVE,
    CLAIMS,
    FIGURE,
    INTERACTIVE,
    LEDGER,
    MNIST,
    PAGE,
    RUN,
    STYLE,
    TABLE,
    TEMPLATES,
    TIMINGS,
    WHITENED,
    check_place,
)
from workflow.deepnets.config.plan import Plan
from workflow.deepnets.errors import UserError
from workflow.deepnets.records.atomic import check_writable

# Snakemake's jobs stay to the end: to search them, again and again, for what can be freed takes a sixth of a large plan.
gc.set_threshold(50_000, 20, 100)

try:
    check_place(workflow.basedir)
    # Down to the logs and runs of an experiment: further below there are thousands of folders.
    check_writable("results", levels=3)
    check_keys(workflow.configfiles)
    update_config(config, of_command_line(workflow.config_settings.config_args))
    plan = Plan(config)
    results = plan.results
    facts = memory.facts_of_earlier_plans()
    # Jobs on a cluster start Snakemake too: theirs is not to list and compare all results.
    if workflow.is_main_process:
        if workflow.workflow_settings.persistence_backend != PersistenceBackend.FILE:
            raise UserError("--persistence-backend: allowed: file, whose records are compared with what results say")
        # Lists all results, so that what cannot be followed in the code stops the DAG before its first job.
        memory.remind(results, facts)
        # With --software-deployment-method, jobs use other packages than this process.
        for line in environment.warnings(plan, facts) if not workflow.deployment_settings.deployment_method else ():
            logger.warning(line)
        facts.save()
        plan.known_code.save()
        # The report's captions are the docstrings of the figures' functions.
        config["captions"] = {f"{figure.document}/{figure.name}": figure.caption for figure in plan.figures.values()}
except UserError as error:
    raise WorkflowError(str(error)) from None


wildcard_constraints:
    experiment="[a-z0-9_]+",
    document="[a-z0-9-]+",
    figure="[a-z0-9_]+",
    chart="[a-z0-9_]+",


def result_of(path):
    try:
        return results[path]
    except KeyError:
        raise WorkflowError(f"{path} is not part of what config.yaml asks for; add its point there first") from None
    except UserError as error:
        raise WorkflowError(str(error)) from None


# Params come from functions of the wildcards alone: Snakemake does not compare those that also take input or output.
def spec_of(pattern):
    def spec(wildcards):
        return result_of(pattern.format(**wildcards)).spec

    return spec


def code_of(pattern):
    def code(wildcards):
        return result_of(pattern.format(**wildcards)).code

    return code


# What the inputs hold counts, whenever they were written. No program is given this param: each result says itself what
# it read.
def inputs_param_of(pattern):
    def inputs_param(wildcards):
        path = pattern.format(**wildcards)
        return memory.inputs_param(path, result_of(path), facts)

    return inputs_param


def all_inputs_param(_wildcards):
    return memory.all_inputs_param(results, facts)


def inventory(_wildcards):
    return plan.inventory


def contents_of_archive(_wildcards):
    try:
        return plan.archive_spec
    except UserError as error:
        raise WorkflowError(str(error)) from None


# What stands for a spec of any length on the command line. Params that take output are not compared by Snakemake: it
# compares the spec itself.
def argument_of(spec):
    def argument(wildcards, output):
        try:
            return argument_for(spec(wildcards))
        except UserError as error:
            raise WorkflowError(str(error)) from None

    return argument


def inputs_of(pattern, *names):
    def inputs(wildcards):
        read = result_of(pattern.format(**wildcards)).inputs
        return [path for name in names or read for path in read.get(name, ()) if path not in (STYLE, *TEMPLATES)]

    return inputs


def gpus_of(wildcards):
    spec = json.loads(result_of(RUN.format(**wildcards)).spec)
    return int(spec.get("device") == "cuda")


# On a cluster the jobs of a bundle share an allocation, one after another. Which experiments and documents come in
# bundles, and of how many jobs, the profile's group-components says; without it, none do.
def bundled(name):
    return name if name in workflow.group_settings.group_components else None


def bundle_of_run(wildcards):
    bundle = bundled(wildcards.experiment)
    # A GPU must not wait for other points.
    return None if bundle is None or gpus_of(wildcards) else bundle


def bundle_of_figure(wildcards):
    return bundled(wildcards.document)


# There may be many thousands: as a function, they are listed only where they are asked for.
def every_result(_wildcards):
    return list(results)


def final_results(_wildcards):
    # Runs are results of their own: one that is deleted is made again. Data sets are not: they are large, and only
    # fetched again for a run that needs them. Nor are runs in a part of a sweep (--batch aggregate=1/10): their table
    # asks for those of that part alone.
    of_others = ("results/data/",) if workflow.dag_settings.batch is None else ("results/data/", "results/runs/")
    return [path for path in results if not path.startswith(of_others)]
