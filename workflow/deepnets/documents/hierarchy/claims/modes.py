"""The claims of document 003, sections 2 and 3, on singular values and representations."""

from workflow.deepnets.claims.claim import Claim, shown_in
from workflow.deepnets.claims.criteria import Every, Is
from workflow.deepnets.documents.hierarchy.claims.features import error_of_svd
from workflow.deepnets.documents.hierarchy.claims.plateaus import cosine_on_plateau, unexplained_on_plateaus
from workflow.deepnets.documents.hierarchy.claims.regression import largest_cosine_of_eigenvectors
from workflow.deepnets.documents.hierarchy.claims.representations import (
    closeness,
    distance_from_cosines,
    least_similarity_eigenvalue,
    overlap_of_modes,
)
from workflow.deepnets.documents.hierarchy.claims.singular_values import (
    count_of_modes,
    distance_from_data,
    distance_from_narrow_nets,
    half_time_of_level,
    lead_of_first_mode,
    scatter_of_last_half_times,
    scatter_of_last_singular_values,
    scatter_of_shallow_times,
    share_of_level,
    wait_between_levels,
)
from workflow.deepnets.documents.hierarchy.runs import (
    CANARY,
    EACH_RUN,
    FROM_SMALL,
    GOLDFISH,
    MAIN,
    OAK,
    REGRESSION,
    TUNA,
    pictured,
    read_off,
)


def modes() -> list[Claim]:
    """ "Section 2: Singular Value Decomposition (SVD)"."""
    place = '"Section 2: Singular Value Decomposition (SVD)"'
    picture = f"{place}, picture W1D2_Tutorial3_54_0"
    shares = {1: ("the second mode", 0.772), 2: ("the next two modes", 0.637), 3: ("the last four modes", 0.450)}
    # The picture draws them one epoch too early: see the errata.
    times = {0: 92.2, 1: 116.0, 2: 136.0, 3: 188.0}
    names = ("the first mode", "the second mode", "the next two modes", "the last four modes")
    return [
        Claim(
            name="product_ends_at_the_data",
            place=f"{place}, eq. 23",
            figure="loss_and_modes",
            kind="formula",
            statement="Both layers multiply to one matrix W_tot, whose singular values end at those of the data.",
            measure=distance_from_data(**MAIN),
            rule=Every(least=-1e-3, greatest=1e-3),
            because="In the picture all modes are flat at the end: within a tenth of a percent of what they tend to.",
        ),
        Claim(
            name="modes_are_independent",
            place=place,
            figure="half_times",
            kind="formula",
            statement="Each mode learns as a narrow network of its own, untangled from the others.",
            measure=distance_from_narrow_nets(**MAIN),
            rule=Every(least=-4, greatest=4),
            because=(
                "A mode starts from the norm of 30 random numbers, which moves the half time of the slowest modes by "
                "0.8 "
                "updates (standard deviation); four of these, and one for directions that are taken."
            ),
        ),
        Claim(
            name="any_matrix_has_an_svd",
            place=f"{place}, eq. 24",
            kind="formula",
            statement="Any real matrix is U Σ Vᵀ with orthogonal U and V.",
            measure=error_of_svd(**MAIN),
            rule=Every(greatest=1e-12),
            because="The recorded features, 8 × 10, are rebuilt to the rounding of float64, some 10⁻¹⁵ a number.",
        ),
        Claim(
            name="eigenvectors_need_not_be_orthogonal",
            place=place,
            kind="bound",
            statement="The eigenvectors of a square matrix need not be orthogonal.",
            measure=largest_cosine_of_eigenvectors(**REGRESSION),
            rule=Every(least=0.1),
            because="One example is enough: of the whole-number matrices of the regression, the most oblique.",
        ),
        *shown_in(
            "loss_and_modes",
            (
                read_off(
                    f"share_of_level_{level}",
                    picture,
                    f"In shares of the first, {words} end{'s' * (level == 1)} at {value:g}.",
                    value,
                    share_of_level(level, **{**MAIN, "seed": 2021}),
                )
                for level, (words, value) in shares.items()
            ),
        ),
        *shown_in(
            "loss_and_modes",
            (
                pictured(
                    f"half_time_of_level_{level}",
                    picture,
                    f"Half of what {names[level]} end{'s' * (level < 2)} at is reached behind {value:g} updates.",
                    value,
                    half_time_of_level(level, **MAIN),
                    level=level,
                    runs=MAIN,
                )
                for level, value in times.items()
            ),
        ),
        Claim(
            name="strong_modes_come_first",
            place=f"{place}, Think!",
            figure="half_times",
            kind="ordering",
            statement="The network first learns the modes with higher singular values, level by level.",
            measure=wait_between_levels(**MAIN),
            rule=Every(least=0),
            because=EACH_RUN + " The last mode of a level is to come before the first of the next.",
        ),
        Claim(
            name="variance_explained",
            place=f"{place}, Think!",
            figure="training_loss",
            kind="formula",
            statement=(
                "The variance that a mode explains is proportional to an eigenvalue: its singular value, squared."
            ),
            measure=unexplained_on_plateaus(**MAIN),
            rule=Every(least=-0.01, greatest=0.01),
            because=(
                "On a plateau, the loss is to be the share of what is not learned. In the middle of a short plateau "
                "modes "
                "have not quite ended, or begun: a percent is left for them."
            ),
        ),
    ]


def similarity() -> list[Claim]:
    """ "Section 3: Representational Similarity Analysis (RSA)"."""
    place = '"Section 3: Representational Similarity Analysis (RSA)"'
    return [
        Claim(
            name="eight_narrow_nets",
            place=place,
            figure="data_spectrum",
            kind="number",
            statement="The wide network breaks into 8 narrow ones.",
            printed="8",
            measure=count_of_modes(**MAIN),
            rule=Is(8),
            because="A count is exact.",
        ),
        Claim(
            name="first_net_is_fastest",
            place=place,
            figure="half_times",
            kind="ordering",
            statement="The narrow net with the highest singular value converges fastest.",
            measure=lead_of_first_mode(**MAIN),
            rule=Every(least=1),
            because=EACH_RUN + " Times differ where they differ by an update.",
        ),
        Claim(
            name="last_four_are_simultaneous",
            place=place,
            figure="half_times",
            kind="bound",
            statement="The last four converge almost simultaneously.",
            measure=scatter_of_last_half_times(**MAIN),
            rule=Every(greatest=0.2),
            because="“Almost”: their half times lie apart by at most a fifth of the wait before the first of them.",
        ),
        Claim(
            name="last_four_are_smallest",
            place=place,
            figure="loss_and_modes",
            kind="bound",
            statement="The last four have the smallest singular values, a group of their own.",
            measure=scatter_of_last_singular_values(**MAIN),
            rule=Every(least=0, greatest=0.2),
            because="As for their times: apart by at most a fifth of the gap to those above.",
        ),
        Claim(
            name="large_mode_parts_animals_from_plants",
            place=place,
            figure="rsm_over_epochs",
            kind="formula",
            statement=(
                "A narrow net with a larger mode learns the difference between animals and plants (a hypothesis)."
            ),
            measure=overlap_of_modes(((1, 1, 1, 1, -1, -1, -1, -1),), (1,), **MAIN),
            rule=Every(least=0.9),
            because="The second hidden mode is to hold nine tenths of this contrast, in each run.",
        ),
        Claim(
            name="small_mode_parts_fish_from_birds",
            place=place,
            figure="rsm_over_epochs",
            kind="formula",
            statement="A narrow net with a smaller mode learns the difference between fish and birds (a hypothesis).",
            measure=overlap_of_modes(((1, 1, -1, -1, 0, 0, 0, 0),), (2, 3), **MAIN),
            rule=Every(least=0.9),
            because="The third and fourth have nearly one singular value; together they are to hold it.",
        ),
        Claim(
            name="tuna_is_closer_to_canary",
            place=place,
            figure="rsm_over_epochs",
            kind="ordering",
            statement="Hidden activities are more similar for tuna and canary than for tuna and oak.",
            measure=closeness(TUNA, CANARY, OAK, **MAIN),
            rule=Every(least=0),
            because=EACH_RUN,
        ),
        Claim(
            name="similar_inputs_similar_activity",
            place=place,
            figure="rsm_over_epochs",
            kind="bound",
            statement="Hidden units learn representations, no look-up table: similar items share their activity.",
            measure=cosine_on_plateau(2, GOLDFISH, CANARY, **MAIN),
            rule=Every(least=0.5),
            because=(
                "A table has the cosine 0, one representation of both 1; on the plateau where animals are parted from "
                "plants."
            ),
        ),
        Claim(
            name="dot_product_is_cosine",
            place=place,
            kind="formula",
            statement="The dot product is also called cosine similarity.",
            measure=distance_from_cosines(**MAIN),
            rule=Every(greatest=0.01),
            because="If they were the same, they would agree to a percent of the cosine's range.",
        ),
        Claim(
            name="similarity_is_a_gram_matrix",
            place=f"{place}, eq. 25",
            kind="formula",
            statement="The similarity matrix is H Hᵀ: it has no negative eigenvalue.",
            measure=least_similarity_eigenvalue(**MAIN),
            rule=Every(least=-1e-6),
            because="Rounding in float32 may move a zero by some 10⁻⁷ of the largest.",
        ),
        Claim(
            name="no_representations_without_a_hidden_layer",
            place=place,
            kind="bound",
            statement=(
                "Without a hidden layer there is no learning of representations, even from an extremely small init."
            ),
            measure=scatter_of_shallow_times(**FROM_SMALL),
            rule=Every(greatest=1),
            because="No stages: all singular values reach half their ends within one update, in each run.",
        ),
    ]
