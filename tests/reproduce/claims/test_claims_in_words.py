import pytest

from reproduce.claims.claims_in_words import extract_number, quoted_number, verdict_in_words, with_math_signs
from reproduce.claims.judging import quote_numbers
from reproduce.errors import UserError
from reproduce.records.ledgers import LedgerRow


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("-3e-09", "−3·10⁻⁹"),
        ("1e-09", "10⁻⁹"),
        ("1.5e+12", "1.5·10¹²"),
        ("11e-10", "11·10⁻¹⁰"),
        (
            "(-7.49 ± 0.22)e-05 (20 of 20 seeds, greatest -4.8e-05)",
            "(−7.49 ± 0.22)·10⁻⁵ (20 of 20 seeds, greatest −4.8·10⁻⁵)",
        ),
        (
            "every value is between -4 and 4, at the half-way point n_h-1",
            "every value is between −4 and 4, at the half-way point n_h-1",
        ),
        ("code2e-05 and 000-classifier", "code2e-05 and 000-classifier"),
    ],
)
def test_numbers_are_shown_with_the_signs_of_mathematics(text, signs):
    assert with_math_signs(text) == signs


@pytest.mark.parametrize(
    ("ours", "part", "number"),
    [
        ("60.30 ± 0.62 (n = 10, from 57 to 63)", "", "60.30 ± 0.62"),
        ("82.03 ± 0.19 (19 of 20 seeds, least 79.94)", "", "82.03 ± 0.19"),
        ("least 79.94 (19 of 20 seeds)", "", "79.94"),
        ("from 1.080 to 1.238 (3 of 3 seeds)", "", "1.080 to 1.238"),
        ("(-7.49 ± 0.22)e-05 (20 of 20 seeds)", "", "(−7.49 ± 0.22)·10⁻⁵"),
        ("depth 1: greatest 501 (3 of 3 seeds); depth 2: 498", "depth 1", "501"),
        ("depth 1: 53; depth 2: -6.1 ± 0.2 (n = 10 each)", "depth 2", "−6.1 ± 0.2"),
        ("depth 1: 53", "depth 2", ""),
    ],
)
def test_a_sentence_quotes_a_number_without_its_count(ours, part, number):
    assert extract_number(ours, part) == number


@pytest.mark.parametrize(
    ("verdict", "region", "reduced", "words"),
    [
        ("reproduced", 0.26, "", "reproduced within 26 %"),
        ("reproduced", 0.1, "", "reproduced"),
        ("reproduced", 0.26, "width 8 for 16", "reproduced within 26 %, at reduced size: width 8 for 16"),
        ("undecided", 0.26, "width 8 for 16", "undecided, at reduced size: width 8 for 16"),
    ],
)
def test_a_verdict_names_a_wide_region(verdict, region, reduced, words):
    row = LedgerRow(kind="number", verdict=verdict, region=region, reduced=reduced)
    assert verdict_in_words(row) == words


def test_a_sentence_quotes_only_claims_of_its_document_and_their_parts():
    parts = {"ours": "low: 53; high: 59", "remark": "2 of 4 agree; none, lost: not testable here (no runs)"}
    for quoted, told in (
        ("the_numbr/low", "'the_numbr' is no claim .*mean 'the_number'"),
        ("the_number/lwo", "'lwo' is no part of the_number .did you mean 'low'..; allowed: high, low"),
    ):
        row = LedgerRow(claim="the_number", kind="number", verdict="", explanation=f"It is {{{quoted}}}.", **parts)
        with pytest.raises(UserError, match=f"^.{quoted}.: {told}"):
            quote_numbers([row])
    row = LedgerRow(claim="the_number", kind="number", verdict="", **parts)
    assert [quoted_number(f"the_number/{part}", {"the_number": row})[0] for part in ("low", "lost")] == ["53", ""]
