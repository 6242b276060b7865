"""Work with Snakemake and Slurm: metadata of results, long specs, checks before the first job."""
