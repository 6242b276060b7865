rule figure:
    input:
        tables=inputs_of(FIGURE),
        # Its content counts, as a param: a comment in it, or a new time stamp, changes no figure.
        style=ancient(STYLE),
    output:
        pdf=FIGURE,
        png=report(
            "results/figures/{document}/{figure}.png",
            caption="../report/figure.rst",
            category="{document}",
            labels={"figure": "{figure}"},
        ),
        svg="results/figures/{document}/{figure}.svg",
    log:
        "results/logs/figure/{document}/{figure}.log",
    benchmark:
        "results/benchmarks/figure/{document}/{figure}.tsv"
    group:
        bundle_of_figure
    conda:
        "../../envs/deepnets.yaml"
    params:
        spec=spec_of(FIGURE),
        code=code_of(FIGURE),
        inputs=inputs_param_of(FIGURE),
    message:
        "Drawing {wildcards.figure} of {wildcards.document}."
    shell:
        "python -E -s -X utf8 -m workflow.deepnets.jobs draw --spec {params.spec:q} --code {params.code:q}"
        " --style {input.style:q} --tables {input.tables:q} --outputs {output:q} 2> {log:q}"
