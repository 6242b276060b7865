"""One folder per experiment. An experiment's `run(spec, <datasets>)` returns the measurements of one point."""
