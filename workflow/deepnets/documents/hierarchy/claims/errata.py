"""The errata of document 003."""

from deepnets.claims.claim import Erratum
from deepnets.claims.section import Section


def errata() -> list[Erratum]:
    """Return the errata of substance, then those of form, each in the order of the document."""
    return [*_errata_of_substance(), *_errata_of_form()]


def _errata_of_substance() -> list[Erratum]:
    plots = Section('"Plotting functions"')
    similarity = Section('"Section 3: Representational Similarity Analysis (RSA)"')
    compared = Section('"Demonstration: Linear Regression vs. DLNN"')
    return [
        plots.at("plot_tree_data").erratum(
            "ten_random_features",
            "The panel “10 random Features” shows no random features, or only nine of them.",
            "Without an argument the function draws a fixed table, from can_grow to can_flower, which is not in the "
            "network's data; in section 4 the last column is the added feature.",
        ),
        plots.at("all pictures of modes").erratum(
            "singular_values_are_shares",
            "Axes labelled “Singular values” show shares of the largest singular value, and “Similarity” shares of the "
            "largest similarity.",
            "The code draws sv_array / np.max(sv_array) and rsm_array / np.max(rsm_array): curves end at 1, but the "
            "data's largest singular value is about 156.",
        ),
        Section('"Section 0: Prelude", train').erratum(
            "modes_are_one_update_ahead",
            "Singular values are drawn one update too early, compared with losses, similarities and predictions.",
            "The code computes predictions, hiddens and loss before optimizer.step(), and net_svd(model) after it.",
        ),
        Section('"Section 2: Singular Value Decomposition (SVD)", eq. 23').erratum(
            "order_of_the_product",
            "The product has the wrong order: Π from 1 to L is W₁ … W_L, but the line above it has W_L … W₁.",
            "Matrices do not commute: (8 → 30) and (30 → 10,000) can be multiplied in one order only.",
        ),
        similarity.erratum(
            "plants_are_no_objects",
            "The hypothesis of “living things” and “objects” does not fit the document's data: plants are alive.",
            "All eight items are animals or plants; see modes_part_groups.",
        ),
        similarity.erratum(
            "dot_products_are_no_cosines",
            "The dot product is the cosine similarity only if the vectors have length 1.",
            "The document does not divide H Hᵀ by norms; see dot_product_is_cosine.",
        ),
        Section('"Section 3", eq. 25, "Coding Exercise 3"').erratum(
            "weights_change_sides",
            "H = X W₁ contradicts y = W_L … W₁ x of eq. 23 and the code, where H = X W₁ᵀ.",
            "nn.Linear(8, 30) stores W₁ as 30 × 8, so that X W₁ with an 8 × 8 X is undefined.",
        ),
        Section('"Demonstration: Illusory Correlations"').erratum(
            "the_shark_starts_right",
            "The network does not start by learning that sharks have bones: it first learns that no item has bones.",
            "In the picture the prediction falls to −0.25, the mean of the feature, before it rises to 0.5.",
        ),
        Section('"Section 5.3: Analytical Linear Regression", eq. 31').erratum(
            "loss_is_a_trace",
            "A trace is missing: (Y − WX)ᵀ(Y − WX) is a D × D matrix, which has no minimum.",
            "Y and W X are N × D. The norm of eq. 30 is the Frobenius norm, not that “of a vector” as in the note.",
        ),
        Section(f'"Coding Exercise 5.3.1"; {compared.place}').erratum(
            "exercise_shadows_the_solution",
            "As printed, the comparison fails: the exercise replaces the helper by a function that only raises.",
            "Both functions are called linear_regression, and the demonstration runs after the exercise. The document "
            "contains no output of its last print.",
        ),
        compared.at("comment").erratum(
            "not_yet_trained",
            "The deep network is not “already trained”: the cell builds and trains another one on other data.",
            "The cell calls generate_hsd(), LNNet(…), initializer_ and train again.",
        ),
        compared.at("code of LRNet").erratum(
            "scale_without_effect",
            "gamma = 1e-12 is set but not used: the zero-depth network starts from torch's default init.",
            "The cell does not call initializer_; the picture starts at 1.04 = 1 + 1/24, not at 1 (zero_depth_losses).",
        ),
    ]


def _errata_of_form() -> list[Erratum]:
    prelude, helpers = Section('"Section 0: Prelude"'), Section('"Helper functions"')
    train = prelude.at("train, docstring")
    return [
        train.erratum(
            "inputs_are_called_features",
            "The docstring of train calls the inputs “features” and the targets “labels”: it must be the other way "
            "round.",
            "Each call passes label_tensor as inputs and feature_tensor as targets, as in the text of section 1.",
            form=True,
        ),
        train.erratum(
            "illusory_index_is_an_item",
            "illusory_i is not the “index of illusory feature” but that of the item; the feature is always the last.",
            "The code has pred_ij = predictions.detach()[illusory_i, -1], and predictions have one row per item.",
            form=True,
        ),
        prelude.at("LNNet").erratum(
            "forward_returns_the_outputs_first",
            "The docstring of forward promises hid, out; the code returns out, hid.",
            "The function ends with return out, hid; train unpacks predictions, hiddens.",
            form=True,
        ),
        helpers.at("sample_from_tree, docstring").erratum(
            "samples_are_no_levels",
            "n is not the “number of levels in tree” but the number of sampled features.",
            "x has the shape (n, n_items); generate_hsd passes n_samples = 10000.",
            form=True,
        ),
        helpers.at("sample_from_tree, docstring").erratum(
            "trees_as_dictionaries_fail",
            "The docstring allows a tree of plain lists (to_np_array=False), but the function fails with one.",
            'The function calls tree["pflip"].reshape, and a list has no reshape.',
            form=True,
        ),
        helpers.at("add_feature").erratum(
            "argument_without_effect",
            "The function ignores its argument existing_features.",
            "It returns np.hstack((tree_features, new_feature)) with the notebook's global variable.",
            form=True,
        ),
        helpers.at("net_svd, docstring").erratum(
            "svd_returns_a_vector",
            "The docstring promises a diagonal matrix Σ and an orthogonal U; Σ is a vector, and U has only 8 columns.",
            "torch.svd returns the reduced form: for a 10,000 × 8 matrix, U is 10,000 × 8 and S has 8 entries.",
            form=True,
        ),
        Section('"Interactive Demo 1", widget').erratum(
            "epochs_reach_no_function",
            "The widget passes epochs = fixed(250) to a function that has no such argument.",
            "The function loss_lr_init(lr, gamma) sets n_epochs = 250 itself.",
            form=True,
        ),
        Section('"Section 2", "A Quick intro to SVD"; "Section 1"; "Section 5.1"').erratum(
            "square_and_squared",
            "Three words are wrong: a decomposition into eigenvectors needs a square matrix, not a “squared” one; data "
            "are generated synthetically, not “syntactically”; and it is the time of the day, not “of the say”.",
            "A squared matrix is the product of a square matrix with itself; the tree has no syntax.",
            form=True,
        ),
        Section('"Exercise 4: Illusory Correlations", code').erratum(
            "comment_of_the_parrot",
            "The comment says “Adding feature has_bones”, but the feature is cannot_speak.",
            'Three lines above is its_label = "cannot_speak".',
            form=True,
        ),
        Section('"Coding Exercise 5.3.1", comment').erratum(
            "name_of_the_exercise",
            "The comment names linear_regression_exercise, which does not exist.",
            "The function to complete is linear_regression.",
            form=True,
        ),
        Section('"Demonstration: Linear Regression vs. DLNN", LRNet, docstring').erratum(
            "arguments_of_the_shallow_net",
            "The docstring describes an argument hid_dim, which does not exist, and omits out_dim.",
            "The signature is __init__(self, in_dim, out_dim).",
            form=True,
        ),
    ]
