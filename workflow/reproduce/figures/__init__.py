"""Parts of all figures: a sheet of panels, legends and notes; and the figure of an experiment's sweeps."""
