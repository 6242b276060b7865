from reproduce.engine.startup import plan_jobs
from reproduce.records.paths import (
    CLAIM_LIST,
    DATASET,
    FIGURE,
    INTERACTIVE,
    LEDGER,
    PAGES,
    RUN,
    TABLE,
)

# `jobs` returns the params of the rules, and the inputs that follow from the config.
jobs = plan_jobs(workflow, config)


wildcard_constraints:
    experiment="[a-z0-9_]+",
    dataset="[a-z0-9_]+",
    document="[a-z0-9-]+",
    figure="[a-z0-9_]+",
    chart="[a-z0-9_]+",
    notebook="[^/]+",
    of="(-[a-z0-9-]+)?",


# Never run: further rules inherit the environment and the command line of this rule. The param `command` turns their
# named inputs and outputs into options (workflow/reproduce/records/command.py). Add only the redirection to the log here.
rule job:
    "No target: all other rules inherit from it."
    log:
        "results/logs/job.log",
    conda:
        "../envs/deepnets.yaml"
    # More at each attempt.
    resources:
        mem_mb=jobs.megabytes,
        runtime=jobs.minutes,
    params:
        command="",
    shell:
        "{params.command} 2> {log:q}"
