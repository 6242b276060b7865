"""The claims of document 003, section 3, on narrow nets and on representations in the hidden layer."""

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import Every, Is
from workflow.deepnets.claims.section import Section
from workflow.deepnets.documents.hierarchy.claims.readings import EACH_RUN
from workflow.deepnets.documents.hierarchy.measures import singular_values
from workflow.deepnets.documents.hierarchy.measures.plateaus import cosine_on_plateau
from workflow.deepnets.documents.hierarchy.measures.representations import (
    closeness,
    distance_from_cosines,
    least_similarity_eigenvalue,
    overlap_of_modes,
)
from workflow.deepnets.documents.hierarchy.runs import CANARY, FROM_SMALL, GOLDFISH, MAIN, OAK, TUNA

# Contrasts between the eight items.
_ANIMALS_AND_PLANTS, _FISH_AND_BIRDS = (1, 1, 1, 1, -1, -1, -1, -1), (1, 1, -1, -1, 0, 0, 0, 0)


def representations() -> list[Claim]:
    """Return the claims of "Section 3: Representational Similarity Analysis (RSA)"."""
    section = Section('"Section 3: Representational Similarity Analysis (RSA)"')
    half_times, similarities = section.with_figure("half_times"), section.with_figure("rsm_over_epochs")
    return [
        section.with_figure("data_spectrum").number(
            "eight_narrow_nets",
            "The wide network breaks into {} narrow ones.",
            singular_values.count_of_modes(**MAIN),
            Is(8),
            because="A count is exact.",
        ),
        half_times.ordering(
            "first_net_is_fastest",
            "The narrow net with the highest singular value converges fastest.",
            singular_values.lead_of_first_mode(**MAIN),
            Every(least=1),
            because=EACH_RUN + " Times differ where they differ by an update.",
        ),
        half_times.bound(
            "last_four_are_simultaneous",
            "The last four converge almost simultaneously.",
            singular_values.scatter_of_last_half_times(**MAIN),
            Every(greatest=0.2),
            because="“Almost”: their half times lie apart by at most a fifth of the wait before the first of them.",
        ),
        section.with_figure("loss_and_modes").bound(
            "last_four_are_smallest",
            "The last four have the smallest singular values, a group of their own.",
            singular_values.scatter_of_last_singular_values(**MAIN),
            Every(least=0, greatest=0.2),
            because="As for their times: apart by at most a fifth of the gap to those above.",
        ),
        similarities.identity(
            "large_mode_parts_animals_from_plants",
            "A narrow net with a larger mode learns the difference between animals and plants (a hypothesis).",
            overlap_of_modes((_ANIMALS_AND_PLANTS,), (1,), **MAIN),
            Every(least=0.9),
            because="The second hidden mode is to hold nine tenths of this contrast, in each run.",
        ),
        similarities.identity(
            "small_mode_parts_fish_from_birds",
            "A narrow net with a smaller mode learns the difference between fish and birds (a hypothesis).",
            overlap_of_modes((_FISH_AND_BIRDS,), (2, 3), **MAIN),
            Every(least=0.9),
            because="The third and fourth have nearly one singular value; together they are to hold it.",
        ),
        similarities.ordering(
            "tuna_is_closer_to_canary",
            "Hidden activities are more similar for tuna and canary than for tuna and oak.",
            closeness(TUNA, CANARY, OAK, **MAIN),
            Every(least=0),
            because=EACH_RUN,
        ),
        similarities.bound(
            "similar_inputs_similar_activity",
            "Hidden units learn representations, no look-up table: similar items share their activity.",
            cosine_on_plateau(2, GOLDFISH, CANARY, **MAIN),
            Every(least=0.5),
            because=(
                "A table has the cosine 0, one representation of both 1; on the plateau where animals are parted from "
                "plants."
            ),
        ),
        section.identity(
            "dot_product_is_cosine",
            "The dot product is also called cosine similarity.",
            distance_from_cosines(**MAIN),
            Every(greatest=0.01),
            because="If they were the same, they would agree to a percent of the cosine's range.",
        ),
        section.at("eq. 25").identity(
            "similarity_is_a_gram_matrix",
            "The similarity matrix is H Hᵀ: it has no negative eigenvalue.",
            least_similarity_eigenvalue(**MAIN),
            Every(least=-1e-6),
            because="Rounding in float32 may move a zero by some 10⁻⁷ of the largest.",
        ),
        section.bound(
            "no_representations_without_a_hidden_layer",
            "Without a hidden layer there is no learning of representations, even from an extremely small init.",
            singular_values.scatter_of_shallow_times(**FROM_SMALL),
            Every(greatest=1),
            because="No stages: all singular values reach half their ends within one update, in each run.",
        ),
    ]
