"""The centred, whitened principal components of MNIST (document 001, Part 1)."""
