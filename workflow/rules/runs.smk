use rule job as train with:
    "The measurements of one training run."
    input:
        data=jobs.inputs(RUN),
    output:
        "results/runs/experiment={experiment}/{axes}/run.parquet",
        record="results/records/runs/experiment={experiment}/{axes}.json",
    log:
        "results/logs/train/experiment={experiment}/{axes}.log",
    benchmark:
        "results/benchmarks/train/experiment={experiment}/{axes}.tsv"
    priority: jobs.priority
    group:
        jobs.bundle_of_run
    resources:
        **jobs.partition_of_run(),
        gpu=jobs.gpus,
        mem_mb=jobs.megabytes_of_run,
        runtime=jobs.minutes_of_run,
    params:
        **jobs.params("train", RUN),
    message:
        "Running {wildcards.experiment}: {wildcards.axes}."


use rule job as aggregate with:
    "All runs of an experiment in one table."
    input:
        runs=jobs.inputs(TABLE),
    output:
        "results/tables/{experiment}.parquet",
        record="results/records/tables/{experiment}.json",
    log:
        "results/logs/aggregate/{experiment}.log",
    benchmark:
        "results/benchmarks/aggregate/{experiment}.tsv"
    params:
        **jobs.params("aggregate", TABLE),
    message:
        "Joining the runs of {wildcards.experiment} into one table."
