"""The claims of document 003, "Helper functions" and section 1, on items and features."""

from deepnets.claims.claim import Claim
from deepnets.claims.criteria import Every, Includes, Is, Near
from deepnets.claims.old_measures import setting
from deepnets.claims.section import Section, combine_parts
from deepnets.documents.hierarchy.claims.readings import EACH_RUN
from deepnets.documents.hierarchy.measures import features
from deepnets.documents.hierarchy.measures.representations import closeness
from deepnets.documents.hierarchy.measures.singular_values import count_of_modes, ratio_to_tree
from deepnets.documents.hierarchy.runs import CANARY, GOLDFISH, MAIN, OAK, ROBIN, ROSE, TREE, TUNA

_LEVELS = ("all items", "animals and plants", "their kinds", "single items")


def data_claims() -> list[Claim]:
    """Return the claims on the generation of the data, and those of section 1 about them."""
    section = Section('"Section 1: Deep Linear Neural Nets"')
    return [
        *_generation_claims(),
        Section('"Set random seed"').setting(
            "seed", "The random seed is {}.", setting("hierarchy", "seed", block="main"), Includes(2021)
        ),
        *_dimension_claims(section),
        Section('"Plotting functions", plot_tree_data', "data").setting(
            "shown_features",
            "Pictures of the data show {} features.",
            setting("hierarchy", "recorded_features"),
            Includes(10),
        ),
        section.with_figure("rsm_over_epochs")
        .of("difference of dot products of hidden activities")
        .ordering(
            "similarities_follow_the_tree",
            "The network represents related items more similarly: goldfish and tuna than goldfish and robin, robin and "
            "tuna than robin and rose, tuna and canary than tuna and oak.",
            *combine_parts(
                {
                    "goldfish to tuna less robin": (closeness(GOLDFISH, TUNA, ROBIN, **MAIN), Every(least=0)),
                    "robin to tuna less rose": (closeness(ROBIN, TUNA, ROSE, **MAIN), Every(least=0)),
                    "tuna to canary less oak": (closeness(TUNA, CANARY, OAK, **MAIN), Every(least=0)),
                }
            ),
            because=f"{EACH_RUN} Similarities are those after training; section 3 makes the third comparison.",
        ),
    ]


def _generation_claims() -> list[Claim]:
    """Return the claims on `build_tree`, `sample_from_tree` and `generate_hsd`."""
    section = Section('"Helper functions", generate_hsd')
    shown = section.with_figure("data")
    return [
        *section.with_figure("tree").settings(
            "hierarchy",
            TREE,
            {
                "branches": ("branches", "Every node of the tree has {} branches."),
                "levels": ("levels", "The tree has {} levels."),
            },
        ),
        *section.settings(
            "hierarchy",
            TREE,
            {
                "flip_probability": ("flip_probability", "A feature flips on an edge with probability {}."),
                "features": ("features", "10,000 features are sampled: outputs have 10,000 dimensions."),
            },
        ),
        shown.identity(
            "features_as_generated",
            "A feature flips on an edge with probability 0.15, so that two items of one parent differ in 2 · 0.15 · "
            "0.85 = 25.5 % of features. It is yes or no with equal odds at the root, so that its mean is 0.",
            *combine_parts(
                {
                    "share in which siblings differ": (features.share_of_split_siblings(**MAIN), Near(0.255)),
                    "mean": (features.mean_feature(**MAIN), Near(0.0, precision=0.5)),
                }
            ),
            quantity="share of features, and mean of a feature",
            because="Each run records ten features; the standard errors cover their scatter.",
            printed="0.255, 0 (computed from .15 and 0.5)",
        ),
        shown.identity(
            "features_are_signs",
            "Features are −1 or 1.",
            features.sizes_of_features(**MAIN),
            Is(1),
            quantity="absolute value of a feature",
            because="A product of signs is always a sign.",
            printed="(rand_temp > flip_temp) * 2 - 1",
        ),
        Section('"Section 1: Deep Linear Neural Nets"', "data_spectrum").identity(
            "tree_spectrum",
            "A branching diffusion process makes the data hierarchical: each level of the tree has one singular value; "
            "in theory, these are 156.2, 122.5, 100.5 (twice) and 71.4 (four times).",
            *combine_parts(
                {
                    name: (ratio_to_tree(level, **MAIN), Near(1.0, error=0.003, precision=0.03))
                    for level, name in enumerate(_LEVELS)
                }
            ),
            quantity="singular value divided by theory's",
            because=(
                "We compare the mean singular value of each level with theory (Saxe, McClelland and Ganguli 2019). "
                "With 10,000 features, sampling leaves a scatter and a bias of up to 0.3 %."
            ),
        ),
    ]


def _dimension_claims(section: Section) -> list[Claim]:
    """Return the claims on the printed shapes of inputs and outputs in section 1."""
    shown = section.at("printed dimensions").with_figure("data")
    return [
        shown.identity(
            "input_dimension",
            "Inputs have {} dimensions, one for each item, so that the wide network breaks into {} narrow ones "
            "(section 3).",
            count_of_modes(**MAIN),
            Is(8),
            quantity="dimensions of an input",
            because="A count is exact. The data have one singular value for each item.",
            printed="{}",
        ),
        shown.identity(
            "samples_are_labels",
            "There are 8 samples, one for each item's label: their features are the network's only solution.",
            features.distance_of_solution_from_features(**MAIN),
            Every(greatest=1e-6),
            quantity="largest difference of the least-squares weights and the features",
            because="For one-hot labels the least-squares weights equal the features, up to rounding in float32.",
        ),
    ]
