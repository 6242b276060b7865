"""The claims of document 003, sections 0 and 1, on the network, its training and its depth."""

import numpy as np

from deepnets.claims.claim import Claim
from deepnets.claims.criteria import Includes, Is, Mean, Near
from deepnets.claims.old_measures import final, setting, updates
from deepnets.claims.section import Section, combine_parts
from deepnets.documents.hierarchy.measures.depths import growth_of_loss_with_depth
from deepnets.documents.hierarchy.measures.features import spread_at_5000
from deepnets.documents.hierarchy.runs import DEPTHS, MAIN, PARROT, SHARK, TREE, ZERO_DEPTH

# The deep networks of section 1, and of the demonstration and the exercise of section 4.
_DEEP = {"section 1": MAIN, "shark": SHARK, "parrot": PARROT}


def network_claims() -> list[Claim]:
    """Return the claims on the network's settings, its init and its depth."""
    return [*_training_claims(), *_init_claims(), _depth_claim()]


def _training_claims() -> list[Claim]:
    """Return the claims on settings of "Interactive Demo 1" and later sections, and on the recorded steps."""
    demo = Section('"Interactive Demo 1: Training the deep LNN"', "training_loss")
    everywhere = Section('"Interactive Demo 1"; "Section 4: Illusory Correlations"', "training_loss")
    return [
        *demo.settings(
            "hierarchy",
            MAIN,
            {
                "depth": ("one_hidden_layer", "The network has one hidden layer: two weight matrices."),
                "hidden": ("hidden_units", "The hidden layer has {} units."),
            },
        ),
        _same_setting_claim(
            everywhere, "learning_rates", "In sections 1 and 4, the learning rate is 100.", "learning_rate", "100"
        ),
        _same_setting_claim(
            everywhere, "scales", "In sections 1 and 4, the initialisation scale γ is 10⁻¹².", "scale", "1e-12"
        ),
        demo.setting(
            "epochs",
            "Training takes {} epochs, with and without a hidden layer.",
            setting("hierarchy", "steps"),
            Includes(ZERO_DEPTH["steps"]),
        ),
        Section('"Section 0: Prelude", train').setting(
            "recorded_every_iteration",
            "Singular values and similarities are recorded at every iteration.",
            *combine_parts(
                {
                    "last update with singular values": (
                        updates("hierarchy", "singular_value", **MAIN),
                        Is(MAIN["steps"]),
                    ),
                    "updates between similarities": (
                        setting("hierarchy", "record_rsm_every", block="main"),
                        Includes(1),
                    ),
                }
            ),
            because="In every run, the last record must be that of the last update.",
            printed="executed and recorded at every iteration",
        ),
    ]


def _same_setting_claim(section: Section, name: str, statement: str, key: str, printed: str) -> Claim:
    """Claim that all deep networks have the same value of a setting or an axis."""
    parts = {
        where: (setting("hierarchy", key, block=runs["block"]), Includes(runs[key])) for where, runs in _DEEP.items()
    }
    return section.setting(name, statement, *combine_parts(parts), printed=printed)


def _init_claims() -> list[Claim]:
    sizes = [(8, TREE["hidden"]), (TREE["hidden"], TREE["features"])]
    layers = {
        f"layer {layer + 1} in units of the formula": (
            final("hierarchy", "initial_deviation", index=layer, factor=np.sqrt(n_in + n_out) / MAIN["scale"], **MAIN),
            Near(1.0, precision=0.1),
        )
        for layer, (n_in, n_out) in enumerate(sizes)
    }
    of_test = {"5000 inputs and hidden units with γ = 1": (spread_at_5000(**MAIN), Near(0.01, error=1e-5, errors=1))}
    return [
        Section('"Coding Exercise 0: Re-initialization", eq. 22; "Helper functions", test_initializer_ex').identity(
            "initial_spread",
            "Initial weights have the standard deviation γ √(1/(n_in + n_out)): with 5000 inputs, 5000 hidden units "
            "and γ = 1 it is 0.01, to within 1e-5.",
            *combine_parts(layers | of_test),
            quantity="standard deviation of the weights",
            because=(
                "In units of the formula, a sample's standard deviation is 1 up to scatter, which the standard error "
                "covers. For 5000 inputs we draw no sample and compare only our initialiser's factor."
            ),
            printed="1, 1 (in units of the formula); 0.01, to 1e-5",
        ),
    ]


def _depth_claim() -> Claim:
    return (
        Section('"Section 1: Deep Linear Neural Nets"')
        .of("loss per weight matrix")
        .trend(
            "deeper_is_slower_at_one_rate",
            "So far in the tutorial, depth just seems to slow down learning.",
            growth_of_loss_with_depth(**DEPTHS),
            Mean(least=0),
            because=(
                "The sentence is about the previous tutorial. This document compares no depths: its networks with and "
                "without a hidden layer have different rates, 100 and 1000. The slope of the final loss against depth "
                "at its own η and γ would be a test. At γ = 1 and η = 5, our own choice, deeper networks learn faster."
            ),
            revised=(
                "judged at the document's own γ = 10⁻¹², of which there are no runs of other depths; γ = 1, at which "
                "it was “not reproduced”, was our own choice, and the order reverses with γ."
            ),
        )
    )
