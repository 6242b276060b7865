use rule job as page with:
    input:
        figures=jobs.inputs(PAGE, "figures"),
        charts=jobs.inputs(PAGE, "charts"),
        ledgers=jobs.inputs(PAGE, "ledgers"),
        tables=jobs.inputs(PAGE, "tables"),
        # Their content counts, as a param: a new time stamp changes no page.
        templates=ancient(
            [
                "workflow/report/page.html",
                "workflow/report/page.css",
                "workflow/report/live.js",
                "workflow/report/page.js",
            ]
        ),
    output:
        "results/report.html",
    log:
        "results/logs/page.log",
    benchmark:
        "results/benchmarks/page.tsv"
    params:
        **jobs.params("page", PAGE),
    message:
        "Making the page of all figures and claims."
