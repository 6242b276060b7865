"""What is asked for: the config's files and what they may say, the plan of all jobs, the cluster."""
