rule interactive:
    input:
        inputs_of(INTERACTIVE),
    output:
        INTERACTIVE,
    log:
        "results/logs/interactive/{document}/{chart}.log",
    benchmark:
        "results/benchmarks/interactive/{document}/{chart}.tsv"
    group:
        bundle_of_figure
    conda:
        "../../envs/deepnets.yaml"
    params:
        spec=spec_of(INTERACTIVE),
        code=code_of(INTERACTIVE),
        inputs=inputs_param_of(INTERACTIVE),
    message:
        "Drawing {wildcards.chart} of {wildcards.document}, with sliders."
    shell:
        "python -E -s -X utf8 -m workflow.deepnets.jobs interact --spec {params.spec:q} --code {params.code:q}"
        " --tables {input:q} --output {output:q} 2> {log:q}"
