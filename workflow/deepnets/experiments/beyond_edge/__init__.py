"""Deep linear nets at learning rates below and beyond the edge of stability."""
