"""Document 004: a ReLU network learns MNIST by SGD; the rank of the third layer's change is recorded."""
