"""The errata of document 001."""

from deepnets.claims.claim import Erratum
from deepnets.claims.section import Section
from deepnets.documents.mnist_dynamics.printed import ACCURACIES, LOSS_OF_FIRST_DRAW, LOSSES


def errata() -> list[Erratum]:
    """Return the errata in the document's order."""
    return [*_part_1(), *_part_2()]


def _part_1() -> list[Erratum]:
    introduction, backward = Section("introduction"), Section('"Backward pass"')
    return [
        introduction.erratum(
            "title_of_the_paper",
            "The paper's title begins with “Exact solutions”, not “Exact solution”.",
            "Saxe, McClelland and Ganguli 2013, arXiv:1312.6120.",
            form=True,
        ),
        introduction.erratum(
            "no_claim_is_tested",
            "The notebook announces tests of the paper's claims but contains none.",
            "Part 1 trains a net. Part 2, headed “???”, ends with the definition of an update function that no cell "
            "calls. The notebook compares no learning curve of a mode and no learning time with the paper.",
        ),
        Section('"Target function", text').erratum(
            "number_of_images",
            "The text gives P = 1000 images; the code uses 50,000.",
            "P = 50000 in the code, and the printed accuracies are multiples of 1/50000 but not of 1/1000: "
            f"{ACCURACIES[0]} is 5,503 of 50,000.",
        ),
        Section('"Forward pass", comment of the code').erratum(
            "number_of_hidden_units",
            "The comment gives 100 hidden units; the code has 32.",
            "Nl = [N, 32, M].",
        ),
        Section('"Forward pass", "Stepwise update", comments of the code').erratum(
            "norms_are_not_preserved",
            "A matrix whose rows have norm 1 does not preserve norms: for white inputs, a layer multiplies the mean "
            "squared norm by its number of units, divided by its number of inputs. Only the mean square of each unit "
            "is preserved.",
            "With 100 inputs and 10 outputs, a tenth of the mean squared norm remains: initial_weights_preserve_norms.",
        ),
        backward.erratum(
            "gradient_of_the_sum",
            "The loss is a mean over images and outputs, but the gradient is that of a sum. With the gradient of "
            "this mean, the same steps need a learning rate of 0.5 instead of 1e-6, and 0.5 is not small.",
            "`loss` is np.mean of P · M = 500,000 squares, `backward` uses −2E; 500,000 · 1e-6 = 0.5.",
        ),
        backward.erratum(
            "constant_is_not_dropped",
            "The text drops the constant 2 of the gradient; the code keeps it.",
            "dL/dX_L = g(X) − f(X) in the text, dLdg = −2 * E in the code.",
        ),
        backward.erratum(
            "transposed_weights",
            "The gradient with respect to a layer's input is dL/dX_l · W_l, not dL/dX_l · W_lᵀ. The gradient with "
            "respect to W_lᵀ is X_{l−1}ᵀ · dL/dX_l: the transposed input is on the left.",
            "dL/dX_l is P × N_l and W_lᵀ is N_{l−1} × N_l: their product is not defined. The code is right.",
        ),
        backward.erratum(
            "gradient_upside_down",
            "The “gradient of its weight matrix with respect its output” is the gradient of the output with respect to "
            "the weight matrix.",
            "The formula below these words is dX_l divided by dW_lᵀ.",
            form=True,
        ),
        Section('"A step of learning", printed outputs').erratum(
            "unlikely_losses",
            f"The loss before training, {LOSSES[0]}, is too low for the printed code: only one init in 20,000 has a "
            f"loss this low or lower.",
            f"We drew 200,000 inits as printed: the loss before training is 1.100 ± 0.045 (mean and standard "
            f"deviation), and 10 inits have {LOSSES[0]} or less. The loss after one step, {LOSSES[1]}, is no second "
            f"anomaly: given the first loss, 0.593 ± 0.009 is expected. The loss of the first draw, "
            f"{LOSS_OF_FIRST_DRAW:.3f}, is ordinary. Other widths, depths, scales of the data and orders of the cells "
            f"do not explain the loss. If the weakest 16 of the 100 whitened components were 0, all six printed "
            f"numbers would be ordinary (squared Mahalanobis distance 3 instead of 16, from 300 inits each); this is "
            f"not proven. Cells 330 to 338 ran in order; the document does not show what ran between cells 170 and "
            f"330.",
        ),
        Section('"Backward pass", "A step of learning"').erratum(
            "typing_errors",
            "“descreased” for “decreased”; W_l and W^l for the same matrix; “with respect W_l” without “to”.",
            "The text contains these words.",
            form=True,
        ),
    ]


def _part_2() -> list[Erratum]:
    part_2 = Section('"Part 2: ???"')
    last_cell = part_2.at("last code cell")
    return [
        part_2.at("text").erratum(
            "covariance_with_the_output",
            "Before training, only the covariances of the inputs and of targets with inputs can be computed, not "
            "cov[f(X), g(X)]: g changes with every update.",
            "The code computes CXX, CYX and CYY from X and Y only.",
        ),
        part_2.at("code").erratum(
            "unused_second_moment",
            "CYY is no covariance, since Y is not centred, and no update needs it.",
            "The columns of a one-hot code have means near 0.1; `backward` uses CXX and CYX.",
            form=True,
        ),
        last_cell.erratum(
            "compose_is_missing",
            "`compose`, the product of matrices, is not defined: the function in this cell fails.",
            "Only this cell contains the name. It must mean W_L … W_1; `reduce`, which would compute it, is imported "
            "and never used.",
        ),
        last_cell.erratum(
            "updates_in_place",
            "The printed update is not equivalent to that of Part 1: it changes each matrix before it computes the "
            "gradient of the next.",
            "`W -= lr * dLdW` is in the loop, and the loop's next pass uses this W: printed_rule_is_equivalent.",
        ),
        last_cell.erratum(
            "rates_differ",
            "At the same rate, a step of Part 2 is smaller than a step of Part 1 by the factor 2P = 100,000.",
            "The covariances of Part 2 are means over P images, and its gradient has no factor 2. Our rate of 0.1 on "
            "covariances corresponds to the document's 1e-6 on sums; see learning_rate.",
        ),
    ]
