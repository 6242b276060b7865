"""The claims of document 003, section 2, on singular values."""

from deepnets.claims.claim import Claim
from deepnets.claims.criteria import Every
from deepnets.claims.section import Section, combine_parts
from deepnets.documents.hierarchy.claims.readings import EACH_RUN, read_heights, read_times
from deepnets.documents.hierarchy.measures import singular_values
from deepnets.documents.hierarchy.measures.features import error_of_svd
from deepnets.documents.hierarchy.measures.plateaus import unexplained_on_plateaus
from deepnets.documents.hierarchy.measures.regression import largest_cosine_of_eigenvectors
from deepnets.documents.hierarchy.printed import HALF_TIMES, SHARES_OF_LEVELS
from deepnets.documents.hierarchy.runs import MAIN, REGRESSION

# The modes of each level of the tree.
MODES = ("first mode", "second mode", "next two modes", "last four modes")


def mode_claims() -> list[Claim]:
    """Return the claims of "Section 2: Singular Value Decomposition (SVD)"."""
    section = Section('"Section 2: Singular Value Decomposition (SVD)"')
    picture = section.at("picture W1D2_Tutorial3_54_0").with_figure("loss_and_modes")
    question = section.at("Think!")
    first = {**MAIN, "seed": 2021}
    return [
        section.at("eq. 23")
        .with_figure("loss_and_modes")
        .of("ratio of a final singular value to the data's, minus 1")
        .bound(
            "product_ends_at_the_data",
            "The product of both layers is one matrix W_tot, whose singular values end at those of the data.",
            singular_values.distance_from_data(**MAIN),
            Every(least=-1e-3, greatest=1e-3),
            because=(
                "In the picture all modes are flat at the end, within a tenth of a percent of their limits. We judge "
                "the mode with the largest difference in each run."
            ),
        ),
        section.with_figure("half_times")
        .of("half time of a mode minus that of its narrow network, updates")
        .bound(
            "modes_are_independent",
            "Each mode learns like a narrow network of its own, independently of the others.",
            singular_values.distance_from_narrow_nets(**MAIN),
            Every(least=-4, greatest=4),
            because=(
                "A mode starts from the norm of 30 random numbers, which moves the half time of the slowest modes by "
                "0.8 updates (standard deviation). We allow four standard deviations, and one more since earlier modes "
                "occupy directions of the hidden layer. We judge the mode with the largest difference in each run. "
                "Levels are learned about 20 updates apart."
            ),
            main="it is the purpose of the singular value decomposition: “we can break a deep wide LNN into multiple "
            "deep narrow LNN”",
        ),
        section.at("eq. 24").identity(
            "svd_has_orthogonal_vectors",
            "Any real matrix is U Σ Vᵀ with orthogonal U and V, whereas the eigenvectors of a square matrix need not "
            "be orthogonal.",
            *combine_parts(
                {
                    "error of U Σ Vᵀ and of orthogonality": (error_of_svd(**MAIN), Every(greatest=1e-12)),
                    "largest cosine of two eigenvectors": (
                        largest_cosine_of_eigenvectors(**REGRESSION),
                        Every(least=0.1),
                    ),
                }
            ),
            quantity="largest error of an entry; cosine",
            because=(
                "U Σ Vᵀ must equal the recorded 8 × 10 features up to rounding in float64. For eigenvectors one "
                "example is enough: the regression's whole-number matrix with the largest cosine."
            ),
        ),
        read_heights(
            picture.of("share of the largest singular value"),
            "shares_of_modes",
            "The second mode ends at 0.772 of the first mode's singular value, the next two at 0.637, the last four at "
            "0.45.",
            {
                MODES[level]: (singular_values.share_of_level(level, **first), share)
                for level, share in SHARES_OF_LEVELS["main"].items()
            },
        ),
        read_times(
            picture,
            "half_times_of_modes",
            "The first mode reaches half of its final singular value at epoch 92.2, the second at 116, the next two at "
            "136, the last four at 188.",
            {
                MODES[level]: (singular_values.half_time_of_level(level, **MAIN), update, level)
                for level, update in HALF_TIMES["main"].items()
            },
            runs=MAIN,
        ),
        question.with_figure("half_times")
        .of("half time of a mode minus that of the mode before it, updates")
        .ordering(
            "strong_modes_come_first",
            "The network first learns the features with higher singular values, level by level: the first narrow "
            "network converges fastest.",
            *combine_parts(
                {
                    f"{MODES[level]} to {MODES[level + 1]}": (
                        singular_values.wait_after_level(level, **MAIN),
                        Every(least=0),
                    )
                    for level in range(len(MODES) - 1)
                }
            ),
            because=f"{EACH_RUN} Half times: the last mode of a level must come before the first of the next.",
            main="it is the conclusion of section 2, with an exclamation mark, and the start of section 3",
            revised="each wait between two levels is judged and shown, where only the shortest was.",
        ),
        question.with_figure("training_loss")
        .of("loss on a plateau minus the share of squared singular values not yet learned")
        .bound(
            "variance_explained",
            "The variance that a mode explains is proportional to the square of its singular value.",
            unexplained_on_plateaus(**MAIN),
            Every(least=-0.01, greatest=0.01),
            because=(
                "On a plateau the loss must equal the share of squared singular values that is not yet learned. We "
                "allow one percent, because on a short plateau some modes have not quite ended or have already begun. "
                "We judge the plateau with the largest difference in each run."
            ),
        ),
    ]
