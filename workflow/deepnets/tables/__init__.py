"""Read tables of results: choose runs and rows, arrange values, select settings, fit growth, write words."""
