"""What is wrong in document 001 itself."""

from workflow.deepnets.claims.claim import Erratum
from workflow.deepnets.documents.mnist_dynamics.printed import ACCURACIES, LOSS_OF_FIRST_DRAW, LOSSES


def errata() -> list[Erratum]:
    """Faults of the document itself, in its order."""
    target, backward, step = '"Target function"', '"Backward pass"', '"A step of learning"'
    part_2 = '"Part 2: ???"'
    return [
        Erratum(
            name="title_of_the_paper",
            place="introduction",
            statement="The paper's title begins with “Exact solutions”, not “Exact solution”.",
            evidence="Saxe, McClelland and Ganguli 2013, arXiv:1312.6120.",
        ),
        Erratum(
            name="no_claim_is_tested",
            place="introduction",
            statement="The notebook tests none of the paper's claims, as it says it will: it ends before.",
            evidence=(
                "Part 1 trains a net and Part 2, headed “???”, ends with the definition of an update that is never "
                "run; no learning curve of a mode and no learning time is compared with the paper."
            ),
        ),
        Erratum(
            name="number_of_images",
            place=f"{target}, text",
            statement="The text says P = 1000 images; the code takes 50,000.",
            evidence=(
                "P = 50000 in the code; the printed accuracies are whole multiples of 1/50000 and not of 1/1000: "
                f"{ACCURACIES[0]} is 5,503 of 50,000."
            ),
        ),
        Erratum(
            name="number_of_hidden_units",
            place='"Forward pass", comment of the code',
            statement="The comment says 100 hidden units; the code has 32.",
            evidence="Nl = [N, 32, M].",
        ),
        Erratum(
            name="norms_are_not_preserved",
            place='"Forward pass", "Stepwise update", comments of the code',
            statement=(
                "Rows of norm 1 do not make a projection that preserves norms: a layer multiplies the mean squared "
                "norm of white inputs by units over inputs. What is kept is the mean square of a unit."
            ),
            evidence="A net of 100 inputs and 10 outputs leaves a tenth: initial_weights_preserve_norms.",
        ),
        Erratum(
            name="gradient_of_the_sum",
            place=backward,
            statement=(
                "The loss is a mean over images and outputs, but its gradient, dL/dE = 2E, is that of a sum. The rate "
                "1e-6 is not small: for the gradient of the loss as defined it is 0.5."
            ),
            evidence="`loss` is np.mean of P · M = 500,000 squares, `backward` has −2E; 500,000 · 1e-6 = 0.5.",
        ),
        Erratum(
            name="constant_is_not_dropped",
            place=backward,
            statement="The text drops the constant 2 of the gradient; the code keeps it.",
            evidence="dL/dX_L = g(X) − f(X) in the text, dLdg = −2 * E in the code.",
        ),
        Erratum(
            name="transposed_weights",
            place=backward,
            statement=(
                "The gradient sent back through a layer is dL/dX_l · W_l, not dL/dX_l · W_lᵀ; and that with respect to "
                "W_lᵀ is X_{l−1}ᵀ · dL/dX_l, with the layer's input transposed and on the left."
            ),
            evidence="dL/dX_l is P × N_l and W_lᵀ is N_{l−1} × N_l: they do not multiply. The code is right.",
        ),
        Erratum(
            name="gradient_upside_down",
            place=backward,
            statement=(
                "The “gradient of its weight matrix with respect its output” is that of the output with respect to the "
                "weight matrix."
            ),
            evidence="The formula below it has dX_l above dW_lᵀ.",
        ),
        Erratum(
            name="losses_of_another_state",
            place=f"{step}, printed outputs",
            statement=f"The losses {LOSSES[0]} and {LOSSES[1]} are not those of the printed code: both are too low.",
            evidence=(
                "Of 20,000 inits as printed, with losses of 1.099 ± 0.045 (standard deviation) at first and "
                "0.664 ± 0.021 behind one step, none has the former or less, and 15 have the latter or less; see "
                f"loss_before_training and loss_after_1_step. The first draw's {LOSS_OF_FIRST_DRAW:.3f} is an ordinary "
                "one. Cells 330 to "
                "338 ran in order; what ran between 170 and 330 is not shown."
            ),
        ),
        Erratum(
            name="typing_errors",
            place=f"{backward}, {step}",
            statement="“descreased” for “decreased”; W_l and W^l for the same matrix; “with respect W_l” without “to”.",
            evidence="The words stand so in the text.",
        ),
        Erratum(
            name="covariance_with_the_output",
            place=f"{part_2}, text",
            statement=(
                "What can be computed before training are the covariances of the inputs and of targets and inputs, not "
                "cov[f(X), g(X)]: g changes with every update."
            ),
            evidence="The code below computes CXX, CYX and CYY from X and Y alone.",
        ),
        Erratum(
            name="unused_second_moment",
            place=f"{part_2}, code",
            statement="CYY is no covariance, as Y is not centred, and no update needs it.",
            evidence="The columns of a one-hot code have means near 0.1; `backward` takes CXX and CYX.",
        ),
        Erratum(
            name="compose_is_missing",
            place=f"{part_2}, last code cell",
            statement="`compose`, the product of matrices, is not defined, so that the cell's function fails.",
            evidence="Only this cell has the name. It must be W_L … W_1; `reduce`, which would give it, is never used.",
        ),
        Erratum(
            name="updates_in_place",
            place=f"{part_2}, last code cell",
            statement=(
                "The printed update is not equivalent to that of Part 1: it changes each matrix before it computes the "
                "next one's gradient."
            ),
            evidence="`W -= lr * dLdW` stands in the loop, whose next pass uses that W: printed_rule_is_equivalent.",
        ),
        Erratum(
            name="rates_differ",
            place=f"{part_2}, last code cell",
            statement="At the same rate, Part 2's step is not that of Part 1 but 2P = 100,000 times smaller.",
            evidence=(
                "Its covariances are means over P images and its gradient has no factor 2: our rate of 0.1 is the "
                "document's 1e-6; see learning_rate."
            ),
        ),
    ]
