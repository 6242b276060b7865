"""The claims of document 003, section 2, on singular values."""

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import Every
from workflow.deepnets.claims.section import Section, in_parts
from workflow.deepnets.documents.hierarchy.claims.readings import EACH_RUN, read_heights, read_times
from workflow.deepnets.documents.hierarchy.measures import singular_values
from workflow.deepnets.documents.hierarchy.measures.features import error_of_svd
from workflow.deepnets.documents.hierarchy.measures.plateaus import unexplained_on_plateaus
from workflow.deepnets.documents.hierarchy.measures.regression import largest_cosine_of_eigenvectors
from workflow.deepnets.documents.hierarchy.printed import HALF_TIMES, SHARES_OF_LEVELS
from workflow.deepnets.documents.hierarchy.runs import MAIN, REGRESSION

# The modes of each level of the tree.
MODES = ("first mode", "second mode", "next two modes", "last four modes")


def modes() -> list[Claim]:
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
            "Both layers multiply to one matrix W_tot, whose singular values end at those of the data.",
            singular_values.distance_from_data(**MAIN),
            Every(least=-1e-3, greatest=1e-3),
            because=(
                "In the picture all modes are flat at the end: within a tenth of a percent of what they tend to. Of "
                "each run the mode counts that differs most."
            ),
        ),
        section.with_figure("half_times")
        .of("half time of a mode less that of its narrow network, updates")
        .bound(
            "modes_are_independent",
            "Each mode learns as a narrow network of its own, untangled from the others.",
            singular_values.distance_from_narrow_nets(**MAIN),
            Every(least=-4, greatest=4),
            because=(
                "A mode starts from the norm of 30 random numbers, which moves the half time of the slowest modes by "
                "0.8 updates (standard deviation). Four of these, and one for directions that are taken; of each run "
                "the mode counts that differs most. Levels are learned some 20 updates apart."
            ),
            main="the document uses the singular value decomposition for this: “we can break a deep wide LNN into "
            "multiple deep narrow LNN”",
        ),
        section.at("eq. 24").identity(
            "svd_has_orthogonal_vectors",
            "Any real matrix is U Σ Vᵀ with orthogonal U and V, whereas the eigenvectors of a square matrix need not "
            "be orthogonal.",
            *in_parts(
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
                "The recorded features, 8 × 10, are rebuilt to the rounding of float64. Of eigenvectors one example is "
                "enough: the most oblique of the regression's whole-number matrices."
            ),
        ),
        read_heights(
            picture.of("share of the largest singular value"),
            "shares_of_modes",
            "In shares of the first mode, the second ends at 0.772, the next two at 0.637, the last four at 0.45.",
            {
                MODES[level]: (singular_values.share_of_level(level, **first), share)
                for level, share in SHARES_OF_LEVELS["main"].items()
            },
        ),
        read_times(
            picture,
            "half_times_of_modes",
            "The first mode reaches half its end at epoch 92.2, the second at 116, the next two at 136, the last four "
            "at 188.",
            {
                MODES[level]: (singular_values.half_time_of_level(level, **MAIN), update, level)
                for level, update in HALF_TIMES["main"].items()
            },
            runs=MAIN,
        ),
        question.with_figure("half_times")
        .of("half time of a mode less that of the mode before it, updates")
        .ordering(
            "strong_modes_come_first",
            "The network first learns the features with higher singular values, level by level: the first narrow "
            "network converges fastest.",
            *in_parts(
                {
                    f"{MODES[level]} to {MODES[level + 1]}": (
                        singular_values.wait_after_level(level, **MAIN),
                        Every(least=0),
                    )
                    for level in range(len(MODES) - 1)
                }
            ),
            because=f"{EACH_RUN} The last mode of a level is to come before the first of the next, by half times.",
            main="it is the conclusion of section 2, with an exclamation mark, and the start of section 3",
            revised="each wait between two levels is judged and shown, where only the shortest was.",
        ),
        question.with_figure("training_loss")
        .of("loss on a plateau less the share of squared singular values that is left")
        .bound(
            "variance_explained",
            "The variance that a mode explains is proportional to the square of its singular value.",
            unexplained_on_plateaus(**MAIN),
            Every(least=-0.01, greatest=0.01),
            because=(
                "On a plateau the loss is to be the share of squared singular values that is not learned. In the "
                "middle of a short plateau modes have not quite ended, or begun: a percent is left for them. Of each "
                "run the plateau counts that differs most."
            ),
        ),
    ]
