"""What is wrong in document 003 itself."""

from workflow.deepnets.claims.claim import Erratum

_HELPERS, _PLOTS, _TRAIN = '"Helper functions"', '"Plotting functions"', '"Section 0: Prelude"'
_COMPARED = '"Demonstration: Linear Regression vs. DLNN"'


def errata() -> list[Erratum]:
    """Return the errata, in the document's order."""
    return [
        Erratum(
            name="ten_random_features",
            place=f"{_PLOTS}, plot_tree_data",
            statement="The panel “10 random Features” shows no random features, or nine of them.",
            evidence=(
                "Without an argument the function draws a fixed table from can_grow to can_flower, which the network "
                "never sees; in section 4 the last column is the added feature."
            ),
        ),
        Erratum(
            name="singular_values_are_shares",
            place=f"{_PLOTS}, all pictures of modes",
            statement="Axes labelled “Singular values” show shares of the largest of them; so does “Similarity”.",
            evidence=(
                "sv_array / np.max(sv_array), rsm_array / np.max(rsm_array): curves end at 1, the data's value is "
                "some 156."
            ),
        ),
        Erratum(
            name="modes_are_one_update_ahead",
            place=f"{_TRAIN}, train",
            statement="Singular values are drawn over the losses, similarities and predictions of one update before.",
            evidence="predictions, hiddens and loss are computed before optimizer.step(), net_svd(model) behind it.",
        ),
        Erratum(
            name="inputs_are_called_features",
            place=f"{_TRAIN}, train, docstring",
            statement="It calls the inputs “features” and the targets “labels”: the other way round.",
            evidence=(
                "Each call passes label_tensor as inputs and feature_tensor as targets, as the text of section 1 says."
            ),
        ),
        Erratum(
            name="illusory_index_is_an_item",
            place=f"{_TRAIN}, train, docstring",
            statement=(
                "illusory_i is no “index of illusory feature”: it is that of the item; the feature is always the last."
            ),
            evidence="pred_ij = predictions.detach()[illusory_i, -1], one row for each item.",
        ),
        Erratum(
            name="forward_returns_the_outputs_first",
            place=f"{_TRAIN}, LNNet",
            statement="The docstring of forward promises hid, out; the code returns out, hid.",
            evidence="return out, hid; train unpacks predictions, hiddens.",
        ),
        Erratum(
            name="samples_are_no_levels",
            place=f"{_HELPERS}, sample_from_tree, docstring",
            statement="n is no “number of levels in tree”: it is the number of features that are sampled.",
            evidence="x has the shape (n, n_items); generate_hsd passes n_samples = 10000.",
        ),
        Erratum(
            name="trees_as_dictionaries_fail",
            place=f"{_HELPERS}, sample_from_tree, docstring",
            statement="It says that it takes a tree of plain lists, too (to_np_array=False), on which it fails.",
            evidence='tree["pflip"].reshape: a list has no reshape.',
        ),
        Erratum(
            name="argument_without_effect",
            place=f"{_HELPERS}, add_feature",
            statement="The function ignores its argument existing_features.",
            evidence="It returns np.hstack((tree_features, new_feature)), of the notebook's global variable.",
        ),
        Erratum(
            name="svd_returns_a_vector",
            place=f"{_HELPERS}, net_svd, docstring",
            statement="It promises a diagonal matrix Σ and an orthogonal U; a vector and 8 columns come back.",
            evidence="torch.svd returns the reduced form: of a 10,000 × 8 matrix U is 10,000 × 8, and S has 8 entries.",
        ),
        Erratum(
            name="epochs_reach_no_function",
            place='"Interactive Demo 1", widget',
            statement="The widget passes epochs = fixed(250) to a function without such an argument.",
            evidence="def loss_lr_init(lr, gamma) sets n_epochs = 250 itself.",
        ),
        Erratum(
            name="order_of_the_product",
            place='"Section 2: Singular Value Decomposition (SVD)", eq. 23',
            statement="The product sign runs the wrong way: Π from 1 to L is W₁ … W_L, the line above it W_L … W₁.",
            evidence="Matrices do not commute: here (8 → 30) and (30 → 10,000) multiply in one order only.",
        ),
        Erratum(
            name="square_and_squared",
            place='"Section 2", "A Quick intro to SVD"; "Section 1"; "Section 5.1"',
            statement=(
                "Words: a decomposition into eigenvectors needs a square matrix, not a “squared” one; data are "
                "generated "
                "synthetically, not “syntactically”; and it is the time of the day, not “of the say”."
            ),
            evidence=(
                "The square of a matrix is its product with itself, which only a square one has; the tree has no "
                "syntax."
            ),
        ),
        Erratum(
            name="plants_are_no_objects",
            place='"Section 3: Representational Similarity Analysis (RSA)"',
            statement="The hypothesis of “living things” and “objects” fits no data of the document: plants live.",
            evidence="All eight items are animals or plants; see large_mode_parts_animals_from_plants.",
        ),
        Erratum(
            name="dot_products_are_no_cosines",
            place='"Section 3: Representational Similarity Analysis (RSA)"',
            statement="The dot product is not called cosine similarity, unless the vectors have length 1.",
            evidence="H Hᵀ is not divided by norms; see dot_product_is_cosine.",
        ),
        Erratum(
            name="weights_change_sides",
            place='"Section 3", eq. 25, "Coding Exercise 3"',
            statement="H = X W₁ contradicts y = W_L … W₁ x of eq. 23 and the code, where H = X W₁ᵀ.",
            evidence="nn.Linear(8, 30) holds W₁ as 30 × 8: X W₁ with X of 8 × 8 has no such product.",
        ),
        Erratum(
            name="the_shark_starts_right",
            place='"Demonstration: Illusory Correlations"',
            statement=(
                "The network does not start by learning that sharks have bones: it first learns that nothing has."
            ),
            evidence="In the picture the prediction falls to −0.25, the mean of the feature, before it rises to 0.5.",
        ),
        Erratum(
            name="comment_of_the_parrot",
            place='"Exercise 4: Illusory Correlations", code',
            statement="The comment says “Adding feature has_bones”; the feature is cannot_speak.",
            evidence='Three lines above: its_label = "cannot_speak".',
        ),
        Erratum(
            name="loss_is_a_trace",
            place='"Section 5.3: Analytical Linear Regression", eq. 31',
            statement="A trace is missing: (Y − WX)ᵀ(Y − WX) is a D × D matrix, of which there is no minimum.",
            evidence="Y and W X are N × D. The norm of eq. 30 is Frobenius', not that “of a vector”, as the note says.",
        ),
        Erratum(
            name="exercise_shadows_the_solution",
            place='"Coding Exercise 5.3.1"; ' + _COMPARED,
            statement=(
                "As printed, the comparison cannot run: the exercise replaces the helper by a function that only "
                "raises."
            ),
            evidence=(
                "Both are called linear_regression, and the demonstration calls it behind the exercise. The document "
                "shows "
                "no output of its last print."
            ),
        ),
        Erratum(
            name="name_of_the_exercise",
            place='"Coding Exercise 5.3.1", comment',
            statement="The comment asks for linear_regression_exercise, which does not exist.",
            evidence="The function to complete is linear_regression.",
        ),
        Erratum(
            name="not_yet_trained",
            place=f"{_COMPARED}, comment",
            statement="The deep network is not “already trained”: the cell builds and trains another, on other data.",
            evidence="generate_hsd(), LNNet(…), initializer_ and train are all called anew.",
        ),
        Erratum(
            name="scale_without_effect",
            place=f"{_COMPARED}, code of LRNet",
            statement="gamma = 1e-12 is set and never used: the zero-depth network starts from torch's own init.",
            evidence=(
                "initializer_ is not called; the picture starts at 1.04 = 1 + 1/24, not at 1: zero_depth_loss_at_0."
            ),
        ),
        Erratum(
            name="arguments_of_the_shallow_net",
            place=f"{_COMPARED}, LRNet, docstring",
            statement="It describes an argument hid_dim, which there is not, and no out_dim.",
            evidence="def __init__(self, in_dim, out_dim).",
        ),
    ]
