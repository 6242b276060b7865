"""When the modes of whitened MNIST are learned: a question about Saxe et al. 2013 that document 001 leaves open."""
