"""Arora et al. 2019: a matrix of low rank is completed from some of its entries by gradient descent on its factors."""
