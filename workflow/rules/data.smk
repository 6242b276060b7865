# This rule also prints on the screen, such as the progress of a download.
rule data:
    "A data set."
    input:
        data=jobs.inputs(DATASET),
        # The param `inputs` contains digests of these files of the data set's folder.
        files=local(ancient(jobs.sources(DATASET))),
    output:
        "results/data/{dataset}.npz",
    log:
        "results/logs/data/{dataset}.log",
    benchmark:
        "results/benchmarks/data/{dataset}.tsv"
    # High priority: the runs that take long need data sets.
    priority: 2
    conda:
        "../envs/deepnets.yaml"
    resources:
        mem_mb=jobs.megabytes,
        runtime=jobs.minutes,
    params:
        spec=jobs.spec(DATASET),
        code=jobs.code(DATASET),
        inputs=jobs.digests(DATASET),
        command=jobs.command("data", DATASET),
    message:
        "Making the data set {wildcards.dataset}."
    shell:
        "{params.command} 2>&1 | tee {log:q}"
