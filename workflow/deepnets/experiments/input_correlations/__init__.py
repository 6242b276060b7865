"""Whether the modes of a task are principal components of its inputs: Saxe's condition for pretraining, on MNIST."""
