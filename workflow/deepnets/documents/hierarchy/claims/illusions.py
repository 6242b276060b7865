"""The claims of document 003, section 4, on plateaus and on false predictions."""

from deepnets.claims.claim import Claim, Measure
from deepnets.claims.criteria import Every, Includes, Is
from deepnets.claims.old_measures import difference, extreme, final, setting
from deepnets.claims.section import READ_OFF, Runs, Section, combine_parts
from deepnets.documents.hierarchy.claims.modes import MODES
from deepnets.documents.hierarchy.claims.readings import EACH_RUN, read_heights, read_times
from deepnets.documents.hierarchy.measures import plateaus
from deepnets.documents.hierarchy.measures.features import agreement_with_added_feature, share_of_cells
from deepnets.documents.hierarchy.measures.singular_values import half_time_of_level, share_of_level
from deepnets.documents.hierarchy.printed import (
    DATA,
    FALLS,
    HALF_TIMES,
    PREDICTION_AFTER_DROPS,
    RISES,
    SHARES_OF_LEVELS,
)
from deepnets.documents.hierarchy.runs import BONES, GOLDFISH, MAIN, PARROT, SHARK

_SECTION = Section('"Section 4: Illusory Correlations"')
# The level of the tree that is learned when the prediction rises.
_RISES_WITH = {"shark": 1, "parrot": 0}
_BOTH = {"shark": SHARK, "parrot": PARROT}
# 1 means yes: a prediction above 1 would not be a belief.
_BELIEF = Every(0.25, 1.0)
_NO_BOUND_ABOVE = "a bound above was missing: numbers far beyond 1 are no belief, and would have passed."
_OVERCOME = Every(greatest=-0.99)


def illusion_claims() -> list[Claim]:
    """Return the claims on plateaus, of the demonstration (the shark) and of the exercise (the parrot)."""
    demonstration = Section('"Demonstration: Illusory Correlations"', "illusory_shark")
    exercise = Section('"Exercise 4: Illusory Correlations"', "illusory_parrot")
    return [
        *_plateau_claims(),
        *_data_claims(demonstration, SHARK, "first", "picture W1D2_Tutorial3_76_0"),
        demonstration.with_figure("data_shark").identity(
            "no_data_say_that_sharks_have_bones",
            "The network never sees data in which sharks have bones.",
            final("hierarchy", "feature", index=9, **SHARK),
            Is(-1),
            quantity="target of the shark's added feature",
            because="The only sample of a shark has the target −1, in each run.",
        ),
        *_prediction_picture_claims(
            demonstration.at("picture W1D2_Tutorial3_79_0"),
            SHARK,
            "−0.25, 0.5 and 0.01 after one, two and three drops of the loss, and ends at −1",
        ),
        *_shark_claims(demonstration),
        *_data_claims(exercise, PARROT, "fourth", "picture W1D2_Tutorial3_82_0"),
        *_prediction_picture_claims(
            exercise.at("picture W1D2_Tutorial3_84_0"),
            PARROT,
            "0.755, 0.521 and 0.0215 after one, two and three drops of the loss, and ends at −1",
        ),
        exercise.of("prediction that parrots cannot speak").bound(
            "parrot_illusion_comes_and_goes",
            "During training the network comes to believe that parrots cannot speak; at the end it predicts that they "
            "can.",
            *combine_parts(
                {
                    "greatest": (extreme("hierarchy", "illusory_prediction", pick="max", **PARROT), _BELIEF),
                    "at the end": (_last_prediction(PARROT), _OVERCOME),
                }
            ),
            because=f"{EACH_RUN} The criteria are those of the shark.",
            revised=_NO_BOUND_ABOVE,
        ),
        *_shared_claims(),
    ]


def _plateau_claims() -> list[Claim]:
    """Return the claims on plateaus, and on a feature of all animals."""
    return [
        _SECTION.with_figure("training_loss")
        .of("ratio of a plateau's length to that of the next drop")
        .bound(
            "long_plateau_sudden_drop",
            "The loss has a long plateau, followed by a sudden drop.",
            plateaus.plateau_to_drop(**MAIN),
            Every(least=3),
            because="“Long” and “sudden” are relative: the plateau lasts at least three times as long as the drop.",
        ),
        _SECTION.of("least norm of the gradient on a plateau divided by the largest norm during training").bound(
            "plateaus_are_saddle_points",
            "On long plateaus the weights are stuck at a saddle point: the gradient almost vanishes there.",
            plateaus.gradient_on_plateaus(**MAIN),
            Every(greatest=0.1),
            because=(
                "The norm must be an order of magnitude below the run's largest, on each of its two longest plateaus "
                "that precede a drop."
            ),
        ),
        Section('"Demonstration: Illusory Correlations"', "bones_of_all_animals")
        .of("number of the mode, counted by levels of the tree")
        .ordering(
            "bones_come_with_the_second_mode",
            "If all four animals had bones, the network would learn “has bones” with the second mode.",
            plateaus.mode_of_prediction(0.5, item=GOLDFISH, **BONES),
            Is(2),
            because=(
                "The half time nearest to the update at which the prediction for the goldfish reaches 0.5 must be that "
                "of the second mode."
            ),
            printed="second",
        ),
    ]


def _data_claims(section: Section, runs: Runs, place: str, picture: str) -> list[Claim]:
    """Return the claims on the feature that a block adds, and on the picture of its data.

    place: which item is renamed, such as "first".
    """
    block, data = runs["block"], runs["data"]
    added = ", ".join(map(str, data["added_feature"])).replace("-", "−")
    shown = section.with_figure(f"data_{block}")
    return [
        shown.setting(
            f"{block}_in_the_data",
            f"The {block} replaces the {place} item; the added feature is {added} for the eight items.",
            *combine_parts(
                {
                    "item": (
                        setting("hierarchy", "data.illusory_item", block=block),
                        Includes(data["illusory_item"]),
                    ),
                    "feature": (agreement_with_added_feature(data["added_feature"], block=block), Includes(1)),
                }
            ),
            quantity="place of the item; whether the feature is the document's (1: yes)",
            because="Items are numbered from 0. For the feature, 1 means that the config adds the document's.",
            printed=f"{data['illusory_item']}; [{added}]",
        ),
        shown.at(picture)
        .of("share of the picture's 80 cells that agree with our data")
        .with_replayed_draws()
        .number(
            f"{block}_data",
            f"With the {block}, the picture shows the last nine sampled features and the added one.",
            share_of_cells(DATA[block], **runs, seed=2021),
            Is(1),
            because=(
                "NumPy draws the features from seed 2021, in the document's order of data sets: all cells must agree."
            ),
            printed=READ_OFF,
        ),
    ]


def _prediction_picture_claims(picture: Section, runs: Runs, heights: str) -> list[Claim]:
    """Return the claims on a picture of a prediction.

    heights: text with the predictions on plateaus of the loss and at the end.
    """
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
                    f"after drop {number}": (_prediction_on_plateau(number, first), prediction)
                    for number, prediction in PREDICTION_AFTER_DROPS[block].items()
                },
                "at the end": (_last_prediction(first), -1.0),
            },
        ),
        read_times(
            picture,
            f"{block}_times",
            f"The prediction for the {block} rises through {high:g} at epoch {rise:g} and falls through −0.5 at epoch "
            f"{FALLS[block]:g}; the modes of the levels of the tree reach half of their final singular values at "
            f"epochs {_join_numbers(halves)}.",
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
            f"With the {block}, the levels of the tree after the first end at singular values of "
            f"{_join_numbers(shares)} of the largest one.",
            {MODES[level]: (share_of_level(level, **first), share) for level, share in shares.items()},
        ),
    ]


def _shark_claims(section: Section) -> list[Claim]:
    predicted = section.of("prediction that sharks have bones")
    return [
        predicted.ordering(
            "starts_with_the_illusion",
            "The network starts by learning that sharks have bones.",
            _prediction_on_plateau(1, SHARK),
            Every(least=0),
            because="“Starts”: the prediction after the first drop of the loss must be yes.",
            main="it is the finding of the demonstration, in the document's own words",
            explanation=(
                "The document contradicts itself. The network first learns the mean of the feature over all items, "
                "−0.25: that no item has bones. The document's own picture shows this. The illusion comes with the "
                "second drop (shark_illusion), so that only “starts” does not hold."
            ),
        ),
        predicted.bound(
            "shark_illusion",
            "During training the network comes to believe that sharks have bones.",
            extreme("hierarchy", "illusory_prediction", pick="max", **SHARK),
            _BELIEF,
            because=f"{EACH_RUN} “Believe” means above 0.25 (0 is neutral), more than a feature's noise.",
            revised=_NO_BOUND_ABOVE,
        ),
        predicted.bound(
            "shark_illusion_is_overcome",
            "In later epochs the network overcomes the illusion that sharks have bones: nothing is left of it.",
            _last_prediction(SHARK),
            _OVERCOME,
            because=f"{EACH_RUN} The tolerance of 0.01 is a line's width in the picture.",
            printed="−1 (read off)",
            main="it is the second half of the demonstration's finding",
        ),
    ]


def _shared_claims() -> list[Claim]:
    """Return the claims of section 4 on both the shark and the parrot."""
    return [
        _SECTION.with_figure("illusory_shark")
        .of("prediction of the added feature after the second drop, −1 to 1")
        .bound(
            "stopped_early",
            "If training stops on a plateau, here after the second drop, the network keeps its illusion.",
            *combine_parts({name: (_prediction_on_plateau(2, runs), Every(least=0)) for name, runs in _BOTH.items()}),
            because=f"{EACH_RUN} Any positive prediction is wrong.",
        ),
        _SECTION.with_figure("illusory_shark")
        .of("prediction after the third drop minus that after the second")
        .ordering(
            "illusions_fade",
            "The illusion fades as the network learns deeper representations: the third drop lowers the prediction.",
            *combine_parts(
                {
                    name: (
                        difference(_prediction_on_plateau(3, runs), _prediction_on_plateau(2, runs)),
                        Every(greatest=0),
                    )
                    for name, runs in _BOTH.items()
                }
            ),
            because=f"{EACH_RUN} “Fades”: any decrease counts.",
        ),
    ]


def _prediction_on_plateau(number: int, runs: Runs) -> Measure:
    """Measure the prediction for the renamed item on the plateau after `number` drops of the loss."""
    return plateaus.on_plateau(number, "illusory_prediction", index=runs["data"]["illusory_item"], **runs)


def _last_prediction(runs: Runs) -> Measure:
    return final("hierarchy", "illusory_prediction", index=runs["data"]["illusory_item"], **runs)


def _join_numbers(values: dict[int, float]) -> str:
    *others, last = (f"{value:g}" for value in values.values())
    return f"{', '.join(others)} and {last}"
