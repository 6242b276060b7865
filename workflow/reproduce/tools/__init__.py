"""The programs that people start, for example to check results, explain what is stale, and record verdicts."""
