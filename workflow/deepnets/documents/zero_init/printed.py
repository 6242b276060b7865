"""The output that document 004 prints for one net after an epoch: test results, and corners of the second matrix."""

# "Test set: Average loss: 0.1849, Accuracy: 9454/10000"
TEST_LOSS, TEST_COUNT, TEST_IMAGES = 0.1849, 9454, 10_000
# torch prints the first three and the last three rows and columns of a matrix, of shape (outputs, inputs). The last
# three columns are equal.
CORNER = 6
# Printed row → the first four cells of this row. The document's output is cut off in the last row.
CELLS = {
    0: (1.1448e00, -7.5209e-03, -6.2786e-06, -2.4932e-04),
    1: (-1.6591e-02, 1.1818e00, -6.2500e-06, 1.1423e-03),
    2: (-3.7327e-05, -6.4429e-04, 9.9996e-01, -4.0734e-05),
    3: (2.1381e-04, 7.8031e-04, 1.0636e-10, 1.2327e-05),
    4: (5.3667e-04, 8.4930e-04, 3.0437e-11, 1.3962e-05),
    5: (4.9626e-04, 1.4102e-03),
}
