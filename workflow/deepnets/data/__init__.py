"""Data: MNIST and its sources, toy tasks, the order of batches."""
