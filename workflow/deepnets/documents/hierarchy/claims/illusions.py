"""The claims of document 003, section 4, on features that are not true of a single item."""

from workflow.deepnets.claims.claim import Claim, shown_in
from workflow.deepnets.claims.criteria import Every, Is
from workflow.deepnets.claims.measures import difference, extreme, final
from workflow.deepnets.claims.settings import as_set
from workflow.deepnets.documents.hierarchy.claims.features import agreement_with_added_feature, share_of_cells
from workflow.deepnets.documents.hierarchy.claims.plateaus import mode_of_prediction, on_plateau, time_of_prediction
from workflow.deepnets.documents.hierarchy.claims.singular_values import half_time_of_level, share_of_level
from workflow.deepnets.documents.hierarchy.printed import CANNOT_SPEAK, HAS_BONES
from workflow.deepnets.documents.hierarchy.runs import BONES, EACH_RUN, PARROT, SHARK, pictured, read_off, settings

_DEMONSTRATION, _EXERCISE = '"Demonstration: Illusory Correlations"', '"Exercise 4: Illusory Correlations"'
# Pictures W1D2_Tutorial3_76_0 and _82_0, 1 for yes: nine sampled features and the added one.
_SHARK_DATA = (
    "0000110000",
    "0110010011",
    "0101110001",
    "1100010011",
    "0110111100",
    "0110110100",
    "0100010100",
    "0100010100",
)
_PARROT_DATA = (
    "0001111001",
    "0100111001",
    "0000111011",
    "0011011010",
    "1111011011",
    "1100111011",
    "1000011001",
    "1001110101",
)
_ITEM = {"shark": 0, "parrot": 3}


def illusions() -> list[Claim]:
    """Return the claims of the demonstration and of the exercise."""
    return [
        Claim(
            name="bones_come_with_the_second_mode",
            place=_DEMONSTRATION,
            kind="ordering",
            statement="Were it true of all four animals, “has bones” would be learned with the second mode.",
            printed="second",
            measure=mode_of_prediction(0.5, item=0, **BONES),
            rule=Is(2),
            because=(
                "When the prediction for the goldfish is half true, the nearest half time is to be the second mode's."
            ),
        ),
        *settings(
            _DEMONSTRATION,
            ("shark_is_the_first_item", "The shark takes the place of the first item.", 0, "data.illusory_item"),
            ("shark_learning_rate", "The learning rate is again 100.", 100, "learning_rate"),
            ("shark_scale", "γ is again 10⁻¹².", 1e-12, "scale"),
            figure="illusory_shark",
            block="shark",
        ),
        *_data("shark", _DEMONSTRATION, "W1D2_Tutorial3_76_0", _SHARK_DATA, HAS_BONES),
        Claim(
            name="no_data_say_that_sharks_have_bones",
            place=_DEMONSTRATION,
            figure="data_shark",
            kind="bound",
            statement="The network never sees data by which sharks have bones.",
            measure=final("hierarchy", "feature", index=9, **SHARK),
            rule=Is(-1),
            because="The only sample of a shark is the target −1, in each run.",
        ),
        *_pictured(
            "shark",
            f"{_DEMONSTRATION}, picture W1D2_Tutorial3_79_0",
            plateaus={1: -0.25, 2: 0.50, 3: 0.01},
            shares={1: 0.795, 2: 0.643, 3: 0.456},
            times={0: 94.0, 1: 114.1, 2: 137.4, 3: 186.2},
            rise=(0.125, 113.7, 1),
            end=184.2,
        ),
        Claim(
            name="starts_with_the_illusion",
            place=_DEMONSTRATION,
            figure="illusory_shark",
            kind="ordering",
            statement="The network starts by learning that sharks have bones.",
            measure=on_plateau(1, "illusory_prediction", index=0, **SHARK),
            rule=Every(least=0),
            because="“Starts”: the first that it predicts, behind the first drop of the loss, is to be yes.",
        ),
        *_course("shark", _DEMONSTRATION, "sharks have bones"),
        *settings(
            _EXERCISE,
            ("parrot_is_the_fourth_item", "The parrot takes the place of the fourth item.", 3, "data.illusory_item"),
            ("parrot_learning_rate", "The learning rate is again 100.", 100, "learning_rate"),
            ("parrot_scale", "γ is again 10⁻¹².", 1e-12, "scale"),
            figure="illusory_parrot",
            block="parrot",
        ),
        *_data("parrot", _EXERCISE, "W1D2_Tutorial3_82_0", _PARROT_DATA, CANNOT_SPEAK),
        *_pictured(
            "parrot",
            f"{_EXERCISE}, picture W1D2_Tutorial3_84_0",
            plateaus={1: 0.755, 2: 0.521, 3: 0.0215},
            shares={1: 0.792, 2: 0.643, 3: 0.461},
            times={0: 93.7, 1: 114.2, 2: 138.0, 3: 186.0},
            rise=(0.375, 94.2, 0),
            end=184.2,
        ),
        *_course("parrot", _EXERCISE, "parrots cannot speak"),
    ]


def _data(block: str, place: str, picture: str, cells: tuple[str, ...], added: list[int]) -> list[Claim]:
    """Claims on the feature that a block adds, and on the picture of its data."""
    runs = _runs(block)
    claims = [
        as_set(
            f"{block}_feature",
            place,
            f"The added feature is {', '.join(map(str, added)).replace('-', '−')} for the eight items.",
            1,
            agreement_with_added_feature(added, block),
            printed=str(added),
        ),
        Claim(
            name=f"{block}_data",
            place=f"{place}, picture {picture}",
            kind="number",
            statement="The last nine sampled features, and the added one, are those of the picture, cell by cell.",
            printed="; ".join(cells),
            measure=share_of_cells(cells, **{**runs, "seed": 2021}),
            rule=Is(1),
            because=(
                "The features are numpy's for the seed 2021, in the document's order of data sets: all 80 cells agree."
            ),
        ),
    ]
    return shown_in(f"data_{block}", claims)


def _pictured(
    block: str,
    place: str,
    *,
    plateaus: dict[int, float],
    shares: dict[int, float],
    times: dict[int, float],
    rise: tuple[float, float, int],
    end: float,
) -> list[Claim]:
    """Claims on what a picture of a prediction shows, read off: plateaus, singular values, and when they are reached.

    rise: a height, the update at which the prediction first gets there, and the level of the tree that is learned then;
    end: the update at which it falls to −0.5.
    """
    runs, item = _runs(block), _ITEM[block]
    first = {**runs, "seed": 2021}
    height, reached, learned = rise
    claims = [
        *(
            read_off(
                f"{block}_on_plateau_{number}",
                place,
                f"Behind {number} drop{'s' * (number > 1)} of the loss, the prediction stays at {_signed(value)}.",
                value,
                on_plateau(number, "illusory_prediction", index=item, **first),
            )
            for number, value in plateaus.items()
        ),
        read_off(
            f"{block}_at_the_end",
            place,
            "The prediction ends at −1.",
            -1.0,
            final("hierarchy", "illusory_prediction", index=item, **first),
        ),
        pictured(
            f"{block}_rises",
            place,
            f"The prediction rises through {height:g} at epoch {reached:g}.",
            reached,
            time_of_prediction(height, item=item, **runs),
            level=learned,
            runs=runs,
        ),
        pictured(
            f"{block}_falls",
            place,
            f"The prediction falls through −0.5 at epoch {end:g}.",
            end,
            time_of_prediction(-0.5, item=item, falling=True, **runs),
            level=3,
            runs=runs,
        ),
        *(
            read_off(
                f"{block}_share_of_level_{level}",
                place,
                f"In shares of the first, the modes of level {level} end at {value:g}.",
                value,
                share_of_level(level, **first),
            )
            for level, value in shares.items()
        ),
        *(
            pictured(
                f"{block}_half_time_of_level_{level}",
                place,
                f"The modes of level {level} reach half their ends behind {value:g} updates.",
                value,
                half_time_of_level(level, **runs),
                level=level,
                runs=runs,
            )
            for level, value in times.items()
        ),
    ]
    return shown_in(f"illusory_{block}", claims)


def _course(block: str, place: str, illusion: str) -> list[Claim]:
    """Claims on how an illusion comes and goes."""
    runs, item = _runs(block), _ITEM[block]
    on_plateaus = {number: on_plateau(number, "illusory_prediction", index=item, **runs) for number in (2, 3)}
    claims = [
        Claim(
            name=f"{block}_illusion",
            place=place,
            kind="bound",
            statement=f"During training the network comes to believe that {illusion}.",
            measure=extreme("hierarchy", "illusory_prediction", pick="max", **runs),
            rule=Every(least=0.25),
            because=f"{EACH_RUN} More yes than no, by more than a feature's noise: a quarter of the range up to 1.",
        ),
        Claim(
            name=f"{block}_stopped_early",
            place='"Section 4: Illusory Correlations"',
            kind="bound",
            statement=f"Training that stops on the plateau behind the second drop leaves the illusion that {illusion}.",
            measure=on_plateaus[2],
            rule=Every(least=0),
            because=f"{EACH_RUN} Any positive prediction is the wrong answer.",
        ),
        Claim(
            name=f"{block}_illusion_fades",
            place=place,
            kind="ordering",
            statement=(
                "In later epochs, with deeper representations, the network sees beyond it: each further level helps."
            ),
            measure=difference(on_plateaus[3], on_plateaus[2]),
            rule=Every(greatest=0),
            because=f"{EACH_RUN} Behind the third drop the prediction is lower than behind the second.",
        ),
        Claim(
            name=f"{block}_illusion_is_overcome",
            place=place,
            kind="bound",
            statement="At the end nothing is left of it.",
            printed="−1 (read off)",
            measure=final("hierarchy", "illusory_prediction", index=item, **runs),
            rule=Every(greatest=-0.99),
            because=f"{EACH_RUN} In the picture, a line's width is a hundredth.",
        ),
    ]
    return shown_in(f"illusory_{block}", claims)


def _runs(block: str) -> dict[str, object]:
    return {"shark": SHARK, "parrot": PARROT}[block]


def _signed(value: float) -> str:
    return f"{value:g}".replace("-", "−")
