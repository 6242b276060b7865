"""Data: MNIST and where to get it, toy tasks, the order of batches."""
