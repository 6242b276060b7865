"""Answer what Snakemake asks about the job that made a result from the result's own record.

Snakemake would answer itself from .snakemake/metadata. But these files may be missing (the result was copied here, or
its job outlived the workflow) or belong to another file (the result was replaced).
"""

from functools import partial

from reproduce.engine.jobs import Jobs
from reproduce.engine.snakemake_internals import Workflow


def answer_from_records(workflow: Workflow, jobs: Jobs) -> None:
    """Make Snakemake plan a job of ours if a record differs from what the job would record now, and only then.

    About results on a storage, and jobs of rules that a user added, Snakemake itself knows more.
    """
    persistence = workflow.persistence
    answers = {
        "has_metadata": lambda job: True,
        "has_outdated_metadata": lambda job: False,
        "input_changed": lambda job, file=None: (),
        # Snakemake prints it after "Params have changed since last execution".
        "params_changed": lambda job, file=None: jobs.differences([file] if file else job.output),
        # A newer input counts by its content, which `params_changed` compares.
        "input_checksums": lambda job, path: {f"sha256:{jobs.digest(path)}"},
    }

    def choose(name: str, ask_snakemake, job, *arguments, **named):
        return (answers[name] if jobs.has_records(job.output) else ask_snakemake)(job, *arguments, **named)

    for name in answers:
        setattr(persistence, name, partial(choose, name, getattr(persistence, name)))
