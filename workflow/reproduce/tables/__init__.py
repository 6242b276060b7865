"""Read tables of results: select runs, rows and settings; arrange values; fit growth; describe runs in words."""
