# What `snakemake` finds in this folder. Workflow catalogs read workflow/Snakefile.
include: "workflow/Snakefile"
