"""What is learned: MNIST and where it comes from, toy tasks, the order of batches."""
