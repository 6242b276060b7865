"""Arora et al. 2019: of all matrices with the observed entries, that of least nuclear norm."""
