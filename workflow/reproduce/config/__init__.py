"""The config: its files, their check, and the plan of all jobs."""
