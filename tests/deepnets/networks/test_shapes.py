from deepnets.networks.shapes import Tally


def test_products_are_counted_and_have_the_right_shape():
    tally = Tally()
    product = tally.shape(2, 3) @ tally.shape(3, 5)
    assert (product.rows, product.columns, tally.multiply_adds) == (2, 5, 30)
    transposed = product.T
    assert (transposed.rows, transposed.columns) == (5, 2)
    # Products of a product are counted in the same tally.
    product @ transposed
    assert tally.multiply_adds == 30 + 20
