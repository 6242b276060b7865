rule archive:
    "All results and their records in one file, made on request."
    input:
        jobs.every_result,
    output:
        "results/archive.tar.gz",
    log:
        "results/logs/archive.log",
    conda:
        "../envs/deepnets.yaml"
    message:
        "Packing all results with their records."
    # The order, times and owners of files are fixed: the same results give the same bytes. The list of 1,400 files is
    # too long for a command line. The archive is created first: tar stops if a folder changes while it is read.
    shell:
        "(touch {output:q} && tar --sort=name --mtime=@315619200 --owner=0 --group=0 --numeric-owner --create --exclude={output:q} "
        "--exclude=results/logs --exclude=results/benchmarks --exclude='.*' results | gzip --no-name > {output:q}) 2> {log:q}"
