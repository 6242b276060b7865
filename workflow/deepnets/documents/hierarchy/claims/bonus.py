"""The claims of document 003's bonus, on linear regression."""

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import Every, Is, Near
from workflow.deepnets.claims.measures import at_step, difference, extreme, final, ratio
from workflow.deepnets.documents.hierarchy.claims.plateaus import count_of_drops
from workflow.deepnets.documents.hierarchy.claims.regression import rounded_errors, squared_errors
from workflow.deepnets.documents.hierarchy.printed import TOLERANCE
from workflow.deepnets.documents.hierarchy.runs import MAIN, REGRESSION, ZERO_DEPTH, settings

_EXERCISE = '"Coding Exercise 5.3.1: Analytical solution to LR"'
_COMPARED = '"Demonstration: Linear Regression vs. DLNN"'


def bonus() -> list[Claim]:
    """Return the claims of the exercise and of the demonstration."""
    picture = f"{_COMPARED}, picture W1D2_Tutorial3_107_0"
    return [
        *settings(
            _EXERCISE,
            ("regression_inputs", "There are 3 independent variables.", 3, "inputs"),
            ("regression_outputs", "There are 3 dependent variables.", 3, "outputs"),
            ("regression_samples", "There are 37 samples.", 37, "samples"),
            ("regression_weights", "True weights are whole numbers below 10.", 10, "weight_bound"),
            ("regression_noise", "The noise has the standard deviation 0.01.", 0.01, "noise"),
            figure="regression_exercise",
            experiment="regression",
        ),
        Claim(
            name="derivative_is_zero_at_the_solution",
            place='"Section 5.3: Analytical Linear Regression", eq. 32',
            kind="formula",
            statement="At the solution the derivative of the loss is zero.",
            measure=ratio(
                final("hierarchy", "gradient_norm", **MAIN), extreme("hierarchy", "gradient_norm", pick="max", **MAIN)
            ),
            rule=Every(greatest=1e-3),
            because=(
                "Where training has ended, the gradient is to be less than a thousandth of the greatest on the way."
            ),
        ),
        Claim(
            name="analytical_solution",
            place='"Section 5.3: Analytical Linear Regression", eq. 33',
            figure="regression_exercise",
            kind="formula",
            statement="Y Xᵀ (X Xᵀ)⁻¹ is the regression's solution: it finds the true weights but for the noise.",
            measure=squared_errors(**REGRESSION),
            rule=Near(1.0),
            because=(
                "The solution's errors are normal with the variance noise² (X Xᵀ)⁻¹: in units of it, their mean square "
                "is "
                "1, within the standard error over draws."
            ),
        ),
        Claim(
            name="estimates_round_to_the_truth",
            place=_EXERCISE,
            figure="regression_exercise",
            kind="number",
            statement="Rounded to one decimal, as they are printed, the estimated weights are the true ones.",
            printed="np.round(W_estimate, 1)",
            measure=rounded_errors(**REGRESSION),
            rule=Is(0),
            because="Whole numbers and noise of 0.01: an error of 0.05 would be some ten standard errors.",
        ),
        *settings(
            _COMPARED,
            ("zero_depth_has_no_hidden_layer", "The zero-depth network has one weight matrix.", 1, "depth"),
            ("zero_depth_learning_rate", "Its learning rate is 1000.", 1000, "learning_rate"),
            ("zero_depth_epochs", "It trains for 250 epochs.", 250, "steps"),
            figure="zero_depth_loss",
            block="zero_depth",
        ),
        *(
            Claim(
                name=f"zero_depth_loss_at_{epoch}",
                place=picture,
                figure="zero_depth_loss",
                kind="number",
                statement=f"At epoch {epoch} its loss is {value:g}.",
                printed=f"{value:g} (read off)",
                measure=at_step("hierarchy", "train_loss", epoch, **ZERO_DEPTH),
                rule=Near(value, error=0.004, errors=1),
                because=(
                    "10,000 features leave the loss next to no scatter, and its course depends on nothing but the "
                    "spread of the init: the reading of the picture is uncertain by a line's width."
                ),
            )
            for epoch, value in {0: 1.04, 20: 0.377, 50: 0.082, 100: 0.0064}.items()
        ),
        *(
            Claim(
                name=f"{name}_weights_are_analytical",
                place=f"{_COMPARED}, the last print",
                figure="weights_compared",
                kind="bound",
                statement=f"The final weights of the {words} network equal the analytical ones.",
                printed="atol=1e-02",
                measure=final("hierarchy", "weight_difference", **runs),
                rule=Every(greatest=TOLERANCE),
                because=(
                    "The document's own tolerance, for the largest difference of any weight; its relative part is "
                    "small."
                ),
            )
            for name, words, runs in (("zero_depth", "zero-depth", ZERO_DEPTH), ("deep", "deep", MAIN))
        ),
        Claim(
            name="different_paths",
            place=_COMPARED,
            figure="weights_compared",
            kind="ordering",
            statement="They get there on very different paths.",
            measure=difference(count_of_drops(**MAIN), count_of_drops(**ZERO_DEPTH)),
            rule=Every(least=1),
            because="The deep network's loss is to have more drops than the other's, seed by seed.",
        ),
    ]
