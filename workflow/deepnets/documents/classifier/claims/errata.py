"""The errata of document 000."""

from deepnets.claims.claim import Erratum
from deepnets.claims.section import Section
from deepnets.documents.classifier.printed import STANDARD_ERRORS


def errata() -> list[Erratum]:
    """Return the errata, in the order of the document."""
    small, large = STANDARD_ERRORS["two_layers"], STANDARD_ERRORS["large_scale"]
    models = Section('"The models"')
    return [
        Section('"The models", "The explanation"').erratum(
            "standard_error_for_deviation",
            f"The “standard deviation” of {small:g} % and {large:g} % is the standard error of the mean, with divisor "
            "n.",
            "The code prints np.std(scores)/len(scores)**.5; see two_layers_uncertainty.",
        ),
        models.erratum(
            "one_data_set",
            "The ± covers only the variation of the initial weights, because all runs share one training set and one "
            "test set of 100 points. The binomial standard error of an accuracy near 60 % on 100 points is 4.9 %, "
            "eight times the quoted standard error.",
            "X is drawn once, above all loops; √(0.6 · 0.4 / 100) = 0.049.",
        ),
        models.erratum(
            "low_loss_is_no_proof_of_fit",
            "A mean cross entropy of 0.01 over 100 examples does not imply that all examples are classified correctly.",
            "One wrong example costs at least ln 2, and ln 2 / 100 = 0.0069 is below 0.01.",
        ),
        Section('"The explanation", last figure').erratum(
            "rate_of_the_last_figure",
            "The last picture does not show the original model: its learning rate was 0.1, not 0.03.",
            "With the rate 0.1, training ends after as many updates as in the picture: standard_scale_picture.",
        ),
    ]
