"""How long deep linear nets take to learn whitened MNIST: depth × initialisation, each at its fastest rate."""
