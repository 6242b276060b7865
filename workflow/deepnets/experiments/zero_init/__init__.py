"""Document 004: a ReLU network learns MNIST by SGD, and the rank of what its third layer learns is counted."""
