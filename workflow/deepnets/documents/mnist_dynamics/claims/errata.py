"""What is wrong in document 001 itself."""

from workflow.deepnets.claims.claim import Erratum
from workflow.deepnets.claims.section import Section
from workflow.deepnets.documents.mnist_dynamics.printed import ACCURACIES, LOSS_OF_FIRST_DRAW, LOSSES


def errata() -> list[Erratum]:
    """Return the faults of the document, in its order."""
    target, backward, part_2 = Section('"Target function"'), Section('"Backward pass"'), Section('"Part 2: ???"')
    return [
        Section("introduction").erratum(
            "title_of_the_paper",
            "The paper's title begins with “Exact solutions”, not “Exact solution”.",
            "Saxe, McClelland and Ganguli 2013, arXiv:1312.6120.",
        ),
        Section("introduction").erratum(
            "no_claim_is_tested",
            "The notebook tests none of the paper's claims, as it says it will: it ends before.",
            "Part 1 trains a net and Part 2, headed “???”, ends with the definition of an update that is never "
            "run; no learning curve of a mode and no learning time is compared with the paper.",
        ),
        target.at("text").erratum(
            "number_of_images",
            "The text says P = 1000 images; the code takes 50,000.",
            "P = 50000 in the code; the printed accuracies are whole multiples of 1/50000 and not of 1/1000: "
            f"{ACCURACIES[0]} is 5,503 of 50,000.",
        ),
        Section('"Forward pass", comment of the code').erratum(
            "number_of_hidden_units",
            "The comment says 100 hidden units; the code has 32.",
            "Nl = [N, 32, M].",
        ),
        Section('"Forward pass", "Stepwise update", comments of the code').erratum(
            "norms_are_not_preserved",
            "Rows of norm 1 do not make a projection that preserves norms: a layer multiplies the mean squared "
            "norm of white inputs by units over inputs. What is kept is the mean square of a unit.",
            "A net of 100 inputs and 10 outputs leaves a tenth: initial_weights_preserve_norms.",
        ),
        backward.erratum(
            "gradient_of_the_sum",
            "The loss is a mean over images and outputs, but its gradient, dL/dE = 2E, is that of a sum. The rate "
            "1e-6 is not small: for the gradient of the loss as defined it is 0.5.",
            "`loss` is np.mean of P · M = 500,000 squares, `backward` has −2E; 500,000 · 1e-6 = 0.5.",
        ),
        backward.erratum(
            "constant_is_not_dropped",
            "The text drops the constant 2 of the gradient; the code keeps it.",
            "dL/dX_L = g(X) − f(X) in the text, dLdg = −2 * E in the code.",
        ),
        backward.erratum(
            "transposed_weights",
            "The gradient sent back through a layer is dL/dX_l · W_l, not dL/dX_l · W_lᵀ; and that with respect to "
            "W_lᵀ is X_{l−1}ᵀ · dL/dX_l, with the layer's input transposed and on the left.",
            "dL/dX_l is P × N_l and W_lᵀ is N_{l−1} × N_l: they do not multiply. The code is right.",
        ),
        backward.erratum(
            "gradient_upside_down",
            "The “gradient of its weight matrix with respect its output” is that of the output with respect to the "
            "weight matrix.",
            "The formula below it has dX_l above dW_lᵀ.",
        ),
        Section('"A step of learning", printed outputs').erratum(
            "losses_of_another_state",
            f"The losses {LOSSES[0]} and {LOSSES[1]} are not those of the printed code: both are too low.",
            "Of 20,000 inits as printed, with losses of 1.099 ± 0.045 (standard deviation) at first and "
            "0.664 ± 0.021 behind one step, none has the former or less, and 15 have the latter or less; see "
            f"loss_before_training and loss_after_1_step. The first draw's {LOSS_OF_FIRST_DRAW:.3f} is an ordinary "
            "one. Cells 330 to 338 ran in order; what ran between 170 and 330 is not shown.",
        ),
        Section('"Backward pass", "A step of learning"').erratum(
            "typing_errors",
            "“descreased” for “decreased”; W_l and W^l for the same matrix; “with respect W_l” without “to”.",
            "The words stand so in the text.",
        ),
        part_2.at("text").erratum(
            "covariance_with_the_output",
            "What can be computed before training are the covariances of the inputs and of targets and inputs, not "
            "cov[f(X), g(X)]: g changes with every update.",
            "The code below computes CXX, CYX and CYY from X and Y alone.",
        ),
        part_2.at("code").erratum(
            "unused_second_moment",
            "CYY is no covariance, as Y is not centred, and no update needs it.",
            "The columns of a one-hot code have means near 0.1; `backward` takes CXX and CYX.",
        ),
        part_2.at("last code cell").erratum(
            "compose_is_missing",
            "`compose`, the product of matrices, is not defined, so that the cell's function fails.",
            "Only this cell has the name. It must be W_L … W_1; `reduce`, which would give it, is never used.",
        ),
        part_2.at("last code cell").erratum(
            "updates_in_place",
            "The printed update is not equivalent to that of Part 1: it changes each matrix before it computes the "
            "next one's gradient.",
            "`W -= lr * dLdW` stands in the loop, whose next pass uses that W: printed_rule_is_equivalent.",
        ),
        part_2.at("last code cell").erratum(
            "rates_differ",
            "At the same rate, Part 2's step is not that of Part 1 but 2P = 100,000 times smaller.",
            "Its covariances are means over P images and its gradient has no factor 2: our rate of 0.1 is the "
            "document's 1e-6; see learning_rate.",
        ),
    ]
