"""Saxe et al. 2013, Fig. 3: when nets learn the modes of hierarchical data, compared with theory."""
