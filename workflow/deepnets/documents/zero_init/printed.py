"""What document 004 prints of the one net whose test it shows, and the net."""

NET = {"init": "partial_identity", "width": 256, "bias": 0.01, "depth": 4}
# "Test set: Average loss: 0.1849, Accuracy: 9454/10000", after an epoch.
TEST_LOSS, TEST_COUNT, TEST_IMAGES = 0.1849, 9454, 10_000
