"""CIFAR-10: photographs of ten kinds of things, here the first 4,000 of the 50,000 to train on.

This file contains facts that are known without the images; the other modules of this folder may read files.
"""

# Number of images, of colours, and of pixels along a side.
SHAPE = (4_000, 3, 32, 32)
# Results record this text if no source of CIFAR-10 serves.
STAND_IN = "digits of MNIST in place of CIFAR-10, 4,000 training images"
