"""The claims of document 003's bonus, on linear regression."""

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import Every, Is, Near
from workflow.deepnets.claims.measures import at_step, difference, extreme, final, ratio
from workflow.deepnets.claims.section import Section
from workflow.deepnets.documents.hierarchy.claims.readings import read_height
from workflow.deepnets.documents.hierarchy.measures.plateaus import count_of_drops
from workflow.deepnets.documents.hierarchy.measures.regression import rounded_errors, squared_errors
from workflow.deepnets.documents.hierarchy.printed import LOSS_WITHOUT_HIDDEN_LAYER, TOLERANCE
from workflow.deepnets.documents.hierarchy.runs import MAIN, REGRESSION, ZERO_DEPTH


def bonus() -> list[Claim]:
    """Return the claims of the exercise and of the demonstration."""
    return [*_exercise(), *_demonstration()]


def _exercise() -> list[Claim]:
    exercise = Section('"Coding Exercise 5.3.1: Analytical solution to LR"', "regression_exercise")
    analytical = Section('"Section 5.3: Analytical Linear Regression"')
    return [
        *exercise.settings(
            "regression",
            REGRESSION,
            {
                "inputs": ("regression_inputs", "There are {} independent variables."),
                "outputs": ("regression_outputs", "There are {} dependent variables."),
                "samples": ("regression_samples", "There are {} samples."),
                "weight_bound": ("regression_weights", "True weights are whole numbers below {}."),
                "noise": ("regression_noise", "The noise has the standard deviation {}."),
            },
        ),
        analytical.at("eq. 32").identity(
            "derivative_is_zero_at_the_solution",
            "At the solution the derivative of the loss is zero.",
            ratio(
                final("hierarchy", "gradient_norm", **MAIN), extreme("hierarchy", "gradient_norm", pick="max", **MAIN)
            ),
            Every(greatest=1e-3),
            because=(
                "Where training has ended, the gradient is to be less than a thousandth of the greatest on the way."
            ),
        ),
        analytical.at("eq. 33")
        .with_figure("regression_exercise")
        .identity(
            "analytical_solution",
            "Y Xᵀ (X Xᵀ)⁻¹ is the regression's solution: it finds the true weights but for the noise.",
            squared_errors(**REGRESSION),
            Near(1.0),
            because=(
                "The solution's errors are normal with the variance noise² (X Xᵀ)⁻¹: in units of it, their mean square "
                "is 1, within the standard error over draws."
            ),
        ),
        exercise.number(
            "estimates_round_to_the_truth",
            "Rounded to one decimal, as they are printed, the estimated weights are the true ones.",
            rounded_errors(**REGRESSION),
            Is(0),
            because="Whole numbers and noise of 0.01: an error of 0.05 would be some ten standard errors.",
            printed="np.round(W_estimate, 1)",
        ),
    ]


def _demonstration() -> list[Claim]:
    demonstration = Section('"Demonstration: Linear Regression vs. DLNN"', "zero_depth_loss")
    picture = demonstration.at("picture W1D2_Tutorial3_107_0")
    compared = demonstration.with_figure("weights_compared")
    return [
        *demonstration.settings(
            "hierarchy",
            ZERO_DEPTH,
            {
                "depth": ("zero_depth_has_no_hidden_layer", "The zero-depth network has one weight matrix."),
                "learning_rate": ("zero_depth_learning_rate", "Its learning rate is {}."),
                "steps": ("zero_depth_epochs", "It trains for {} epochs."),
            },
        ),
        *(
            read_height(
                picture,
                f"zero_depth_loss_at_{epoch}",
                f"At epoch {epoch} its loss is {{}}.",
                at_step("hierarchy", "train_loss", epoch, **ZERO_DEPTH),
                loss,
                because=(
                    "10,000 features leave the loss next to no scatter, and its course depends on nothing but the "
                    "spread of the init: the reading of the picture is uncertain by a line's width."
                ),
            )
            for epoch, loss in LOSS_WITHOUT_HIDDEN_LAYER.items()
        ),
        *(
            compared.at("the last print").bound(
                f"{name}_weights_are_analytical",
                f"The final weights of the {name.replace('_', '-')} network equal the analytical ones.",
                final("hierarchy", "weight_difference", **runs),
                Every(greatest=TOLERANCE),
                because=(
                    "The document's own tolerance, for the largest difference of any weight; its relative part is "
                    "small."
                ),
                printed="atol=1e-02",
            )
            for name, runs in (("zero_depth", ZERO_DEPTH), ("deep", MAIN))
        ),
        compared.ordering(
            "different_paths",
            "They get there on very different paths.",
            difference(count_of_drops(**MAIN), count_of_drops(**ZERO_DEPTH)),
            Every(least=1),
            because="The deep network's loss is to have more drops than the other's, seed by seed.",
        ),
    ]
