"""Learning times of deep linear nets on whitened MNIST, for each depth and init at the fastest learning rate."""
