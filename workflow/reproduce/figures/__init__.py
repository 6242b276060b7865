"""Parts of all figures: a sheet of panels, legends and notes."""
