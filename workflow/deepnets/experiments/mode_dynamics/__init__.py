"""Saxe et al. 2013, Fig. 3: how nets learn the modes of features that a tree relates, and how late."""
