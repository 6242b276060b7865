"""Saxe et al. 2013, Fig. 2: one mode of a linear net with one hidden layer, as two trained numbers."""
