"""Document 000: linear classifiers of angular slices, factorised to different depths, trained by gradient descent."""
