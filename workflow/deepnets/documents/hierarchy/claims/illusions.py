"""The claims of document 003, section 4, on plateaus and on features that are not true of a single item."""

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Every, Is
from workflow.deepnets.claims.measures import difference, extreme, final
from workflow.deepnets.claims.section import Runs, Section
from workflow.deepnets.documents.hierarchy.claims.readings import EACH_RUN, read_height, read_time
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


def illusions() -> list[Claim]:
    """Return the claims on plateaus, of the demonstration (the shark), and of the exercise (the parrot)."""
    demonstration = Section('"Demonstration: Illusory Correlations"', "illusory_shark")
    exercise = Section('"Exercise 4: Illusory Correlations"', "illusory_parrot")
    return [
        *_plateaus(),
        demonstration.with_figure("").ordering(
            "bones_come_with_the_second_mode",
            "Were it true of all four animals, “has bones” would be learned with the second mode.",
            plateaus.mode_of_prediction(0.5, item=GOLDFISH, **BONES),
            Is(2),
            because=(
                "When the prediction for the goldfish is half true, the nearest half time is to be the second mode's."
            ),
            printed="second",
        ),
        *_settings(demonstration, SHARK, "first"),
        *_data(demonstration, SHARK, "picture W1D2_Tutorial3_76_0"),
        demonstration.with_figure("data_shark").bound(
            "no_data_say_that_sharks_have_bones",
            "The network never sees data by which sharks have bones.",
            final("hierarchy", "feature", index=9, **SHARK),
            Is(-1),
            because="The only sample of a shark is the target −1, in each run.",
        ),
        *_pictured(demonstration.at("picture W1D2_Tutorial3_79_0"), SHARK),
        demonstration.ordering(
            "starts_with_the_illusion",
            "The network starts by learning that sharks have bones.",
            _on_plateau(1, SHARK),
            Every(least=0),
            because="“Starts”: the first that it predicts, behind the first drop of the loss, is to be yes.",
        ),
        *_course(demonstration, SHARK, "sharks have bones"),
        *_settings(exercise, PARROT, "fourth"),
        *_data(exercise, PARROT, "picture W1D2_Tutorial3_82_0"),
        *_pictured(exercise.at("picture W1D2_Tutorial3_84_0"), PARROT),
        *_course(exercise, PARROT, "parrots cannot speak"),
    ]


def _plateaus() -> list[Claim]:
    """Return the claims of the section's first words."""
    return [
        _SECTION.with_figure("training_loss").bound(
            "long_plateau_sudden_drop",
            "There is a long plateau, followed by a sudden drop.",
            plateaus.plateau_to_drop(**MAIN),
            Every(least=3),
            because="Long and sudden are so by each other: the plateau lasts at least three times as long as the drop.",
        ),
        _SECTION.bound(
            "plateaus_are_saddle_points",
            "On long plateaus the weights are stuck at a saddle point: the gradient almost vanishes there.",
            plateaus.gradient_on_plateaus(**MAIN),
            Every(greatest=0.1),
            because=(
                "An order of magnitude below the run's greatest, on both of its longest plateaus; the loss falls "
                "behind them."
            ),
        ),
    ]


def _settings(section: Section, runs: Runs, place: str) -> list[Claim]:
    """Return the claims on which item is renamed, and on the training. place: of the item, in words."""
    block = runs["block"]
    return section.settings(
        "hierarchy",
        runs,
        {
            "data.illusory_item": (f"{block}_is_the_{place}_item", f"The {block} takes the place of the {place} item."),
            "learning_rate": (f"{block}_learning_rate", "The learning rate is again {}."),
            "scale": (f"{block}_scale", "γ is again 10⁻¹²."),
        },
    )


def _data(section: Section, runs: Runs, picture: str) -> list[Claim]:
    """Return the claims on the feature that a block adds, and on the picture of its data."""
    block, added = runs["block"], runs["data"]["added_feature"]
    shown = section.with_figure(f"data_{block}")
    return [
        shown.setting(
            f"{block}_feature",
            f"The added feature is {', '.join(map(str, added)).replace('-', '−')} for the eight items.",
            agreement_with_added_feature(added, block=block),
            Is(1),
            printed=str(added),
        ),
        shown.at(picture).number(
            f"{block}_data",
            "The last nine sampled features, and the added one, are those of the picture, cell by cell.",
            share_of_cells(DATA[block], **runs, seed=2021),
            Is(1),
            because=(
                "The features are numpy's for the seed 2021, in the document's order of data sets: all 80 cells agree."
            ),
            printed="; ".join(DATA[block]),
        ),
    ]


def _pictured(picture: Section, runs: Runs) -> list[Claim]:
    """Return the claims on a picture of a prediction: plateaus, singular values, and when they are reached."""
    block, item, first = runs["block"], runs["data"]["illusory_item"], {**runs, "seed": 2021}
    high, rise = RISES[block]
    return [
        *(
            read_height(
                picture,
                f"{block}_on_plateau_{number}",
                f"Behind {number} drop{'s' * (number > 1)} of the loss, the prediction stays at {_signed(prediction)}.",
                _on_plateau(number, first),
                prediction,
            )
            for number, prediction in PREDICTION_AFTER_DROPS[block].items()
        ),
        read_height(
            picture,
            f"{block}_at_the_end",
            "The prediction ends at −1.",
            final("hierarchy", "illusory_prediction", index=item, **first),
            -1.0,
        ),
        read_time(
            picture,
            f"{block}_rises",
            f"The prediction rises through {high:g} at epoch {{}}.",
            plateaus.time_of_prediction(high, item=item, **runs),
            rise,
            level=_RISES_WITH[block],
            runs=runs,
        ),
        read_time(
            picture,
            f"{block}_falls",
            "The prediction falls through −0.5 at epoch {}.",
            plateaus.time_of_prediction(-0.5, item=item, falling=True, **runs),
            FALLS[block],
            level=3,
            runs=runs,
        ),
        *(
            read_height(
                picture,
                f"{block}_share_of_level_{level}",
                f"In shares of the first, the modes of level {level} end at {{}}.",
                share_of_level(level, **first),
                share,
            )
            for level, share in SHARES_OF_LEVELS[block].items()
        ),
        *(
            read_time(
                picture,
                f"{block}_half_time_of_level_{level}",
                f"The modes of level {level} reach half their ends behind {{}} updates.",
                half_time_of_level(level, **runs),
                update,
                level=level,
                runs=runs,
            )
            for level, update in HALF_TIMES[block].items()
        ),
    ]


def _course(section: Section, runs: Runs, illusion: str) -> list[Claim]:
    """Return the claims on how an illusion comes and goes. illusion: what the network believes."""
    block, item = runs["block"], runs["data"]["illusory_item"]
    return [
        section.bound(
            f"{block}_illusion",
            f"During training the network comes to believe that {illusion}.",
            extreme("hierarchy", "illusory_prediction", pick="max", **runs),
            Every(least=0.25),
            because=f"{EACH_RUN} More yes than no, by more than a feature's noise: a quarter of the range up to 1.",
        ),
        _SECTION.with_figure(section.figure).bound(
            f"{block}_stopped_early",
            f"Training that stops on the plateau behind the second drop leaves the illusion that {illusion}.",
            _on_plateau(2, runs),
            Every(least=0),
            because=f"{EACH_RUN} Any positive prediction is the wrong answer.",
        ),
        section.ordering(
            f"{block}_illusion_fades",
            "In later epochs, with deeper representations, the network sees beyond it: each further level helps.",
            difference(_on_plateau(3, runs), _on_plateau(2, runs)),
            Every(greatest=0),
            because=f"{EACH_RUN} Behind the third drop the prediction is lower than behind the second.",
        ),
        section.bound(
            f"{block}_illusion_is_overcome",
            "At the end nothing is left of it.",
            final("hierarchy", "illusory_prediction", index=item, **runs),
            Every(greatest=-0.99),
            because=f"{EACH_RUN} In the picture, a line's width is a hundredth.",
            printed="−1 (read off)",
        ),
    ]


def _on_plateau(number: int, runs: Runs) -> Measure:
    """Measure the prediction for the renamed item on a plateau of the loss. number: of drops before it."""
    return plateaus.on_plateau(number, "illusory_prediction", index=runs["data"]["illusory_item"], **runs)


def _signed(value: float) -> str:
    return f"{value:g}".replace("-", "−")
