"""The errata of document 004."""

from deepnets.claims.claim import Erratum
from deepnets.claims.section import Section


def errata() -> list[Erratum]:
    """Return the errata of substance, then those of form."""
    return [*_errors_of_substance(), *_errors_of_form()]


def _errors_of_substance() -> list[Erratum]:
    return [
        Section('"Figure 3 (left)" and "(right)", code').erratum(
            "iterations_are_mislabelled",
            "The axis “Iterations” is labelled 50, 100, …, 950; the ranks are recorded after updates 1, 51, …, 901.",
            "train logs if batch_idx % 50 == 0, after optimizer.step(); x_axis is arange(1, 20) · 50.",
        ),
        Section('"Figure 3 (left)", printed output').erratum(
            "init_is_printed_wrongly",
            "Each run prints “Now training init=ZerO”, whatever its init; with --save-model, each run would overwrite "
            "ZerO_mnist_cnn.pt, which contains no CNN.",
            "args.init keeps its default; the printed matrices are partial identities.",
        ),
        Section('"Model", "Verification of Theorem 1"').erratum(
            "theorem_without_biases",
            "Theorem 1 is about nets without biases. If all biases start from one constant, padded units (units "
            "beyond the input dimension) are equal but not zero, and the rank may reach 785.",
            "Units with equal weights and biases have equal gradients. These gradients add one dimension to the "
            "input dimensions. In the tests of this workflow, nets of 12 inputs reach a rank of 13.",
        ),
        Section('"Figure 3 (left)"').erratum(
            "narrow_nets_prove_nothing",
            "Ranks below 784 at n_h = 256 and 512 are no evidence for training degeneracy.",
            "In these nets, W₃ has the shape n_h × n_h: with any init, the rank is at most n_h.",
        ),
        Section('"Verification of Theorem 1 (Figure 3 in the paper)"').erratum(
            "not_the_figure_of_the_paper",
            "The runs are not those of the paper's Figure 3, whose nets have no biases, train for 20 epochs, and "
            "have n_h = 2048 on the right.",
            "The evidence is the authors' own notebook and its pictures: the axis of the pictures ends at 19,000 "
            "updates.",
        ),
        Section('"Training Pipeline on MNIST", train').erratum(
            "accuracy_of_the_log",
            "The logged “Accuracy” divides by all 60,000 images before the net has seen all images. It starts near 0 "
            "% and grows with the number of batches, for any net.",
            "The loop computes 100 · correct / len(train_loader.dataset). In the last log, correct is at most 57,664 "
            "of 60,000.",
        ),
        Section('"Training Pipeline on MNIST", train_model').erratum(
            "seed_comes_too_late",
            "The seed 1 fixes only the order of the images: random, OnE and Spray inits differ in each execution.",
            "manual_seed runs within train_model, after MLP(…); OnE and Spray draw from default_rng().",
        ),
        Section('"Training Pipeline on MNIST", train_model').erratum(
            "cuda_cannot_be_used",
            "--no-cuda cannot be switched off: no run uses CUDA.",
            "action='store_true' with default=True: the value is True with and without the option.",
        ),
        Section('"Figure 3 (right)", code').erratum(
            "right_figure_needs_the_left",
            "The cell of the right figure cannot run without the cell of the left figure, which defines the length "
            "of the axis.",
            "x_axis uses len(n_h_512_rank_list_dict['l3.weight']).",
        ),
    ]


def _errors_of_form() -> list[Erratum]:
    return [
        Section('"Training Pipeline on MNIST", comment').erratum(
            "rank_is_not_stable_rank",
            "The comment says “stable rank”; the code counts singular values above 0.0001.",
            "compute_rank calls matrix_rank; the stable rank is ‖W‖²_F divided by the largest squared singular value.",
            form=True,
        ),
        Section('"Model", MLP').erratum(
            "hidden_layers",
            "The “4 hidden layers” are three: the fourth matrix computes the scores.",
            "l1, l2 and l3 are followed by relu, l4 by log_softmax; the text above says “4-layer”.",
            form=True,
        ),
        Section('"Model", Spray_Init_on_matrix').erratum(
            "spray_prints_one",
            "Spray prints “OnE-Initializing”, and “Nothing extra to be done” for layers that it inverts afterwards.",
            "Both print statements are copies of OnE's; the inversion below these statements always runs.",
            form=True,
        ),
        Section('"Training Pipeline on MNIST", train_model').erratum(
            "defaults_in_help_texts",
            "Help texts give the defaults 14 for epochs and 1.0 for the learning rate; the true defaults are 1 and "
            "0.1.",
            "The same lines contain default=1 and default=0.1, and the printed Namespace agrees.",
            form=True,
        ),
        Section('"Model", MLP').erratum(
            "softmax_without_dimension",
            "log_softmax is called without a dimension; torch guesses the dimension and prints a warning.",
            "The printed output contains the line that caused the warning.",
            form=True,
        ),
        Section('Title, "Figure 3 (right)"').erratum(
            "typing_errors",
            "“Thereom” for “theorem”, “transfrom” for “transform”, “not exsist” for “do not exist”.",
            "The document contains these words.",
            form=True,
        ),
    ]
