use rule job as archive with:
    # Without names, the paths are not on the command line, which is too short for thousands. The spec contains them.
    input:
        jobs.every_result,
    output:
        "results/archive.tar.gz",
    log:
        "results/logs/archive.log",
    benchmark:
        "results/benchmarks/archive.tsv"
    params:
        **jobs.params("archive", ARCHIVE),
    message:
        "Packing all results, with a description of each."


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
