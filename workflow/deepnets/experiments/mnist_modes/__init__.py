"""When the modes of whitened MNIST are learned: the question that document 001 asks of Saxe et al. 2013 and leaves."""
