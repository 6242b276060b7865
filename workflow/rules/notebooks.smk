from os.path import relpath

from reproduce.code.science import ROOT


# The packages that only this rule needs are in envs/requirements-notebook.txt, and no environment of conda contains them.
rule notebook:
    "One notebook of the folder notebooks, executed, as a page that opens offline."
    input:
        jobs.every_result,
        notebook=local("notebooks/{notebook}.py"),
    output:
        "results/notebooks/{notebook}.html",
    log:
        "results/logs/notebook/{notebook}.log",
    benchmark:
        "results/benchmarks/notebook/{notebook}.tsv"
    conda:
        "../envs/deepnets.yaml"
    params:
        workflow=relpath(ROOT, "notebooks"),
    message:
        "Executing the notebook {wildcards.notebook}."
    # With Jupyter's backend for figures, in twice the pixels for phones, and with the sources of this workflow. Warnings
    # begin with a temporary path.
    shell:
        '(python -m jupytext --to ipynb --output - --update-metadata \'{{"title": "{wildcards.notebook}"}}\' '
        '{input.notebook:q} | (cd notebooks && env -u MPLBACKEND PYTHONPATH="$PWD"/{params.workflow:q} TQDM_DISABLE=1 '
        "python -m nbconvert --stdin --stdout --to html --execute --no-prompt --template notebook "
        '--TemplateExporter.extra_template_basedirs="$PWD"/{params.workflow:q}/report '
        "--ExecutePreprocessor.extra_arguments=--InlineBackend.figure_formats=retina) | "
        "sed -E 's|[^ >]*/ipykernel_[0-9]+/[^ ]* ||' > {output:q}) 2> {log:q}"


rule notebooks:
    "All notebooks as pages, made on request."
    input:
        expand(
            "results/notebooks/{notebook}.html",
            notebook=glob_wildcards("notebooks/{notebook,[^./][^/]*}.py").notebook,
        ),
