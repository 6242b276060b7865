"""The claims of document 003, sections 0 and 1, on the network and its training, and on depth."""

import numpy as np

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import Includes, Is, Mean, Near
from workflow.deepnets.claims.measures import final, setting, updates
from workflow.deepnets.claims.section import Section, in_parts
from workflow.deepnets.documents.hierarchy.measures.depths import growth_of_loss_with_depth
from workflow.deepnets.documents.hierarchy.measures.features import spread_at_5000
from workflow.deepnets.documents.hierarchy.runs import DEPTHS, MAIN, PARROT, SHARK, TREE, ZERO_DEPTH

# Deep networks: in the demonstrations of section 1 and 4, and in the exercise of section 4.
_DEEP = {"section 1": MAIN, "shark": SHARK, "parrot": PARROT}


def network() -> list[Claim]:
    """Return the claims on the network, its settings and its init, and on depth."""
    return [*_trained(), *_initialized(), _slow()]


def _trained() -> list[Claim]:
    """Return the claims on the settings of "Interactive Demo 1" and of later sections, and on what is recorded."""
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
        _same(everywhere, "learning_rates", "The learning rate is 100, in section 4 too.", "learning_rate", "100"),
        _same(everywhere, "scales", "The initialisation scale γ is 10⁻¹², in section 4 too.", "scale", "1e-12"),
        demo.setting(
            "epochs",
            "Training takes {} epochs, as does that of the network without a hidden layer.",
            setting("hierarchy", "steps"),
            Includes(ZERO_DEPTH["steps"]),
        ),
        Section('"Section 0: Prelude", train').setting(
            "recorded_every_iteration",
            "Singular values and similarities are recorded at every iteration.",
            *in_parts(
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
            because="The last record of every run is that of the last update.",
            printed="executed and recorded at every iteration",
        ),
    ]


def _same(section: Section, name: str, statement: str, key: str, printed: str) -> Claim:
    """Return the claim that all deep networks have the same value of a setting or an axis."""
    parts = {
        where: (setting("hierarchy", key, block=runs["block"]), Includes(runs[key])) for where, runs in _DEEP.items()
    }
    return section.setting(name, statement, *in_parts(parts), printed=printed)


def _initialized() -> list[Claim]:
    """Return the claim of "Coding Exercise 0"."""
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
            "Weights start with the standard deviation γ √(1/(n_in + n_out)): 0.01 with 5000 inputs, 5000 hidden units "
            "and γ = 1, to 1e-5.",
            *in_parts(layers | of_test),
            quantity="standard deviation of the weights",
            because=(
                "In units of the formula the deviation of a sample is 1, but for its scatter, which the standard error "
                "contains. For 5000 inputs our initialiser's factor on normal numbers is compared, without a draw."
            ),
            printed="1, 1 (in units of the formula); 0.01, to 1e-5",
        ),
    ]


def _slow() -> Claim:
    """Return the claim on depth with which section 1 begins."""
    return (
        Section('"Section 1: Deep Linear Neural Nets"')
        .of("loss per weight matrix")
        .trend(
            "deeper_is_slower_at_one_rate",
            "Depth just seems to slow down the learning, in the tutorial so far.",
            growth_of_loss_with_depth(**DEPTHS),
            Mean(least=0),
            because=(
                "The sentence is about the tutorial before. This document compares no depths: its networks with and "
                "without a hidden layer have the rates 100 and 1000. The slope of the final loss against the depth at "
                "its own η and γ would be a test. At γ = 1 and η = 5, our own choice, deeper networks learn faster."
            ),
            revised=(
                "judged at the document's own γ = 10⁻¹², of which there are no runs of other depths; γ = 1, at which "
                "it was “not reproduced”, was our own choice, and the order reverses with γ."
            ),
        )
    )
