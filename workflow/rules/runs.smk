use rule job as train with:
    input:
        data=jobs.inputs(RUN),
    output:
        "results/runs/experiment={experiment}/{axes}/run.parquet",
    log:
        "results/logs/train/experiment={experiment}/{axes}.log",
    benchmark:
        "results/benchmarks/train/experiment={experiment}/{axes}.tsv"
    group:
        jobs.bundle_of_run
    resources:
        gpu=jobs.gpus,
    params:
        **jobs.params("train", RUN),
    message:
        "Running {wildcards.experiment}: {wildcards.axes}."
