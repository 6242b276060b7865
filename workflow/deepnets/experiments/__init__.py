"""One folder per experiment; its `run(spec, <datasets>)` returns the measurements of one point."""
