"""The claims of document 003, a tutorial on deep linear networks that learn the features of items in a tree."""

import numpy as np

from workflow.deepnets.claims.claim import Claim, Erratum, shown_in
from workflow.deepnets.claims.criteria import Every, Is, Mean, Near
from workflow.deepnets.claims.measures import at_step, difference, final, reduced, slope, updates
from workflow.deepnets.documents.hierarchy.claims.bonus import bonus
from workflow.deepnets.documents.hierarchy.claims.errata import errata
from workflow.deepnets.documents.hierarchy.claims.features import (
    distance_of_solution_from_features,
    mean_feature,
    share_of_split_siblings,
    sizes_of_features,
    spread_at_5000,
)
from workflow.deepnets.documents.hierarchy.claims.illusions import illusions
from workflow.deepnets.documents.hierarchy.claims.modes import modes, similarity
from workflow.deepnets.documents.hierarchy.claims.plateaus import (
    count_of_drops,
    gradient_on_plateaus,
    on_plateau,
    plateau_to_drop,
    time_of_drop,
    updates_to_loss,
)
from workflow.deepnets.documents.hierarchy.claims.representations import closeness
from workflow.deepnets.documents.hierarchy.claims.singular_values import count_of_modes
from workflow.deepnets.documents.hierarchy.runs import (
    DEPTHS,
    EACH_RUN,
    GOLDFISH,
    MAIN,
    ROBIN,
    ROSE,
    SLIDERS,
    TREE,
    TUNA,
    ZERO_DEPTH,
    pictured,
    read_off,
    settings,
)

TABLES = ("hierarchy", "regression")


def ledger() -> list[Claim | Erratum]:
    """Return what document 003 states, in its order, and its errata."""
    return [
        *_data(),
        *_network(),
        *_bumps(),
        *_sliders(),
        *modes(),
        *similarity(),
        *_plateaus(),
        *illusions(),
        *bonus(),
        *errata(),
    ]


def _data() -> list[Claim]:
    """ "Helper functions" (`build_tree`, `sample_from_tree`, `generate_hsd`), and what section 1 says of the data."""
    place = '"Helper functions", generate_hsd'
    printed = '"Section 1: Deep Linear Neural Nets", printed dimensions'
    return [
        *settings(
            place,
            ("branches", "Every node of the tree has 2 branches.", 2, "branches"),
            ("levels", "The tree has 3 levels.", 3, "levels"),
            figure="tree",
        ),
        *settings(
            place,
            ("flip_probability", "A feature flips on an edge with probability 0.15.", 0.15, "flip_probability"),
            ("features", "10,000 features are sampled.", 10_000, "features"),
        ),
        Claim(
            name="flips_as_set",
            place=place,
            figure="data",
            kind="formula",
            statement=(
                "Flips have probability 0.15 on each edge: two items of one parent differ in 2 · 0.15 · 0.85 = 25.5 %."
            ),
            printed=".15",
            measure=share_of_split_siblings(**MAIN),
            rule=Near(0.255),
            because="Ten features are recorded of each run; their mean share scatters as the standard error says.",
        ),
        Claim(
            name="even_odds_at_the_root",
            place=place,
            figure="data",
            kind="formula",
            statement="At the root a feature is yes or no at even odds, so that its mean over items is 0.",
            printed="0.5",
            measure=mean_feature(**MAIN),
            rule=Near(0.0),
            because="Ten features are recorded of each run; their mean scatters as the standard error says.",
        ),
        Claim(
            name="features_are_signs",
            place=place,
            figure="data",
            kind="formula",
            statement="Features are −1 or 1.",
            printed="(rand_temp > flip_temp) * 2 - 1",
            measure=sizes_of_features(**MAIN),
            rule=Is(1),
            because="A product of signs is a sign, without exception.",
        ),
        *settings(
            '"Set random seed"',
            ("seed", "The random seed is 2021.", 2021, "seed"),
            by=np.min,
            block="main",
        ),
        Claim(
            name="input_dimension",
            place=printed,
            figure="data",
            kind="number",
            statement="Inputs have 8 dimensions.",
            printed="8",
            measure=count_of_modes(**MAIN),
            rule=Is(8),
            because="A count is exact; there is one input dimension, and one singular value, for each item.",
        ),
        *settings(printed, ("output_dimension", "Outputs have 10,000 dimensions.", 10_000, "features"), block="main"),
        Claim(
            name="samples_are_labels",
            place=printed,
            figure="data",
            kind="formula",
            statement="There are 8 samples, each item's label once: their features are the network's only solution.",
            printed="8",
            measure=distance_of_solution_from_features(**MAIN),
            rule=Every(greatest=1e-6),
            because=(
                "Of one-hot labels the least-squares weights are the features themselves, but for rounding in float32."
            ),
        ),
        *settings(
            '"Plotting functions", plot_tree_data',
            ("shown_features", "10 features are shown.", 10, "recorded_features"),
            figure="data",
        ),
        Claim(
            name="fish_are_alike",
            place='"Section 1: Deep Linear Neural Nets"',
            figure="rsm_over_epochs",
            kind="ordering",
            statement=(
                "Goldfish and tuna have rather similar features: the network finds them closer than goldfish and robin."
            ),
            measure=closeness(GOLDFISH, TUNA, ROBIN, **MAIN),
            rule=Every(least=0),
            because=EACH_RUN,
        ),
        Claim(
            name="robin_is_closer_to_tuna",
            place='"Section 1: Deep Linear Neural Nets"',
            figure="rsm_over_epochs",
            kind="ordering",
            statement="The robin has more in common with the tuna than with the rose.",
            measure=closeness(ROBIN, TUNA, ROSE, **MAIN),
            rule=Every(least=0),
            because=EACH_RUN,
        ),
    ]


def _network() -> list[Claim]:
    """ "Section 0: Prelude", "Coding Exercise 0", and the settings of "Interactive Demo 1"."""
    place = '"Coding Exercise 0: Re-initialization"'
    return [
        *settings(
            '"Interactive Demo 1: Training the deep LNN"',
            ("one_hidden_layer", "The network has one hidden layer: two weight matrices.", 2, "depth"),
            ("hidden_units", "It has 30 hidden units.", 30, "hidden"),
            ("learning_rate", "The learning rate is 100.", 100, "learning_rate"),
            ("scale", "The initialisation scale γ is 10⁻¹².", 1e-12, "scale"),
            ("epochs", "Training takes 250 epochs.", 250, "steps"),
            figure="training_loss",
            block="main",
        ),
        Claim(
            name="recorded_at_every_iteration",
            place='"Section 0: Prelude", train',
            kind="setting",
            statement="Singular values are recorded at each of 250 updates.",
            printed="executed and recorded at every iteration",
            measure=updates("hierarchy", "singular_value", **MAIN),
            rule=Is(250),
            because="The last record of every run is that of the last update.",
        ),
        *settings(
            '"Section 0: Prelude", train',
            ("similarity_at_every_iteration", "Similarities are recorded at every iteration.", 1, "record_rsm_every"),
            block="main",
        ),
        *(
            Claim(
                name=f"initial_spread_of_layer_{layer + 1}",
                place=f"{place}, eq. 22",
                kind="formula",
                statement=f"Weights of layer {layer + 1} start with the standard deviation γ √(1/(n_in + n_out)).",
                measure=final(
                    "hierarchy", "initial_deviation", index=layer, factor=np.sqrt(n_in + n_out) / MAIN["scale"], **MAIN
                ),
                rule=Near(1.0),
                because=(
                    "In units of the formula it is 1, but for the scatter of a sample, which the standard error holds."
                ),
            )
            for layer, (n_in, n_out) in enumerate([(8, TREE["hidden"]), (TREE["hidden"], TREE["features"])])
        ),
        Claim(
            name="spread_that_the_test_expects",
            place='"Helper functions", test_initializer_ex',
            kind="number",
            statement="With 5000 inputs, 5000 hidden units and γ = 1, the first layer's standard deviation is 0.01.",
            printed="0.01, to 1e-5",
            measure=spread_at_5000(**MAIN),
            rule=Near(0.01, error=1e-5, errors=1),
            because=(
                "The test's own tolerance; our initialiser's factor on standard normals is compared, without a draw."
            ),
        ),
        Claim(
            name="deep_is_slower",
            place='"Section 1: Deep Linear Neural Nets"',
            kind="ordering",
            statement=(
                "Depth slows down learning: at the document's own rates, a hidden layer halves the loss later than "
                "none."
            ),
            measure=difference(updates_to_loss(0.5, **MAIN), updates_to_loss(0.5, **ZERO_DEPTH)),
            rule=Every(least=0),
            because=(
                "Each run with a hidden layer, at rate 100, is compared with that of its seed without, at rate 1000."
            ),
        ),
        Claim(
            name="deeper_is_slower_at_one_rate",
            place='"Section 1: Deep Linear Neural Nets"',
            kind="trend",
            statement="Depth slows down learning: at one rate and scale, the loss after 250 updates grows with depth.",
            measure=slope("hierarchy", "train_loss", over="depth", **DEPTHS),
            rule=Mean(least=0),
            because=(
                "The document compares no depths here; at a rate at which all are stable, the slope of the final loss "
                "against 1 to 4 weight matrices, one for each seed, is to be clearly positive."
            ),
        ),
    ]


def _bumps() -> list[Claim]:
    """ "Interactive Demo 1": the picture of the loss, and what is asked of it."""
    place = '"Interactive Demo 1", picture W1D2_Tutorial3_42_0'
    first = {**MAIN, "seed": 2021}
    plateaus = {1: 0.689, 2: 0.503, 3: 0.2515}
    times = {0: 91.4, 1: 113.1, 2: 135.9, 3: 184.5}
    claims = [
        Claim(
            name="loss_has_bumps",
            place=place,
            kind="number",
            statement="The loss falls in four drops, with plateaus between them.",
            printed="4 (counted)",
            measure=count_of_drops(**MAIN),
            rule=Is(4),
            because=(
                "A count, in each run. A drop: updates that lower the loss at least a tenth as fast as the fastest "
                "does."
            ),
        ),
        read_off(
            "loss_at_the_start", place, "The loss starts at 1.", 1.0, at_step("hierarchy", "train_loss", 0, **first)
        ),
        *(
            read_off(
                f"loss_on_plateau_{number}",
                place,
                f"Behind {number} drop{'s' * (number > 1)}, the loss stays at {value:g}.",
                value,
                on_plateau(number, "train_loss", **first),
            )
            for number, value in plateaus.items()
        ),
        read_off("loss_at_the_end", place, "The loss ends at 0.", 0.0, final("hierarchy", "train_loss", **first)),
        *(
            pictured(
                f"time_of_drop_{number + 1}",
                place,
                f"Drop {number + 1} of the loss is half done at epoch {value:g}.",
                value,
                time_of_drop(number, **MAIN),
                level=number,
                runs=MAIN,
            )
            for number, value in times.items()
        ),
    ]
    return [
        *shown_in("training_loss", claims),
        Claim(
            name="no_bumps_without_a_hidden_layer",
            place='"Interactive Demo 1", Think!',
            figure="zero_depth_loss",
            kind="number",
            statement="Bumps have not been seen before: without a hidden layer, the loss falls in one go.",
            measure=count_of_drops(**ZERO_DEPTH),
            rule=Is(1),
            because="A count, in each run, by the same measure as the bumps.",
        ),
    ]


def _sliders() -> list[Claim]:
    """The sliders of "Interactive Demo 1" and of section 3, and what they are to show."""
    first, second = '"Interactive Demo 1", widget', '"Section 3: Representational Similarity Analysis (RSA)", widget'
    large = {**SLIDERS, "scale": [1, 10]}
    return [
        *settings(
            first,
            ("least_rate", "The slider of η starts at 1.", 1, "learning_rate"),
            ("least_scale", "The slider of γ starts at 10⁻¹⁵.", 1e-15, "scale"),
            figure="sweep_loss",
            by=np.min,
            block="sliders",
        ),
        *settings(
            first,
            ("greatest_rate", "The slider of η ends at 200.", 200, "learning_rate"),
            ("greatest_scale", "The slider of γ ends at 10.", 10, "scale"),
            figure="sweep_loss",
            by=np.max,
            block="sliders",
        ),
        *settings(
            second,
            ("least_rate_of_section_3", "Here the slider of η starts at 20.", 20, "learning_rate"),
            figure="larger_scale",
            by=np.min,
            block="larger_scale",
        ),
        Claim(
            name="large_scale_has_no_bumps",
            place='"Interactive Demo 1", Think!',
            figure="sweep_loss",
            kind="bound",
            statement="A large γ takes the bumps away: at η = 100 the loss has fewer than four drops.",
            measure=count_of_drops(**{**large, "learning_rate": 100}),
            rule=Every(greatest=3),
            because="That bumps could be “recovered” says that they are lost; γ is large from 1 on.",
        ),
        Claim(
            name="rate_recovers_bumps",
            place='"Interactive Demo 1", Think!; "Section 3", widget',
            figure="sweep_loss",
            kind="bound",
            statement="With a large γ, some η of the slider recovers the four bumps (the document asks whether).",
            measure=reduced(count_of_drops(**large), np.max),
            rule=Every(least=4),
            because="The document suggests it as a question; one rate with all four drops would be enough.",
        ),
    ]


def _plateaus() -> list[Claim]:
    """The first words of "Section 4: Illusory Correlations"."""
    place = '"Section 4: Illusory Correlations"'
    return [
        Claim(
            name="long_plateau_sudden_drop",
            place=place,
            figure="training_loss",
            kind="bound",
            statement="There is a long plateau, followed by a sudden drop.",
            measure=plateau_to_drop(**MAIN),
            rule=Every(least=3),
            because="Long and sudden are so by each other: the plateau lasts at least three times as long as the drop.",
        ),
        Claim(
            name="plateaus_are_saddle_points",
            place=place,
            kind="bound",
            statement="On long plateaus the weights are stuck at a saddle point: the gradient almost vanishes there.",
            measure=gradient_on_plateaus(**MAIN),
            rule=Every(greatest=0.1),
            because=(
                "An order of magnitude below the run's greatest, on both of its longest plateaus; the loss falls "
                "behind them."
            ),
        ),
    ]
