import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from deepnets.data import tree

SHAPES = st.tuples(st.integers(1, 4), st.integers(2, 3))
FLIPS = st.floats(0, 0.5)


@given(shape=SHAPES, flip=FLIPS, seed=st.integers(0, 2**32 - 1))
def test_a_feature_is_the_product_of_the_signs_between_root_and_leaf(shape, flip, seed):
    levels, branches = shape
    nodes = (branches ** (levels + 1) - 1) // (branches - 1)
    # Nodes are numbered level by level, as in the document's `build_tree`: the parent of j is (j − 1) // branches.
    kept = np.random.RandomState(seed).rand(5, nodes) > np.array([0.5] + [flip] * (nodes - 1))
    expected = np.ones((branches**levels, 5))
    for item in range(branches**levels):
        node = nodes - branches**levels + item
        while True:
            expected[item] *= np.where(kept[:, node], 1, -1)
            if node == 0:
                break
            node = (node - 1) // branches
    sampled = tree.sample_features(levels, branches, flip, 5, np.random.RandomState(seed))
    np.testing.assert_array_equal(sampled, expected)
