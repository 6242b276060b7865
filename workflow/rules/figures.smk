rule figure:
    input:
        tables=figure_tables,
        style="workflow/styles/column.mplstyle",
    output:
        pdf="results/figures/{document}/{figure}.pdf",
        png=report(
            "results/figures/{document}/{figure}.png",
            caption="../report/figure.rst",
            category="{document}",
            labels={"figure": "{figure}"},
        ),
    log:
        "results/logs/figure/{document}/{figure}.log",
    benchmark:
        "results/benchmarks/figure/{document}/{figure}.tsv"
    conda:
        "../../envs/deepnets.yaml"
    params:
        spec=figure_spec,
        code=figure_code,
    message:
        "Drawing {wildcards.figure} of {wildcards.document}."
    shell:
        "python -m workflow.deepnets.render --spec {params.spec:q} --code {params.code:q}"
        " --style {input.style:q} --tables {input.tables:q} --outputs {output:q} 2> {log:q}"
