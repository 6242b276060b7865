use rule job as train with:
    "The measurements of one training run."
    input:
        data=jobs.inputs(RUN),
        # The param `inputs` contains digests of these files of the experiment's folder.
        files=local(ancient(jobs.sources(RUN))),
    output:
        "results/runs/experiment={experiment}/{axes}/run.parquet",
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
        spec=jobs.spec(RUN),
        code=jobs.code(RUN),
        inputs=jobs.digests(RUN),
        command=jobs.command("train", RUN),
    message:
        "Running {wildcards.experiment}: {wildcards.axes}."


use rule job as aggregate with:
    "All runs of an experiment in one table."
    input:
        runs=jobs.inputs(TABLE),
    output:
        "results/tables/{experiment}.parquet",
    log:
        "results/logs/aggregate/{experiment}.log",
    benchmark:
        "results/benchmarks/aggregate/{experiment}.tsv"
    params:
        spec=jobs.spec(TABLE),
        code=jobs.code(TABLE),
        inputs=jobs.digests(TABLE),
        command=jobs.command("aggregate", TABLE),
    message:
        "Joining the runs of {wildcards.experiment} into one table."
