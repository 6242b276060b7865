"""Document 001: a deep linear network learns MNIST, by gradients from samples or from covariances."""
