rule aggregate:
    input:
        table_runs,
    output:
        "results/tables/{experiment}.parquet",
    log:
        "results/logs/aggregate/{experiment}.log",
    benchmark:
        "results/benchmarks/aggregate/{experiment}.tsv"
    conda:
        "../../envs/deepnets.yaml"
    params:
        spec=table_spec,
        code=plan.program_code("aggregate"),
    message:
        "Joining the runs of {wildcards.experiment} into one table."
    # The program finds its runs from the spec: thousands of paths do not fit on a command line.
    shell:
        "python -m workflow.deepnets.aggregate --spec {params.spec:q} --code {params.code:q}"
        " --output {output:q} 2> {log:q}"
