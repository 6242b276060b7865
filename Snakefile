from snakemake.utils import min_version

from workflow.deepnets.engine.versions import max_version

min_version("9.27")
max_version("9.27")


configfile: "config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/runs.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/page.smk"
include: "workflow/rules/archive.smk"
include: "workflow/rules/hooks.smk"


rule all:
    input:
        jobs.final_results,
