# This rule also prints on the screen, such as the progress of a download.
rule data:
    "A data set."
    input:
        data=jobs.inputs(DATASET),
    output:
        "results/data/{dataset}.npz",
        record="results/records/data/{dataset}.json",
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
        **jobs.params("data", DATASET),
    message:
        "Making the data set {wildcards.dataset}."
    shell:
        "{params.command} 2>&1 | tee {log:q}"
