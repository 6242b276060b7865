import pytest

from deepnets.networks.shapes import Shape, Tally


def test_products_are_counted_and_have_the_right_shape():
    tally = Tally()
    product = tally.shape(2, 3) @ tally.shape(3, 5)
    assert (product.rows, product.columns, tally.multiply_adds) == (2, 5, 30)
    transposed = product.T
    assert (transposed.rows, transposed.columns) == (5, 2)
    # Products of a product are counted in the same tally.
    product @ transposed
    assert tally.multiply_adds == 30 + 20


def test_a_difference_counts_no_operation_and_shapes_must_fit():
    tally = Tally(7)
    one, other = tally.shape(2, 3), Shape(2, 3, Tally())
    assert one - other is one
    assert tally.multiply_adds == 7
    for rows, columns in ((3, 2), (2, 4)):
        with pytest.raises(ValueError, match=r"cannot subtract Shape\(rows=.*\) from Shape\(rows=2, columns=3\)"):
            one - tally.shape(rows, columns)
    with pytest.raises(ValueError, match="cannot multiply"):
        tally.shape(2, 3) @ tally.shape(2, 3)
