"""The claims of document 003, section 4, on plateaus and on features that are not true of a single item."""

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Every, Includes, Is
from workflow.deepnets.claims.measures import difference, extreme, final, setting
from workflow.deepnets.claims.section import READ_OFF, Runs, Section, in_parts
from workflow.deepnets.documents.hierarchy.claims.modes import MODES
from workflow.deepnets.documents.hierarchy.claims.readings import EACH_RUN, read_heights, read_times
from workflow.deepnets.documents.hierarchy.measures import plateaus
from workflow.deepnets.documents.hierarchy.measures.features import agreement_with_added_feature, share_of_cells
from workflow.deepnets.documents.hierarchy.measures.singular_values import half_time_of_level, share_of_level
from workflow.deepnets.documents.hierarchy.printed import (
    DATA,
    FALLS,
    HALF_TIMES,
    PREDICTION_AFTER_DROPS,
    RISES,
    SHARES_OF_LEVELS,
)
from workflow.deepnets.documents.hierarchy.runs import BONES, GOLDFISH, MAIN, PARROT, SHARK

_SECTION = Section('"Section 4: Illusory Correlations"')
# The level of the tree with which a prediction rises.
_RISES_WITH = {"shark": 1, "parrot": 0}
_BOTH = {"shark": SHARK, "parrot": PARROT}
# A prediction of more than yes, 1, would be no belief.
_BELIEF = Every(0.25, 1.0)
_NO_BOUND_ABOVE = "a bound above was missing: numbers far beyond 1 are no belief, and would have passed."
_OVERCOME = Every(greatest=-0.99)


def illusions() -> list[Claim]:
    """Return the claims on plateaus, of the demonstration (the shark), and of the exercise (the parrot)."""
    demonstration = Section('"Demonstration: Illusory Correlations"', "illusory_shark")
    exercise = Section('"Exercise 4: Illusory Correlations"', "illusory_parrot")
    return [
        *_plateaus(),
        *_data(demonstration, SHARK, "first", "picture W1D2_Tutorial3_76_0"),
        demonstration.with_figure("data_shark").identity(
            "no_data_say_that_sharks_have_bones",
            "The network never sees data by which sharks have bones.",
            final("hierarchy", "feature", index=9, **SHARK),
            Is(-1),
            quantity="target of the shark's added feature",
            because="The only sample of a shark has the target −1, in each run.",
        ),
        *_pictured(
            demonstration.at("picture W1D2_Tutorial3_79_0"),
            SHARK,
            "−0.25, 0.5 and 0.01 after one, two and three drops of the loss, and ends at −1",
        ),
        *_shark(demonstration),
        *_data(exercise, PARROT, "fourth", "picture W1D2_Tutorial3_82_0"),
        *_pictured(
            exercise.at("picture W1D2_Tutorial3_84_0"),
            PARROT,
            "0.755, 0.521 and 0.0215 after one, two and three drops of the loss, and ends at −1",
        ),
        exercise.of("prediction that parrots cannot speak").bound(
            "parrot_illusion_comes_and_goes",
            "During training the network comes to believe that parrots cannot speak; at the end it knows better.",
            *in_parts(
                {
                    "greatest": (extreme("hierarchy", "illusory_prediction", pick="max", **PARROT), _BELIEF),
                    "at the end": (_at_the_end(PARROT), _OVERCOME),
                }
            ),
            because=f"{EACH_RUN} By the same criteria as for the shark.",
            revised=_NO_BOUND_ABOVE,
        ),
        *_both(),
    ]


def _plateaus() -> list[Claim]:
    """Return the claims of the section's first words, and on a feature of all animals."""
    return [
        _SECTION.with_figure("training_loss")
        .of("ratio of a plateau's length to that of the next drop")
        .bound(
            "long_plateau_sudden_drop",
            "The loss has a long plateau, followed by a sudden drop.",
            plateaus.plateau_to_drop(**MAIN),
            Every(least=3),
            because="Long and sudden are so by each other: the plateau lasts at least three times as long as the drop.",
        ),
        _SECTION.of("least norm of the gradient on a plateau over the greatest in training").bound(
            "plateaus_are_saddle_points",
            "On long plateaus the weights are stuck at a saddle point: the gradient almost vanishes there.",
            plateaus.gradient_on_plateaus(**MAIN),
            Every(greatest=0.1),
            because=(
                "An order of magnitude below the run's greatest, on both of its longest plateaus; the loss falls "
                "after them."
            ),
        ),
        Section('"Demonstration: Illusory Correlations"', "bones_of_all_animals")
        .of("number of the mode, counted by levels of the tree")
        .ordering(
            "bones_come_with_the_second_mode",
            "If all four animals had bones, “has bones” would be learned with the second mode.",
            plateaus.mode_of_prediction(0.5, item=GOLDFISH, **BONES),
            Is(2),
            because=(
                "When the prediction for the goldfish is half true, the nearest half time is to be the second mode's."
            ),
            printed="second",
        ),
    ]


def _data(section: Section, runs: Runs, place: str, picture: str) -> list[Claim]:
    """Return the claims on the feature that a block adds, and on the picture of its data.

    place: of the renamed item, in words.
    """
    block, data = runs["block"], runs["data"]
    added = ", ".join(map(str, data["added_feature"])).replace("-", "−")
    shown = section.with_figure(f"data_{block}")
    return [
        shown.setting(
            f"{block}_in_the_data",
            f"The {block} takes the place of the {place} item; the added feature is {added} for the eight items.",
            *in_parts(
                {
                    "item": (
                        setting("hierarchy", "data.illusory_item", block=block),
                        Includes(data["illusory_item"]),
                    ),
                    "feature": (agreement_with_added_feature(data["added_feature"], block=block), Includes(1)),
                }
            ),
            quantity="place of the item; whether the feature is the document's (1: yes)",
            because="Items count from 0. For the feature, 1 means that the config adds the document's.",
            printed=f"{data['illusory_item']}; [{added}]",
        ),
        shown.at(picture)
        .of("share of the picture's 80 cells that agree")
        .with_replayed_draws()
        .number(
            f"{block}_data",
            "The last nine sampled features, and the added one, are those of the picture, cell by cell.",
            share_of_cells(DATA[block], **runs, seed=2021),
            Is(1),
            because=(
                "The features are numpy's for the seed 2021, in the document's order of data sets: all 80 cells agree."
            ),
            printed=READ_OFF,
        ),
    ]


def _pictured(picture: Section, runs: Runs, heights: str) -> list[Claim]:
    """Return the claims on a picture of a prediction. heights: on plateaus of the loss and at the end, in words."""
    block, item, first = runs["block"], runs["data"]["illusory_item"], {**runs, "seed": 2021}
    high, rise = RISES[block]
    shares, halves = SHARES_OF_LEVELS[block], HALF_TIMES[block]
    return [
        read_heights(
            picture.of("prediction of the added feature, −1 to 1"),
            f"{block}_predictions",
            f"The prediction for the {block} stays at {heights}.",
            {
                **{
                    f"after drop {number}": (_on_plateau(number, first), prediction)
                    for number, prediction in PREDICTION_AFTER_DROPS[block].items()
                },
                "at the end": (_at_the_end(first), -1.0),
            },
        ),
        read_times(
            picture,
            f"{block}_times",
            f"The prediction for the {block} rises through {high:g} at epoch {rise:g} and falls through −0.5 at epoch "
            f"{FALLS[block]:g}; the modes reach half their ends at the epochs {_listed(halves)}.",
            {
                "rise": (plateaus.time_of_prediction(high, item=item, **runs), rise, _RISES_WITH[block]),
                "fall": (
                    plateaus.time_of_prediction(-0.5, item=item, falling=True, **runs),
                    FALLS[block],
                    len(MODES) - 1,
                ),
                **{
                    MODES[level]: (half_time_of_level(level, **runs), update, level) for level, update in halves.items()
                },
            },
            runs=runs,
        ),
        read_heights(
            picture.of("share of the largest singular value"),
            f"{block}_shares_of_modes",
            f"With the {block}, the modes after the first end at {_listed(shares)} of it, by level of the tree.",
            {MODES[level]: (share_of_level(level, **first), share) for level, share in shares.items()},
        ),
    ]


def _shark(section: Section) -> list[Claim]:
    """Return the claims on how the illusion of the demonstration comes and goes."""
    predicted = section.of("prediction that sharks have bones")
    return [
        predicted.ordering(
            "starts_with_the_illusion",
            "The network starts by learning that sharks have bones.",
            _on_plateau(1, SHARK),
            Every(least=0),
            because="“Starts”: the first that it predicts, after the first drop of the loss, is to be yes.",
            main="it is the finding of the demonstration, in the document's own words",
            explanation=(
                "The document contradicts itself. The network first learns the mean of the feature over all items, "
                "−0.25: that nothing has bones, which the document's own picture shows. The illusion comes with the "
                "second drop (shark_illusion), so that only “starts” does not hold."
            ),
        ),
        predicted.bound(
            "shark_illusion",
            "During training the network comes to believe that sharks have bones.",
            extreme("hierarchy", "illusory_prediction", pick="max", **SHARK),
            _BELIEF,
            because=f"{EACH_RUN} More yes than no, by more than a feature's noise: a quarter of the range up to 1.",
            revised=_NO_BOUND_ABOVE,
        ),
        predicted.bound(
            "shark_illusion_is_overcome",
            "In later epochs the network sees beyond the illusion that sharks have bones: nothing is left of it.",
            _at_the_end(SHARK),
            _OVERCOME,
            because=f"{EACH_RUN} In the picture, a line's width is a hundredth.",
            printed="−1 (read off)",
            main="it is the other half of the demonstration's finding",
        ),
    ]


def _both() -> list[Claim]:
    """Return the claims of section 4 that hold of the shark and of the parrot."""
    return [
        _SECTION.with_figure("illusory_shark")
        .of("prediction of the added feature after the second drop, −1 to 1")
        .bound(
            "stopped_early",
            "Training that is stopped on a plateau, here after the second drop, leaves the network with its illusion.",
            *in_parts({name: (_on_plateau(2, runs), Every(least=0)) for name, runs in _BOTH.items()}),
            because=f"{EACH_RUN} Any positive prediction is the wrong answer.",
        ),
        _SECTION.with_figure("illusory_shark")
        .of("prediction after the third drop less that after the second")
        .ordering(
            "illusions_fade",
            "As the network learns deeper representations, its illusion fades: the third drop lowers the prediction.",
            *in_parts(
                {
                    name: (difference(_on_plateau(3, runs), _on_plateau(2, runs)), Every(greatest=0))
                    for name, runs in _BOTH.items()
                }
            ),
            because=f"{EACH_RUN} After the third drop the prediction is lower than after the second.",
        ),
    ]


def _on_plateau(number: int, runs: Runs) -> Measure:
    """Measure the prediction for the renamed item on a plateau of the loss. number: of drops before it."""
    return plateaus.on_plateau(number, "illusory_prediction", index=runs["data"]["illusory_item"], **runs)


def _at_the_end(runs: Runs) -> Measure:
    """Measure the last prediction for the renamed item."""
    return final("hierarchy", "illusory_prediction", index=runs["data"]["illusory_item"], **runs)


def _listed(values: dict[int, float]) -> str:
    *others, last = (f"{value:g}" for value in values.values())
    return f"{', '.join(others)} and {last}"
