use rule job as aggregate with:
    # Without a name, so not on the command line, which cannot hold thousands of paths: the spec gives them.
    input:
        jobs.inputs(TABLE),
    output:
        "results/tables/{experiment}.parquet",
    log:
        "results/logs/aggregate/{experiment}.log",
    benchmark:
        "results/benchmarks/aggregate/{experiment}.tsv"
    params:
        **jobs.params("aggregate", TABLE),
    message:
        "Joining the runs of {wildcards.experiment} into one table."
