"""Statements are read from claims.md and joined with their tests; what does not fit stops the job."""

import pytest

from evidence import evidence
from reproduce.claims.criteria import NOT_TESTABLE, Between, Every, Near, OneMoreDraw
from reproduce.claims.entries import compare_settings, join_statements
from reproduce.claims.judging import row_of
from reproduce.claims.measures import difference_of_means, final
from reproduce.errors import UserError
from reproduce.records.statements import ERRATUM, ERRATUM_OF_FORM, read_statements
from reproduce.tables.selection import EVERY, Selection

TOY = Selection("toy")
LOSS = final(TOY, "loss")
TEXT = """# Toy: statements
- printed numbers: 3
- revised: 2026-11-22, one rule

## "The models"
- figure: accuracy
- quantity: loss, nats

### accuracy_is_60 (number, replayed, full data; eq. 3 (left))
The test accuracy
is 60.3 %.
- quantity: test accuracy, %
- because: It is
  printed.
- main: a title
- revised: –

### the_rank_is_not_2 (erratum)
The rank is 3.
- evidence: The code prints it.

## "Results"

### small (bound, ours)
It is small.
- because: Small is below 1.

## Errata of form
- it_is_misspelt ("The models" (I), a label): “Modles” stands for
  “models”. Evidence: It is right elsewhere.

## Left out
- 7 in "Methods"; a page number,
  which is no result
"""
TESTS = {"accuracy_is_60": (LOSS, Near(60.3, of="share")), "small": LOSS < 1}


def found(*widths, **settings):
    """Return tables of one run per width in the block `main`, with these settings beside those given."""
    runs = [({"seed": 0, "block": "main", "width": width}, {"loss": {(0, 0): 1.0}}) for width in widths]
    return evidence(runs, ({}, {"rate": 0.1, "decay": {"factor": 0.7}, **settings}))


@pytest.fixture
def read(tmp_path):
    def read(text, tests=TESTS):
        (tmp_path / "claims.md").write_text(text)
        return join_statements(read_statements(tmp_path / "claims.md"), tests)

    return read


def test_entries_have_the_texts_and_marks_of_the_file(read):
    coverage, accuracy, erratum, small, misspelt = read(TEXT)
    number, bound = accuracy.row, small.row
    left_out = '7 in "Methods" (a page number, which is no result)'
    assert coverage.statement == f"2 of 3 printed numbers are quoted here. Left out: {left_out}."
    assert accuracy.name == number.claim == "accuracy_is_60" and number.statement == "The test accuracy is 60.3 %."
    assert (number.place, number.figure) == ('"The models", eq. 3 (left)', "accuracy")
    assert (number.kind, number.draw, bound.draw) == ("number", "replayed", "own")
    assert [(each.exact, each.full_data) for each in (accuracy, small)] == [(True, True), (False, False)]
    assert (number.printed, number.because, number.weight) == ("60.3", "It is printed.", "main")
    assert (erratum.place, erratum.remark, erratum.kind) == ('"The models"', "The code prints it.", ERRATUM)
    # A section shares its figure and quantity only with its own entries, the file its `revised` with all about means.
    assert (number.quantity, number.revised) == ("test accuracy, %", "")
    assert (bound.place, bound.figure, bound.quantity, bound.printed) == ('"Results"', "", "", "")
    assert (bound.weight, bound.revised) == ("ours", "2026-11-22, one rule")
    assert read(TEXT, {**TESTS, "small": LOSS.every(greatest=1)})[3].row.revised == ""
    assert (misspelt.claim, misspelt.place) == ("it_is_misspelt", '"The models" (I), a label')
    assert (misspelt.statement, misspelt.remark) == ("“Modles” stands for “models”.", "It is right elsewhere.")
    assert misspelt.kind == ERRATUM_OF_FORM


@pytest.mark.parametrize(
    ("printed", "criterion", "shown"),
    [
        ("", OneMoreDraw(173, of="share"), "173"),
        ("- printed: {} (read off)\n", OneMoreDraw(-1e-12, of="share"), "−1e-12 (read off)"),
        ("- printed: around ten\n", Every(least=9), "around ten"),
    ],
)
def test_a_printed_number_is_that_of_the_criterion_unless_the_file_has_another(read, printed, criterion, shown):
    tests = {**TESTS, "accuracy_is_60": (LOSS, criterion)}
    _, number, *_ = read(TEXT.replace("- main: a title\n", f"- main: a title\n{printed}"), tests)
    assert number.row.printed == shown


@pytest.mark.parametrize(
    ("old", "new", "line", "fault"),
    [
        ("# Toy: statements\n", "", 1, "the file begins with its title, `# Title`"),
        ("numbers: 3", "numbers: some", 1, "`- printed numbers: some` is not a count, such as 12"),
        ("- main: a title", "- mine: a title", 15, "no field is called 'mine' here; allowed: figure, quantity"),
        ("(bound, ours)", "(bond)", 24, "'bond' is no kind; allowed: number, ordering, trend, bound, theorem, erratum"),
        ("(bound, ours)", "(bound, our)", 24, "'our' is no mark; allowed: replayed, no draws, full data"),
        ("(bound, ours)", "(number)", 24, "small: its criterion has no value of the document"),
        ("- because: Small is below 1.\n", "", 24, "small: because missing"),
        (
            "- because: Small is below 1.",
            "- evidence: It is.",
            26,
            "no field is called 'evidence' here; allowed: figure",
        ),
        ("### small (", "### accuracy_is_60 (", 24, "accuracy_is_60: another entry has this name; give one of them"),
    ],
)
def test_what_does_not_fit_is_refused_with_file_and_line(read, old, new, line, fault):
    assert TEXT.count(old) == 1
    with pytest.raises(UserError) as error:
        read(TEXT.replace(old, new))
    assert f"claims.md:{line}: " in str(error.value)
    assert fault in str(error.value)


def test_names_without_a_partner_are_refused_on_both_sides(read, tmp_path):
    large = {"large": LOSS < 1}
    with pytest.raises(UserError, match=r"md:.*: accuracy_is_60: claims\.py does not measure it; it measures large"):
        read(TEXT, {"small": LOSS < 1, **large})
    with pytest.raises(UserError, match=r"claims\.py: 'large' is no statement of claims.md; allowed: accuracy_is_60"):
        read(TEXT, {**TESTS, **large})
    with pytest.raises(UserError, match="is missing; it contains the statements of a document"):
        read_statements(tmp_path / "other.md")


def test_parts_without_values_leave_the_claim_undecided_and_counts_are_written_once(read):
    wide, narrow, absent = (final(TOY.but(width=width), "loss") for width in (8, 4, 2))
    gap = difference_of_means(wide, narrow)
    tests = {
        "accuracy_is_60": {"wide": (wide, Near(1.01, of="share")), "absent": (absent, Near(5, of="share"))},
        "small": {"gap": (gap, Between(least=0)), "again": (gap, Between(least=0))},
    }
    _, number, _, bound, _ = read(TEXT, tests)
    row = row_of(number, found(4, 8))
    assert (row.printed, row.verdict, row.ours, row.count) == ("1.01, 5", NOT_TESTABLE, "wide: 1", "1")
    assert row.remark.startswith("1 of 2 agree; absent: not testable here (the config contains no run of toy with")
    assert row.runs == "toy with width 8 or 2"
    row = row_of(bound, found(4, 8), "")
    assert (row.count, row.ours) == ("1 + 1", "gap: 0; again: 0 (n = 1 + 1 each)")


def test_settings_stand_beside_those_of_the_config():
    main = Selection("toy", block="main", width=8, rate=0.1, decay={"factor": 0.9}, seed=[0, 1], depth=EVERY)
    rows = compare_settings([main, main.but(width=[8, 16]), Selection("other", rate=1)], found(4, 8))
    assert [(row.claim, row.printed, row.ours) for row in rows] == [
        ("toy, main: width", "8; 8, 16", "4, 8"),
        ("toy, main: rate", "0.1", "0.1"),
        ("toy, main: decay", "factor 0.9", "factor 0.7"),
        ("other: rate", "1", "–"),
    ]
    (row, _) = compare_settings([main.but(block="elsewhere").only("block", "rate", "width")], found(8))
    assert row.ours == "the config contains no such grid of toy"
