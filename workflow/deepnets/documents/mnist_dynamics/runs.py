from reproduce import api

# P, N and M of the document's code.
IMAGES, COMPONENTS = 50_000, 100
NET = api.Selection("mnist_dynamics", depth=2, init="row_normalized", hidden=32, learning_rate=0.1)
# Part 1 of the document computes gradients from samples. For equal seeds, this gives the same nets as the covariance
# rule, of which we have more seeds.
TRAINED = NET.but(rule="covariance")
# The same runs, but with any width and any learning rate.
AXES = TRAINED.only("depth", "init", "rule")
