# Workflow catalogs look for the definition in workflow/.
include: "workflow/Snakefile"


# Snakemake takes no rule of an included file for the default target.
workflow.default_target = "all"
