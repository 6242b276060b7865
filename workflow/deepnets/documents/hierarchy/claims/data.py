"""The claims of document 003, "Helper functions" and section 1, on the items and their features."""

import numpy as np

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import Every, Is, Near
from workflow.deepnets.claims.measures import reduced, setting
from workflow.deepnets.claims.section import Section
from workflow.deepnets.documents.hierarchy.claims.readings import EACH_RUN
from workflow.deepnets.documents.hierarchy.measures import features
from workflow.deepnets.documents.hierarchy.measures.representations import closeness
from workflow.deepnets.documents.hierarchy.measures.singular_values import count_of_modes
from workflow.deepnets.documents.hierarchy.runs import GOLDFISH, MAIN, ROBIN, ROSE, TREE, TUNA


def data() -> list[Claim]:
    """Return the claims on how the data are generated, and on what section 1 says of them."""
    section = Section('"Section 1: Deep Linear Neural Nets"')
    alike = section.with_figure("rsm_over_epochs")
    return [
        *_generated(),
        Section('"Set random seed"').setting(
            "seed", "The random seed is {}.", reduced(setting("hierarchy", "seed", block="main"), np.min), Is(2021)
        ),
        *_dimensions(section.at("printed dimensions")),
        Section('"Plotting functions", plot_tree_data', "data").setting(
            "shown_features", "{} features are shown.", setting("hierarchy", "recorded_features"), Is(10)
        ),
        alike.ordering(
            "fish_are_alike",
            "Goldfish and tuna have rather similar features: the network finds them closer than goldfish and robin.",
            closeness(GOLDFISH, TUNA, ROBIN, **MAIN),
            Every(least=0),
            because=EACH_RUN,
        ),
        alike.ordering(
            "robin_is_closer_to_tuna",
            "The robin has more in common with the tuna than with the rose.",
            closeness(ROBIN, TUNA, ROSE, **MAIN),
            Every(least=0),
            because=EACH_RUN,
        ),
    ]


def _generated() -> list[Claim]:
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
                "features": ("features", "10,000 features are sampled."),
            },
        ),
        shown.identity(
            "flips_as_set",
            "Flips have probability 0.15 on each edge: two items of one parent differ in 2 · 0.15 · 0.85 = 25.5 %.",
            features.share_of_split_siblings(**MAIN),
            Near(0.255),
            because="Ten features are recorded of each run; their mean share scatters as the standard error says.",
            printed=".15",
        ),
        shown.identity(
            "even_odds_at_the_root",
            "At the root a feature is yes or no at even odds, so that its mean over items is {}.",
            features.mean_feature(**MAIN),
            Near(0.0),
            because="Ten features are recorded of each run; their mean scatters as the standard error says.",
            printed="0.5",
        ),
        shown.identity(
            "features_are_signs",
            "Features are −1 or 1.",
            features.sizes_of_features(**MAIN),
            Is(1),
            because="A product of signs is a sign, without exception.",
            printed="(rand_temp > flip_temp) * 2 - 1",
        ),
    ]


def _dimensions(section: Section) -> list[Claim]:
    """Return the claims on the shapes of inputs and outputs that section 1 prints."""
    shown = section.with_figure("data")
    return [
        shown.number(
            "input_dimension",
            "Inputs have {} dimensions.",
            count_of_modes(**MAIN),
            Is(8),
            because="A count is exact; there is one input dimension, and one singular value, for each item.",
        ),
        *section.settings("hierarchy", MAIN, {"features": ("output_dimension", "Outputs have 10,000 dimensions.")}),
        shown.identity(
            "samples_are_labels",
            "There are 8 samples, each item's label once: their features are the network's only solution.",
            features.distance_of_solution_from_features(**MAIN),
            Every(greatest=1e-6),
            because=(
                "Of one-hot labels the least-squares weights are the features themselves, but for rounding in float32."
            ),
            printed="8",
        ),
    ]
