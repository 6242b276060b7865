"""One folder per experiment. `run(spec, <datasets>)` returns the measurements of one point; limits.py bounds its spec."""
