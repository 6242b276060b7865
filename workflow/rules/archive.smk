use rule job as archive with:
    "All results in one file, made on request."
    input:
        results=jobs.every_result,
    output:
        "results/archive.tar.gz",
    log:
        "results/logs/archive.log",
    benchmark:
        "results/benchmarks/archive.tsv"
    params:
        spec=jobs.spec(ARCHIVE),
        code=jobs.code(ARCHIVE),
        inputs=jobs.digests(ARCHIVE),
        command=jobs.command("archive", ARCHIVE),
    message:
        "Packing all results, with a description of each."
