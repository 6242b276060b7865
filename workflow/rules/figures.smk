use rule job as figure with:
    "One figure, as PDF, PNG and SVG, and its numbers as CSV."
    input:
        # The param `inputs` contains the settings of the style: a comment or a new time stamp makes no figure stale.
        style=local(ancient(jobs.inputs(FIGURE, sources=True))),
        tables=jobs.inputs(FIGURE),
    output:
        "results/figures/{document}/{figure}.pdf",
        report(
            "results/figures/{document}/{figure}.png",
            category="{document}",
            labels={"figure": "{figure}"},
        ),
        "results/figures/{document}/{figure}.svg",
        "results/figures/{document}/{figure}.csv",
        record="results/records/figures/{document}/{figure}.json",
    log:
        "results/logs/figure/{document}/{figure}.log",
    benchmark:
        "results/benchmarks/figure/{document}/{figure}.tsv"
    group:
        jobs.bundle_of_drawing
    params:
        **jobs.params("draw", FIGURE),
    message:
        "Drawing {wildcards.figure} of {wildcards.document}."


use rule job as interactive with:
    "One chart with sliders."
    input:
        tables=jobs.inputs(INTERACTIVE),
    output:
        "results/interactive/{document}/{chart}.json",
        record="results/records/interactive/{document}/{chart}.json",
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
