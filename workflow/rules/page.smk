rule page:
    input:
        figures=inputs_of(PAGE, "figures"),
        charts=inputs_of(PAGE, "charts"),
        ledgers=inputs_of(PAGE, "ledgers"),
        tables=inputs_of(PAGE, "tables"),
        # Their content counts, as a param: a new time stamp changes no page.
        templates=ancient(TEMPLATES),
    output:
        PAGE,
    log:
        "results/logs/page.log",
    benchmark:
        "results/benchmarks/page.tsv"
    conda:
        "../../envs/deepnets.yaml"
    params:
        spec=spec_of(PAGE),
        argument=argument_of(spec_of(PAGE)),
        code=code_of(PAGE),
        inputs=inputs_param_of(PAGE),
    message:
        "Making the page of all figures and claims."
    shell:
        "python -E -s -X utf8 -m workflow.deepnets.jobs page --spec {params.argument:q} --code {params.code:q}"
        " --figures {input.figures:q} --charts {input.charts:q} --ledgers {input.ledgers:q} --tables {input.tables:q}"
        " --templates {input.templates:q} --output {output:q} 2> {log:q}"
