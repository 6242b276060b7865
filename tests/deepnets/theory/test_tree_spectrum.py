import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from deepnets.theory import tree_spectrum

SHAPES = st.tuples(st.integers(1, 4), st.integers(2, 3))
FLIPS = st.floats(0, 0.5)


def similarity(levels, branches, flip):
    """Return E[y_i y_j], the product of 1 − 2ε over the edges between two leaves."""
    leaves = range(branches**levels)
    edges = [
        [2 * next(up for up in range(levels + 1) if i // branches**up == j // branches**up) for j in leaves]
        for i in leaves
    ]
    return (1 - 2 * flip) ** np.array(edges)


@given(shape=SHAPES, flip=FLIPS)
def test_the_closed_form_is_the_spectrum_of_the_expected_similarity(shape, flip):
    expected = similarity(*shape, flip)
    eigenvalues = np.repeat(tree_spectrum.eigenvalues(*shape, flip), tree_spectrum.degeneracies(*shape))
    np.testing.assert_allclose(eigenvalues, np.linalg.eigvalsh(expected)[::-1], atol=1e-11)
    rebuilt = np.tensordot(tree_spectrum.eigenvalues(*shape, flip), tree_spectrum.projectors(*shape), axes=1)
    np.testing.assert_allclose(rebuilt, expected, atol=1e-12)
