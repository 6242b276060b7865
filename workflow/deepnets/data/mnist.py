"""What every image and label of MNIST has, in the full set and in the subset."""

# Pixels along a side of an image; images are kept as rows of all pixels.
SIDE = 28
PIXELS = SIDE**2
CLASSES = 10
