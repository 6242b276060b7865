"""The claims of document 003's bonus, on linear regression."""

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import Every, Includes, Is
from workflow.deepnets.claims.measures import at_step, extreme, final, ratio, setting
from workflow.deepnets.claims.section import Section, in_parts
from workflow.deepnets.documents.hierarchy.claims.readings import read_heights
from workflow.deepnets.documents.hierarchy.measures.regression import largest_scaled_error, rounded_errors
from workflow.deepnets.documents.hierarchy.printed import LOSS_WITHOUT_HIDDEN_LAYER, TOLERANCE
from workflow.deepnets.documents.hierarchy.runs import MAIN, REGRESSION, ZERO_DEPTH

# Settings of the exercise, in words.
_SETTINGS = {
    "inputs": "independent variables",
    "outputs": "dependent variables",
    "samples": "samples",
    "weight_bound": "bound of the weights",
    "noise": "standard deviation of the noise",
}


def bonus() -> list[Claim]:
    """Return the claims of the exercise and of the demonstration."""
    return [*_exercise(), *_demonstration()]


def _exercise() -> list[Claim]:
    exercise = Section('"Coding Exercise 5.3.1: Analytical solution to LR"', "regression_exercise")
    analytical = Section('"Section 5.3: Analytical Linear Regression"')
    return [
        exercise.setting(
            "regression_data",
            "There are 3 independent and 3 dependent variables and 37 samples; true weights are whole numbers below "
            "10; the noise has the standard deviation 0.01.",
            *in_parts(
                {name: (setting("regression", key), Includes(REGRESSION[key])) for key, name in _SETTINGS.items()}
            ),
            printed="3, 3, 37, 10, 0.01",
        ),
        analytical.at("eq. 32").identity(
            "derivative_is_zero_at_the_solution",
            "At the solution the derivative of the loss is zero.",
            ratio(
                final("hierarchy", "gradient_norm", **MAIN), extreme("hierarchy", "gradient_norm", pick="max", **MAIN)
            ),
            Every(greatest=1e-3),
            quantity="norm of the final gradient over the greatest in training",
            because=(
                "Where training has ended, the gradient is to be less than a thousandth of the greatest on the way."
            ),
        ),
        analytical.at("eq. 33")
        .with_figure("regression_exercise")
        .identity(
            "analytical_solution",
            "Y Xᵀ (X Xᵀ)⁻¹ is the regression's solution: it finds the true weights but for the noise.",
            largest_scaled_error(**REGRESSION),
            Every(0, 5),
            quantity="largest error of a weight, in standard errors",
            because=(
                "The solution's errors are normal with the variance noise² (X Xᵀ)⁻¹: in units of it, one of nine "
                "weights is off by more than 5 in one of 200,000 draws."
            ),
            revised=(
                "the mean square of the errors was compared with 1 by the standard error of ten draws, which is too "
                "small where the mean square, a skewed quantity, is: 0.63 ± 0.11, where theory expects ± 0.17."
            ),
        ),
        exercise.identity(
            "estimates_round_to_the_truth",
            "Rounded to one decimal, as they are printed, the estimated weights are the true ones.",
            rounded_errors(**REGRESSION),
            Is(0),
            quantity="estimated weights that do not round to the true ones",
            because="Whole numbers and noise of 0.01: an error of 0.05 would be some ten standard errors.",
        ),
    ]


def _demonstration() -> list[Claim]:
    demonstration = Section('"Demonstration: Linear Regression vs. DLNN"', "zero_depth_loss")
    picture = demonstration.at("picture W1D2_Tutorial3_107_0")
    compared = demonstration.at("the last print").with_figure("weights_compared").of("largest difference of any weight")
    tolerance = "The document's own tolerance, for the largest difference of any weight; its relative part is small."
    return [
        *demonstration.settings(
            "hierarchy",
            ZERO_DEPTH,
            {
                "depth": ("zero_depth_has_no_hidden_layer", "The zero-depth network has one weight matrix."),
                "learning_rate": ("zero_depth_learning_rate", "The zero-depth network's learning rate is {}."),
            },
        ),
        read_heights(
            picture.of("mean squared error"),
            "zero_depth_losses",
            "At the epochs 0, 20, 50 and 100 the loss of the zero-depth network is 1.04, 0.377, 0.082 and 0.0064.",
            {
                f"epoch {epoch}": (at_step("hierarchy", "train_loss", epoch, **ZERO_DEPTH), loss)
                for epoch, loss in LOSS_WITHOUT_HIDDEN_LAYER.items()
            },
            because=(
                "10,000 features leave the loss next to no scatter, and its course depends only on the spread of the "
                "init: the reading of the picture is uncertain by a line's width."
            ),
            replayed=False,
        ),
        compared.bound(
            "zero_depth_weights_are_analytical",
            "The final weights of the zero-depth network equal the analytical ones, to 0.01.",
            final("hierarchy", "weight_difference", **ZERO_DEPTH),
            Every(greatest=TOLERANCE),
            because=tolerance,
            printed="at most 0.01 (atol=1e-02)",
        ),
        compared.bound(
            "deep_weights_are_analytical",
            "The final weights of the deep network equal the analytical ones, to 0.01.",
            final("hierarchy", "weight_difference", **MAIN),
            Every(greatest=TOLERANCE),
            because=tolerance,
            printed="at most 0.01 (atol=1e-02)",
            main="the tutorial ends with it: “they all arrive at the same results”",
        ),
    ]
