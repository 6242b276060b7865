"""The config: its files, what they may contain, and the plan of all jobs."""
