use rule job as page with:
    "The page of all results, or of one document."
    input:
        figures=jobs.inputs(PAGES, "figures"),
        charts=jobs.inputs(PAGES, "charts"),
        ledgers=jobs.inputs(PAGES, "ledgers"),
        tables=jobs.inputs(PAGES, "tables"),
        numbers=jobs.inputs(PAGES, "numbers"),
        records=jobs.inputs(PAGES, "records"),
        # The record contains digests of the templates: a new time stamp makes no page stale.
        templates=local(ancient(jobs.inputs(PAGES, sources=True))),
    output:
        "results/report{of}.html",
        record="results/records/report{of}.json",
    log:
        "results/logs/page{of}.log",
    benchmark:
        "results/benchmarks/page{of}.tsv"
    params:
        **jobs.params("page", PAGES),
    message:
        "Making the page {output[0]}."


# `snakemake --cores 8 000-classifier` makes one document and its page; `report` makes the page of all documents.
for target, page in jobs.pages.items():

    rule:
        "One document, or all of them, with its page."
        name:
            target
        input:
            page,
