"""The runs that document 001 describes, and their data."""

from deepnets.tables.rows import Runs

# P, N and M of the document's code, and its total number of updates.
IMAGES, COMPONENTS, OUTPUTS, STEPS = 50_000, 100, 10, 100
NET: Runs = {"depth": 2, "init": "row_normalized", "hidden": 32, "learning_rate": 0.1}
# Part 1 of the document computes gradients from samples. For equal seeds, this gives the same nets as the covariance
# rule, of which we have more seeds.
TRAINED: Runs = {**NET, "rule": "covariance"}
# The same runs, but with any width and any learning rate.
AXES: Runs = {axis: TRAINED[axis] for axis in ("depth", "init", "rule")}
