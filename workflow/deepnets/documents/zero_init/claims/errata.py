"""What is wrong in document 004 itself."""

from workflow.deepnets.claims.claim import Erratum


def errata() -> list[Erratum]:
    """Return the faults of the document, in its order."""
    return [
        Erratum(
            name="iterations_are_mislabelled",
            place='"Figure 3 (left)" and "(right)", code',
            statement="The axis “Iterations” says 50, 100, …, 950; the ranks are those behind updates 1, 51, …, 901.",
            evidence="train logs where batch_idx % 50 == 0, behind optimizer.step(); x_axis is arange(1, 20) · 50.",
        ),
        Erratum(
            name="init_is_printed_wrongly",
            place='"Figure 3 (left)", printed output',
            statement=(
                "Each run prints “Now training init=ZerO”, whichever init it has; with --save-model each would "
                "overwrite ZerO_mnist_cnn.pt, which is no CNN either."
            ),
            evidence="args.init keeps its default; the printed matrices are a partial identity's.",
        ),
        Erratum(
            name="theorem_without_biases",
            place='"Model", "Verification of Theorem 1"',
            statement=(
                "Theorem 1 is about nets without biases. With biases from one constant, padded units are alike but not "
                "zero, and the rank may reach 785."
            ),
            evidence=(
                "Units of equal weights and biases get equal gradients, one dimension beside those of the inputs; "
                "in the tests of this workflow, nets of 12 inputs reach a rank of 13."
            ),
        ),
        Erratum(
            name="narrow_nets_prove_nothing",
            place='"Figure 3 (left)"',
            statement="That ranks stay below 784 at n_h = 256 and 512 is no training degeneracy.",
            evidence="W₃ is n_h × n_h there: no init whatever could exceed n_h.",
        ),
        Erratum(
            name="not_the_figure_of_the_paper",
            place='"Verification of Theorem 1 (Figure 3 in the paper)"',
            statement="This is not the run of Figure 3: that has no biases, 20 epochs, and n_h = 2048 on the right.",
            evidence="The authors' own notebook and its pictures, whose axis goes to 19,000 updates.",
        ),
        Erratum(
            name="accuracy_of_the_log",
            place='"Training Pipeline on MNIST", train',
            statement=(
                "The logged “Accuracy” divides by all 60,000 images, also where few have been seen: it starts near 0 % "
                "and grows with the batches, however good the net is."
            ),
            evidence="100 · correct / len(train_loader.dataset) within the loop: at last at most 57,664 / 60,000.",
        ),
        Erratum(
            name="rank_is_not_stable_rank",
            place='"Training Pipeline on MNIST", comment',
            statement="The comment says “stable rank”; the code counts singular values above 0.0001.",
            evidence="compute_rank calls matrix_rank; the stable rank is the squared norm over its largest part.",
        ),
        Erratum(
            name="hidden_layers",
            place='"Model", MLP',
            statement="“4 hidden layers” are three: the fourth matrix gives the scores.",
            evidence="l1, l2 and l3 are followed by relu, l4 by log_softmax; the text above says “4-layer”.",
        ),
        Erratum(
            name="seed_comes_too_late",
            place='"Training Pipeline on MNIST", train_model',
            statement="The seed 1 fixes the order of the images only: random, OnE and Spray inits differ each time.",
            evidence="manual_seed runs within train_model, behind MLP(…); OnE and Spray draw from default_rng().",
        ),
        Erratum(
            name="spray_prints_one",
            place='"Model", Spray_Init_on_matrix',
            statement=(
                "Spray prints “OnE-Initializing”, and “Nothing extra to be done” for layers that it then inverts like "
                "the others."
            ),
            evidence="Both prints are copies of OnE's; the inversion below them runs in every case.",
        ),
        Erratum(
            name="defaults_in_help_texts",
            place='"Training Pipeline on MNIST", train_model',
            statement="Help texts give the defaults 14 for epochs and 1.0 for the rate; they are 1 and 0.1.",
            evidence="default=1 and default=0.1 stand beside them, and the printed Namespace agrees.",
        ),
        Erratum(
            name="cuda_cannot_be_used",
            place='"Training Pipeline on MNIST", train_model',
            statement="--no-cuda cannot be switched off, so that no run uses CUDA.",
            evidence="action='store_true' with default=True: the value is True with and without the option.",
        ),
        Erratum(
            name="softmax_without_dimension",
            place='"Model", MLP',
            statement="log_softmax is called without a dimension, which torch guesses, with a warning.",
            evidence="The printed output shows the line that the warning is about.",
        ),
        Erratum(
            name="right_figure_needs_the_left",
            place='"Figure 3 (right)", code',
            statement="The cell of the right figure cannot run alone: its axis is as long as the left figure's.",
            evidence="x_axis takes len(n_h_512_rank_list_dict['l3.weight']).",
        ),
        Erratum(
            name="typing_errors",
            place='Title, "Figure 3 (right)"',
            statement="“Thereom” is theorem, “transfrom” is transform, “not exsist” is do not exist.",
            evidence="As printed.",
        ),
    ]
