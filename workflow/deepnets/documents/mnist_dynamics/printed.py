# Number of updates → value ("A step of learning", "Solving a task").
LOSSES = {0: 0.936852, 1: 0.594968}
ACCURACIES = {0: 0.11006, 1: 0.12794, 10: 0.38976, 100: 0.82956}
# The loss that the cell "compute the loss" prints. The document later replaces this first draw of the weights.
LOSS_OF_FIRST_DRAW = 1.1043516264560895
