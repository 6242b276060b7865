"""The claims of document 002's conclusions, "Suitable Choices of Architectures" to "Expressivity"."""

import numpy as np

from deepnets.claims.claim import Claim
from deepnets.claims.criteria import Every, Mean, MeanWithin
from deepnets.claims.evidence import Evidence
from deepnets.claims.old_measures import difference, difference_of_means, not_testable
from deepnets.claims.section import Section
from deepnets.documents.propagation.criteria import EACH, HIGH_PROBABILITY, NOT_NEGLIGIBLE, with_slack
from deepnets.documents.propagation.measures import growth, over_layers, rows_of_net, share_within
from deepnets.documents.propagation.quantities import CHI, LOG_CHI, values_of
from deepnets.documents.propagation.runs import BN_FF, BN_RES, VANILLA


def conclusions() -> list[Claim]:
    """Return the claims of the slides after the results."""
    choices, expressivity = Section('"Suitable Choices of Architectures"'), Section('"Expressivity"')
    compared = "convolutional_and_fully_connected"
    return [
        choices.bound(
            "relu_is_a_bernoulli_vector",
            "A ReLU acts as a random Bernoulli vector: by symmetry, it passes half of the units.",
            over_layers(VANILLA, values_of("active_share"), np.mean),
            MeanWithin(0.49, 0.51),
            because="With normal weights, both signs are equally likely at every unit. We allow 2 % around ½.",
            quantity="share of units that a ReLU passes",
        ),
        choices.with_figure("logarithmic_version").trend(
            "resnets_counter_multiplicativity",
            "In resnets, χ grows less per unit with depth.",
            difference(growth(BN_RES, LOG_CHI, half=1), growth(BN_RES, LOG_CHI, half=2)),
            Every(least=0),
            because=f"ln χ grows by more over the first half than over the second. {EACH}",
            quantity="growth of ln χ per unit, first half minus second half",
        ),
        Section('"Adversarial Vulnerability"', compared).bound(
            "nets_are_noise_amplifiers",
            "In all set-ups of ReLU nets, χ ≳ 1: almost all nets amplify noise more than the identity does.",
            share_within((VANILLA, BN_FF, BN_RES), CHI, *with_slack(1, np.inf)),
            Every(least=HIGH_PROBABILITY),
            because="“≳” as in the document: up to a factor of 1 ± 0.1, in 95 of 100 layers and simulations.",
            quantity="share of layers and simulations with χ ≳ 1",
        ),
        expressivity.with_figure(compared).ordering(
            "gap_of_expressivity",
            "χ grows exponentially in feedforward nets with batch normalisation, but not in vanilla nets.",
            difference_of_means(growth(BN_FF, LOG_CHI, half=2), growth(VANILLA, LOG_CHI, half=2)),
            Mean(least=NOT_NEGLIGIBLE),
            because=(
                "χ must grow by 5 % a layer more in feedforward nets, over the second half of the depth, with the "
                "uncertainties of both."
            ),
            quantity="growth of ln χ per layer over the second half, feedforward minus vanilla",
            main="the slide “Expressivity” is about this gap",
        ),
        expressivity.identity(
            "batch_norm_merges_into_weights",
            "A net with batch normalisation is a vanilla net with other weights and biases.",
            _error_of_merged_net,
            Every(greatest=1e-9),
            quantity="largest difference of the outputs of both nets",
            because="An identity: after ten layers in float64, the outputs differ only by rounding.",
        ),
        expressivity.ordering(
            "gap_after_training",
            "The gap of expressivity between feedforward nets with batch normalisation and vanilla nets likely remains "
            "after training.",
            not_testable("no experiment trains these nets, and the slides show no trained nets"),
            Mean(least=0),
            because="A test would compare the growth of ln χ per layer in trained nets.",
            quantity="growth of ln χ per layer, feedforward minus vanilla",
        ),
    ]


def _error_of_merged_net(evidence: Evidence) -> np.ndarray:
    # Without runs of this net, the claim is not testable.
    rows_of_net(evidence, BN_FF)
    rng = np.random.default_rng(0)
    normalized = merged = rng.normal(size=(64, 20))
    for _layer in range(10):
        weights = rng.normal(size=(20, 20)) * np.sqrt(2 / 20)
        linear = normalized @ weights
        mean, scale = linear.mean(axis=0), 1 / np.sqrt(linear.var(axis=0) + 1e-3)
        normalized = np.maximum((linear - mean) * scale, 0)
        merged = np.maximum(merged @ (weights * scale) - mean * scale, 0)
    return np.array([np.abs(merged - normalized).max()])
