use rule job as archive with:
    input:
        results=jobs.every_result,
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
    # Without a name, the paths are not on the command line: this job reads the logs and benchmarks of this folder.
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
