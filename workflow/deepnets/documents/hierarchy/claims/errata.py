"""Faults of document 003 itself."""

from workflow.deepnets.claims.claim import Erratum
from workflow.deepnets.claims.section import Section


def errata() -> list[Erratum]:
    """Return the errata: those of substance, then those of form, each in the document's order."""
    return [*_of_substance(), *_of_form()]


def _of_substance() -> list[Erratum]:
    plots = Section('"Plotting functions"')
    similarity = Section('"Section 3: Representational Similarity Analysis (RSA)"')
    compared = Section('"Demonstration: Linear Regression vs. DLNN"')
    return [
        plots.at("plot_tree_data").erratum(
            "ten_random_features",
            "The panel “10 random Features” shows no random features, or nine of them.",
            "Without an argument the function draws a fixed table from can_grow to can_flower, which the network "
            "never sees; in section 4 the last column is the added feature.",
        ),
        plots.at("all pictures of modes").erratum(
            "singular_values_are_shares",
            "Axes labelled “Singular values” show shares of the largest of them; so does “Similarity”.",
            "sv_array / np.max(sv_array), rsm_array / np.max(rsm_array): curves end at 1, the data's value is some "
            "156.",
        ),
        Section('"Section 0: Prelude", train').erratum(
            "modes_are_one_update_ahead",
            "Singular values are drawn over the losses, similarities and predictions of one update before.",
            "predictions, hiddens and loss are computed before optimizer.step(), net_svd(model) after it.",
        ),
        Section('"Section 2: Singular Value Decomposition (SVD)", eq. 23').erratum(
            "order_of_the_product",
            "The product sign runs the wrong way: Π from 1 to L is W₁ … W_L, the line above it W_L … W₁.",
            "Matrices do not commute: here (8 → 30) and (30 → 10,000) multiply in one order only.",
        ),
        similarity.erratum(
            "plants_are_no_objects",
            "The hypothesis of “living things” and “objects” fits no data of the document: plants live.",
            "All eight items are animals or plants; see modes_part_groups.",
        ),
        similarity.erratum(
            "dot_products_are_no_cosines",
            "The dot product is not called cosine similarity, unless the vectors have length 1.",
            "H Hᵀ is not divided by norms; see dot_product_is_cosine.",
        ),
        Section('"Section 3", eq. 25, "Coding Exercise 3"').erratum(
            "weights_change_sides",
            "H = X W₁ contradicts y = W_L … W₁ x of eq. 23 and the code, where H = X W₁ᵀ.",
            "nn.Linear(8, 30) holds W₁ as 30 × 8: X W₁ with X of 8 × 8 has no such product.",
        ),
        Section('"Demonstration: Illusory Correlations"').erratum(
            "the_shark_starts_right",
            "The network does not start by learning that sharks have bones: it first learns that nothing has.",
            "In the picture the prediction falls to −0.25, the mean of the feature, before it rises to 0.5.",
        ),
        Section('"Section 5.3: Analytical Linear Regression", eq. 31').erratum(
            "loss_is_a_trace",
            "A trace is missing: (Y − WX)ᵀ(Y − WX) is a D × D matrix, of which there is no minimum.",
            "Y and W X are N × D. The norm of eq. 30 is Frobenius', not that “of a vector”, as the note says.",
        ),
        Section(f'"Coding Exercise 5.3.1"; {compared.place}').erratum(
            "exercise_shadows_the_solution",
            "As printed, the comparison cannot run: the exercise replaces the helper by a function that only raises.",
            "Both are called linear_regression, and the demonstration calls it after the exercise. The document "
            "shows no output of its last print.",
        ),
        compared.at("comment").erratum(
            "not_yet_trained",
            "The deep network is not “already trained”: the cell builds and trains another, on other data.",
            "generate_hsd(), LNNet(…), initializer_ and train are all called anew.",
        ),
        compared.at("code of LRNet").erratum(
            "scale_without_effect",
            "gamma = 1e-12 is set and never used: the zero-depth network starts from torch's own init.",
            "initializer_ is not called; the picture starts at 1.04 = 1 + 1/24, not at 1: zero_depth_losses.",
        ),
    ]


def _of_form() -> list[Erratum]:
    prelude, helpers = Section('"Section 0: Prelude"'), Section('"Helper functions"')
    train = prelude.at("train, docstring")
    return [
        train.erratum(
            "inputs_are_called_features",
            "The docstring calls the inputs “features” and the targets “labels”: the other way round.",
            "Each call passes label_tensor as inputs and feature_tensor as targets, as the text of section 1 says.",
            form=True,
        ),
        train.erratum(
            "illusory_index_is_an_item",
            "illusory_i is no “index of illusory feature”: it is that of the item; the feature is always the last.",
            "pred_ij = predictions.detach()[illusory_i, -1], one row for each item.",
            form=True,
        ),
        prelude.at("LNNet").erratum(
            "forward_returns_the_outputs_first",
            "The docstring of forward promises hid, out; the code returns out, hid.",
            "return out, hid; train unpacks predictions, hiddens.",
            form=True,
        ),
        helpers.at("sample_from_tree, docstring").erratum(
            "samples_are_no_levels",
            "n is no “number of levels in tree”: it is the number of features that are sampled.",
            "x has the shape (n, n_items); generate_hsd passes n_samples = 10000.",
            form=True,
        ),
        helpers.at("sample_from_tree, docstring").erratum(
            "trees_as_dictionaries_fail",
            "The docstring allows a tree of plain lists (to_np_array=False), on which the function fails.",
            'tree["pflip"].reshape: a list has no reshape.',
            form=True,
        ),
        helpers.at("add_feature").erratum(
            "argument_without_effect",
            "The function ignores its argument existing_features.",
            "It returns np.hstack((tree_features, new_feature)), of the notebook's global variable.",
            form=True,
        ),
        helpers.at("net_svd, docstring").erratum(
            "svd_returns_a_vector",
            "The docstring promises a diagonal matrix Σ and an orthogonal U; a vector and 8 columns come back.",
            "torch.svd returns the reduced form: of a 10,000 × 8 matrix U is 10,000 × 8, and S has 8 entries.",
            form=True,
        ),
        Section('"Interactive Demo 1", widget').erratum(
            "epochs_reach_no_function",
            "The widget passes epochs = fixed(250) to a function without such an argument.",
            "def loss_lr_init(lr, gamma) sets n_epochs = 250 itself.",
            form=True,
        ),
        Section('"Section 2", "A Quick intro to SVD"; "Section 1"; "Section 5.1"').erratum(
            "square_and_squared",
            "Words: a decomposition into eigenvectors needs a square matrix, not a “squared” one; data are "
            "generated synthetically, not “syntactically”; and it is the time of the day, not “of the say”.",
            "The square of a matrix is its product with itself, which only a square one has; the tree has no syntax.",
            form=True,
        ),
        Section('"Exercise 4: Illusory Correlations", code').erratum(
            "comment_of_the_parrot",
            "The comment says “Adding feature has_bones”; the feature is cannot_speak.",
            'Three lines above: its_label = "cannot_speak".',
            form=True,
        ),
        Section('"Coding Exercise 5.3.1", comment').erratum(
            "name_of_the_exercise",
            "The comment asks for linear_regression_exercise, which does not exist.",
            "The function to complete is linear_regression.",
            form=True,
        ),
        Section('"Demonstration: Linear Regression vs. DLNN", LRNet, docstring').erratum(
            "arguments_of_the_shallow_net",
            "The docstring describes an argument hid_dim, which there is not, and no out_dim.",
            "def __init__(self, in_dim, out_dim).",
            form=True,
        ),
    ]
