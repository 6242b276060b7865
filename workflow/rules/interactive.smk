use rule job as interactive with:
    input:
        tables=jobs.inputs(INTERACTIVE),
    output:
        "results/interactive/{document}/{chart}.json",
    log:
        "results/logs/interactive/{document}/{chart}.log",
    benchmark:
        "results/benchmarks/interactive/{document}/{chart}.tsv"
    group:
        jobs.bundle_of_drawing
    params:
        **jobs.params("interact", INTERACTIVE),
    message:
        "Drawing {wildcards.chart} of {wildcards.document}, with sliders."
