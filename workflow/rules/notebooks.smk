# The packages that only this rule needs are in envs/requirements-notebook.txt, and no environment of conda contains them.
use rule job as notebook with:
    "One notebook of the folder notebooks, executed, as a page that opens offline."
    input:
        # The param `inputs` contains their digests: a new time stamp makes no page stale.
        sources=local(ancient(jobs.sources(NOTEBOOK_PAGE))),
        results=jobs.inputs(NOTEBOOK_PAGE),
    output:
        "results/notebooks/{notebook}.html",
        record="results/records/notebooks/{notebook}.json",
    log:
        "results/logs/notebook/{notebook}.log",
    benchmark:
        "results/benchmarks/notebook/{notebook}.tsv"
    params:
        **jobs.params("notebook", NOTEBOOK_PAGE),
    message:
        "Executing the notebook {wildcards.notebook}."


rule notebooks:
    "All notebooks as pages, made on request."
    input:
        expand("results/notebooks/{notebook}.html", notebook=jobs.notebooks),
