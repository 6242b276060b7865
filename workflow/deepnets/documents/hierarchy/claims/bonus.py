"""The claims of document 003's bonus, on linear regression."""

from deepnets.claims.claim import Claim
from deepnets.claims.criteria import Every, Includes, Is
from deepnets.claims.old_measures import at_step, extreme, final, ratio, setting
from deepnets.claims.section import Section, combine_parts
from deepnets.documents.hierarchy.claims.readings import read_heights
from deepnets.documents.hierarchy.measures.regression import largest_scaled_error, rounded_errors
from deepnets.documents.hierarchy.printed import LOSS_WITHOUT_HIDDEN_LAYER, TOLERANCE
from deepnets.documents.hierarchy.runs import MAIN, REGRESSION, ZERO_DEPTH

# Setting of the exercise → its name in the claim.
_SETTINGS = {
    "inputs": "independent variables",
    "outputs": "dependent variables",
    "samples": "samples",
    "weight_bound": "bound of the weights",
    "noise": "standard deviation of the noise",
}


def bonus_claims() -> list[Claim]:
    """Return the claims of the bonus: the exercise and the demonstration."""
    return [*_exercise_claims(), *_demonstration_claims()]


def _exercise_claims() -> list[Claim]:
    exercise = Section('"Coding Exercise 5.3.1: Analytical solution to LR"', "regression_exercise")
    analytical = Section('"Section 5.3: Analytical Linear Regression"')
    return [
        exercise.setting(
            "regression_data",
            "The regression has 3 independent and 3 dependent variables and 37 samples; true weights are whole numbers "
            "below 10; the noise has standard deviation 0.01.",
            *combine_parts(
                {name: (setting("regression", key), Includes(REGRESSION[key])) for key, name in _SETTINGS.items()}
            ),
            printed="3, 3, 37, 10, 0.01",
        ),
        analytical.at("eq. 32").identity(
            "derivative_is_zero_at_the_solution",
            "The derivative of the loss is zero at the solution.",
            ratio(
                final("hierarchy", "gradient_norm", **MAIN), extreme("hierarchy", "gradient_norm", pick="max", **MAIN)
            ),
            Every(greatest=1e-3),
            quantity="norm of the final gradient divided by the largest norm during training",
            because="After training, the norm must be at most a thousandth of the largest norm during training.",
        ),
        analytical.at("eq. 33")
        .with_figure("regression_exercise")
        .identity(
            "analytical_solution",
            "Y Xᵀ (X Xᵀ)⁻¹ is the regression's solution: it equals the true weights up to the noise.",
            largest_scaled_error(**REGRESSION),
            Every(0, 5),
            quantity="largest error of a weight, in standard errors",
            because=(
                "The solution's errors are normal with variance noise² (X Xᵀ)⁻¹. In one of 200,000 draws, one of the "
                "nine weights is off by more than 5 standard errors."
            ),
            revised=(
                "the mean square of the errors was compared with 1 by the standard error of ten draws, which is too "
                "small where the mean square, a skewed quantity, is: 0.63 ± 0.11, where theory expects ± 0.17."
            ),
        ),
        exercise.identity(
            "estimates_round_to_the_truth",
            "Rounded to one decimal, as in the document's output, the estimated weights equal the true ones.",
            rounded_errors(**REGRESSION),
            Is(0),
            quantity="estimated weights that do not round to the true ones",
            because="True weights are whole numbers; an error of 0.05 would be about ten standard errors.",
        ),
    ]


def _demonstration_claims() -> list[Claim]:
    demonstration = Section('"Demonstration: Linear Regression vs. DLNN"', "zero_depth_loss")
    picture = demonstration.at("picture W1D2_Tutorial3_107_0")
    compared = demonstration.at("the last print").with_figure("weights_compared").of("largest difference of any weight")
    tolerance = "The limit is the document's own absolute tolerance; its relative tolerance is small."
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
                "With 10,000 features the loss hardly differs between runs and depends only on the standard deviation "
                "of the initial weights. Only the reading of the picture is uncertain, by a line's width."
            ),
            replayed=False,
        ),
        compared.bound(
            "zero_depth_weights_are_analytical",
            "The final weights of the zero-depth network equal the analytical ones to within 0.01.",
            final("hierarchy", "weight_difference", **ZERO_DEPTH),
            Every(greatest=TOLERANCE),
            because=tolerance,
            printed="at most 0.01 (atol=1e-02)",
        ),
        compared.bound(
            "deep_weights_are_analytical",
            "The final weights of the deep network equal the analytical ones to within 0.01.",
            final("hierarchy", "weight_difference", **MAIN),
            Every(greatest=TOLERANCE),
            because=tolerance,
            printed="at most 0.01 (atol=1e-02)",
            main="it is the tutorial's last result: “they all arrive at the same results”",
        ),
    ]
