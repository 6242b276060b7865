rule aggregate:
    input:
        inputs_of(TABLE),
    output:
        TABLE,
    log:
        "results/logs/aggregate/{experiment}.log",
    benchmark:
        "results/benchmarks/aggregate/{experiment}.tsv"
    conda:
        "../../envs/deepnets.yaml"
    params:
        spec=spec_of(TABLE),
        argument=argument_of(spec_of(TABLE)),
        code=code_of(TABLE),
        inputs=inputs_param_of(TABLE),
    message:
        "Joining the runs of {wildcards.experiment} into one table."
    # The program finds its runs from the spec: thousands of paths do not fit on a command line.
    shell:
        "python -E -s -X utf8 -m workflow.deepnets.jobs aggregate --spec {params.argument:q} --code {params.code:q}"
        " --output {output:q} 2> {log:q}"
