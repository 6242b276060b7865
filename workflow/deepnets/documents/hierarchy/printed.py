"""The numbers of document 003 that figures draw too."""

# Section 4 and exercise 4: who has the feature that is added behind the others, by item.
HAS_BONES, CANNOT_SPEAK = [-1, 1, 1, 1, -1, -1, -1, -1], [1, 1, 1, -1, 1, 1, 1, 1]
# Section 3: where its slider of epochs starts, IntSlider(min=10, max=241, step=1, value=61).
SLIDER_EPOCH = 61
# How far the networks' weights may be from those of the regression: the atol of the last print.
TOLERANCE = 0.01
