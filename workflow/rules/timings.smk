use rule job as timings with:
    input:
        jobs.every_result,
    output:
        parquet="results/timings.parquet",
        markdown="results/timings.md",
    log:
        "results/logs/timings.log",
    params:
        **jobs.params("timings", TIMINGS),
    message:
        "Gathering what the jobs cost."
