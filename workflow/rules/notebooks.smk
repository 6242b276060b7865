# The page of a notebook has no stamp: Snakemake's metadata contains the param `made_from`. Its packages are in
# envs/requirements-notebook.txt, and no environment of conda contains them.
rule notebook:
    "One notebook of the folder notebooks, executed, as a page that opens offline."
    input:
        notebook=local(ancient("notebooks/{notebook}.py")),
        results=jobs.read_by_notebook,
    output:
        "results/notebooks/{notebook}.html",
    log:
        "results/logs/notebook/{notebook}.log",
    benchmark:
        "results/benchmarks/notebook/{notebook}.tsv"
    conda:
        "../envs/deepnets.yaml"
    params:
        made_from=jobs.made_from,
    message:
        "Executing the notebook {wildcards.notebook}."
    shell:
        "python -X utf8 -m reproduce.tools.notebook {input.notebook:q} {output:q} 2> {log:q}"


rule notebooks:
    "All notebooks as pages, made on request."
    input:
        expand("results/notebooks/{notebook}.html", notebook=jobs.notebooks),
