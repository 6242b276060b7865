"""The claims of document 003, section 2, on singular values."""

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import Every
from workflow.deepnets.claims.section import Section
from workflow.deepnets.documents.hierarchy.claims.readings import EACH_RUN, read_height, read_time
from workflow.deepnets.documents.hierarchy.measures import singular_values
from workflow.deepnets.documents.hierarchy.measures.features import error_of_svd
from workflow.deepnets.documents.hierarchy.measures.plateaus import unexplained_on_plateaus
from workflow.deepnets.documents.hierarchy.measures.regression import largest_cosine_of_eigenvectors
from workflow.deepnets.documents.hierarchy.printed import HALF_TIMES, SHARES_OF_LEVELS
from workflow.deepnets.documents.hierarchy.runs import MAIN, REGRESSION

_NAMES = ("the first mode", "the second mode", "the next two modes", "the last four modes")


def modes() -> list[Claim]:
    """Return the claims of "Section 2: Singular Value Decomposition (SVD)"."""
    section = Section('"Section 2: Singular Value Decomposition (SVD)"')
    picture = section.at("picture W1D2_Tutorial3_54_0").with_figure("loss_and_modes")
    question = section.at("Think!")
    return [
        section.at("eq. 23")
        .with_figure("loss_and_modes")
        .identity(
            "product_ends_at_the_data",
            "Both layers multiply to one matrix W_tot, whose singular values end at those of the data.",
            singular_values.distance_from_data(**MAIN),
            Every(least=-1e-3, greatest=1e-3),
            because="In the picture all modes are flat at the end: within a tenth of a percent of what they tend to.",
        ),
        section.with_figure("half_times").identity(
            "modes_are_independent",
            "Each mode learns as a narrow network of its own, untangled from the others.",
            singular_values.distance_from_narrow_nets(**MAIN),
            Every(least=-4, greatest=4),
            because=(
                "A mode starts from the norm of 30 random numbers, which moves the half time of the slowest modes by "
                "0.8 updates (standard deviation); four of these, and one for directions that are taken."
            ),
        ),
        section.at("eq. 24").identity(
            "any_matrix_has_an_svd",
            "Any real matrix is U Σ Vᵀ with orthogonal U and V.",
            error_of_svd(**MAIN),
            Every(greatest=1e-12),
            because="The recorded features, 8 × 10, are rebuilt to the rounding of float64, some 10⁻¹⁵ a number.",
        ),
        section.bound(
            "eigenvectors_need_not_be_orthogonal",
            "The eigenvectors of a square matrix need not be orthogonal.",
            largest_cosine_of_eigenvectors(**REGRESSION),
            Every(least=0.1),
            because="One example is enough: of the whole-number matrices of the regression, the most oblique.",
        ),
        *(
            read_height(
                picture,
                f"share_of_level_{level}",
                f"In shares of the first, {_NAMES[level]} end{'s' * (level == 1)} at {{}}.",
                singular_values.share_of_level(level, **MAIN, seed=2021),
                share,
            )
            for level, share in SHARES_OF_LEVELS["main"].items()
        ),
        *(
            read_time(
                picture,
                f"half_time_of_level_{level}",
                f"Half of what {_NAMES[level]} end{'s' * (level < 2)} at is reached behind {{}} updates.",
                singular_values.half_time_of_level(level, **MAIN),
                update,
                level=level,
                runs=MAIN,
            )
            for level, update in HALF_TIMES["main"].items()
        ),
        question.with_figure("half_times").ordering(
            "strong_modes_come_first",
            "The network first learns the modes with higher singular values, level by level.",
            singular_values.wait_between_levels(**MAIN),
            Every(least=0),
            because=EACH_RUN + " The last mode of a level is to come before the first of the next.",
        ),
        question.with_figure("training_loss").identity(
            "variance_explained",
            "The variance that a mode explains is proportional to an eigenvalue: its singular value, squared.",
            unexplained_on_plateaus(**MAIN),
            Every(least=-0.01, greatest=0.01),
            because=(
                "On a plateau, the loss is to be the share of what is not learned. In the middle of a short plateau "
                "modes have not quite ended, or begun: a percent is left for them."
            ),
        ),
    ]
