"""A section gives its place and figure to claims, and numbers of criteria are inserted into their texts."""

import numpy as np
import pytest

from deepnets.claims.claim import Claim, Erratum
from deepnets.claims.criteria import (
    NOT_REPRODUCED,
    NOT_TESTABLE,
    REPRODUCED,
    Every,
    Includes,
    Is,
    Mean,
    Near,
    OneMoreDraw,
)
from deepnets.claims.evidence import Evidence, NotTestableError
from deepnets.claims.old_measures import difference_of_means, final, setting
from deepnets.claims.section import AS_STATED, READ_OFF, Section, combine_parts, number_text
from deepnets.jobs.judge import row_of
from evidence import evidence

SECTION = Section('"The models"', "accuracy")
LOSS = final("toy", "loss")
# Criteria are compared by `repr`: since Python 3.13, dataclasses with NaN in a field are never equal.
RUNS = {"block": "main", "width": 8, "rate": 0.1, "decay": {"factor": 0.7}}


def found(*widths, **settings):
    """Return evidence of one run per width in the block `main`, with the settings of `RUNS` except those given."""
    runs = [({"seed": 0, "block": "main", "width": width}, {"loss": {(0, 0): 1.0}}) for width in widths]
    return evidence(runs, ({}, {"rate": 0.1, "decay": {"factor": 0.7}, **settings}))


def test_a_claim_gets_place_and_figure_from_its_section():
    claim = SECTION.bound("small", "It is small.", LOSS, Every(greatest=1), because="Small is below 1.")
    expected = Claim(
        name="small",
        place='"The models"',
        figure="accuracy",
        kind="bound",
        statement="It is small.",
        measure=LOSS,
        criterion=Every(greatest=1),
        because="Small is below 1.",
    )
    assert repr(claim) == repr(expected)


@pytest.mark.parametrize("kind", ["number", "ordering", "trend", "bound", "identity", "setting"])
def test_each_kind_of_claim_has_a_method_and_the_same_arguments(kind):
    texts = {"printed": "10%", "because": "A reason.", "revised": "A second reason."}
    claim = getattr(SECTION, kind)("a_name", "It is 10.", LOSS, Is(10), **texts)
    assert {name: getattr(claim, name) for name in texts} == texts
    assert (claim.kind, claim.name, claim.statement, claim.measure) == (kind, "a_name", "It is 10.", LOSS)
    assert repr(claim.criterion) == repr(Is(10))


def test_derived_sections_do_not_change_the_original():
    closer = SECTION.at("eq. 3").with_figure("rank").with_full_mnist()
    claim = closer.trend("grows", "It grows.", LOSS, Every(least=0), because="It must not fall.")
    assert (claim.place, claim.figure, claim.needs_full_mnist) == ('"The models", eq. 3', "rank", True)
    assert Section('"The models"', "accuracy") == SECTION


@pytest.mark.parametrize(
    ("criterion", "printed", "expected"),
    [
        (Near(60.3, error=0.6), "{}%", ("It is 60.3 %.", "60.3%")),
        (OneMoreDraw(173), READ_OFF, ("It is 173 %.", "173 (read off)")),
        (Is(1e-12), "{}", ("It is 1e-12 %.", "1e-12")),
        (Is(7), "seven, or {}", ("It is 7 %.", "seven, or 7")),
    ],
)
def test_a_number_is_written_once_in_its_criterion(criterion, printed, expected):
    claim = SECTION.number("it", "It is {} %.", LOSS, criterion, because="A reason.", printed=printed)
    assert (claim.statement, claim.printed) == expected


def test_only_numbers_and_settings_have_a_printed_value():
    because = "A reason."
    assert SECTION.number("it", "It is ten.", LOSS, Is(10), because=because).printed == "10"
    assert SECTION.setting("it", "It is ten.", LOSS, Is(10)).printed == "10"
    assert SECTION.setting("it", "It is ten.", LOSS, Is(10), printed="").printed == ""
    assert SECTION.identity("it", "It is ten.", LOSS, Is(10), because=because).printed == ""


def test_braces_without_a_value_are_refused():
    with pytest.raises(ValueError, match=r"it: \{\} stands for the criterion's value, but the criterion has none"):
        SECTION.number("it", "It is large.", LOSS, Every(least=10), because="A reason.")


@pytest.mark.parametrize(
    ("value", "text"), [(10, "10"), (53.0, "53"), (0.03, "0.03"), (50_000, "50000"), (1.1043516264560895,) * 2]
)
def test_a_text_contains_all_digits_of_its_number(value, text):
    assert number_text(value) == str(text)
    assert float(number_text(value)) == value


def test_setting_claims_are_derived_from_a_description_of_runs():
    claims = SECTION.settings(
        "toy", RUNS, {"rate": ("rate", "The rate is {}."), "decay.factor": ("decay", "It falls to {} of it.")}
    )
    assert [(each.name, each.statement, each.printed, repr(each.criterion), each.because) for each in claims] == [
        ("rate", "The rate is 0.1.", "0.1", repr(Includes(0.1)), AS_STATED),
        ("decay", "It falls to 0.7 of it.", "0.7", repr(Includes(0.7)), AS_STATED),
    ]
    assert {each.kind for each in claims} == {"setting"}
    assert [each.measure(found(8)).tolist() for each in claims] == [[0.1], [0.7]]
    assert row_of(claims[0], found(8, rate=0.2), "")["verdict"] == NOT_REPRODUCED


def test_setting_claims_read_only_the_named_block_and_axes():
    (of_other_block,) = SECTION.settings("toy", {**RUNS, "block": "other"}, {"rate": ("rate", "It is {}.")})
    (of_other_width,) = SECTION.settings("toy", RUNS, {"rate": ("rate", "It is {}.")}, width=16)
    (of_any,) = SECTION.settings("toy", {"rate": 0.1}, {"rate": ("rate", "It is {}.")})
    verdicts = [row_of(each, found(8), "")["verdict"] for each in (of_other_block, of_other_width, of_any)]
    assert verdicts == [NOT_TESTABLE, NOT_TESTABLE, REPRODUCED]


def test_a_setting_claim_without_a_number_is_refused():
    with pytest.raises(ValueError, match="block: a setting claim compares one number, not 'main'"):
        SECTION.settings("toy", RUNS, {"block": ("block", "It is the main one.")})


def test_a_claim_on_a_missing_value_of_an_axis_is_not_testable():
    claim = SECTION.run_with("wide", "One net has {} units.", "toy", "width", RUNS)
    assert (claim.statement, claim.printed, claim.kind) == ("One net has 8 units.", "8", "setting")
    assert repr(claim.criterion) == repr(Includes(8))
    assert np.array_equal(claim.measure(found(4, 8)), [8])
    with pytest.raises(NotTestableError, match=r"no run of toy with .*width 8.*; configs/paper_size\.yaml may"):
        claim.measure(found(4))
    with pytest.raises(NotTestableError):
        claim.measure(Evidence({}, {}))


def test_errata_get_the_place_of_their_section():
    fault = SECTION.at("eq. 3").erratum("wrong", "It is wrong.", "It is right elsewhere.")
    assert fault == Erratum(
        name="wrong", place='"The models", eq. 3', statement="It is wrong.", evidence="It is right elsewhere."
    )


def test_weights_depend_on_kind_and_reason():
    def result(**words):
        return SECTION.bound("small", "A loss is small.", LOSS, Every(greatest=1), because="Small.", **words)

    assert (result().weight, result(main="a title").weight) == ("supporting", "main")
    identity = SECTION.identity("it", "It is ten.", LOSS, Is(10), because="A definition.")
    assert identity.weight == "check"
    with pytest.raises(ValueError, match="it: identity claims are checks, which cannot be main statements"):
        SECTION.identity("it", "It is ten.", LOSS, Is(10), because="A definition.", main="a title")


def test_claims_inherit_what_their_section_measures_and_replays():
    section = SECTION.of("loss, nats").with_replayed_draws()
    one = section.bound("small", "A loss is small.", LOSS, Every(greatest=1), because="Small.")
    other = section.bound("long", "It is long.", LOSS, Every(greatest=1), because="Long.", quantity="length, updates")
    assert (one.quantity, other.quantity) == ("loss, nats", "length, updates")
    row = row_of(one, found(8), "")
    assert (row["draw"], row["quantity"], row["ours"], row["runs"]) == ("replayed", "loss, nats", "1", "toy")


def test_several_numbers_are_one_claim():
    parts = {
        "wide": (final("toy", "loss", width=8), Near(1.1, error=0.05)),
        "narrow": (final("toy", "loss", width=4), Near(1, error=0.05)),
        "absent": (final("toy", "loss", width=2), Near(5, error=0.05)),
    }
    claim = SECTION.numbers("losses", "The losses are {}.", parts, because="They are printed.")
    assert (claim.statement, claim.printed) == ("The losses are 1.1, 1, 5.", "1.1, 1, 5")
    row = row_of(claim, found(4, 8), "")
    assert row["verdict"] == NOT_TESTABLE
    assert row["remark"].startswith("2 of 3 agree; absent: not testable here (the config contains no run of toy")
    assert (row["ours"], row["count"]) == ("wide: 1; narrow: 1", "1")


def test_parts_that_are_differences_of_means_or_settings_are_counted_and_listed():
    two = found(4, 8)
    gap = difference_of_means(final("toy", "loss", width=8), final("toy", "loss", width=4))
    parts = combine_parts({"gap": (gap, Mean(least=0)), "again": (gap, Mean(least=0))})
    row = row_of(SECTION.bound("gaps", "They differ.", *parts, because="They do."), two, "")
    assert (row["count"], row["ours"]) == ("1 + 1", "gap: 0; again: 0 (n = 1 + 1 each)")
    parts = combine_parts(
        {"width": (setting("toy", "width"), Includes(8)), "rate": (setting("toy", "rate"), Includes(0.1))}
    )
    row = row_of(SECTION.setting("sizes", "A width is 8.", *parts), two, "")
    assert (row["verdict"], row["ours"]) == (REPRODUCED, "width: 4, 8; rate: 0.1")


def test_a_single_part_is_a_claim_of_one_value():
    claim = SECTION.bound(
        "small", "It is small.", *combine_parts({"loss": (LOSS, Every(greatest=2))}), because="It is."
    )
    assert (repr(claim.criterion), row_of(claim, found(8), "")["ours"]) == (repr(Every(greatest=2)), "1")
