"""What the workflow asks of Snakemake and of Slurm: records of results, long specs, requests for jobs."""
