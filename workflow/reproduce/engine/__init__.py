"""Work with Snakemake and Slurm: what it asks about results, long specs, checks before the first job."""
