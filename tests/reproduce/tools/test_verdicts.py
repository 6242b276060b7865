import pytest

from conftest import ROOT
from entries import PACKAGE, TABLES
from evidence import loss_claim, write_ledger
from reproduce.claims.criteria import Each, Every, Near
from reproduce.config.documents import documents_of
from reproduce.errors import UserError
from reproduce.records.ledgers import COVERAGE, row_without_claim
from reproduce.records.statements import ERRATUM
from reproduce.tools import readme, verdicts

ROOMS = {document.id: document.room for document in documents_of(PACKAGE).values()}


NEAR_20 = Near(20, of="exponent")


def claim(name="a_number", criterion=NEAR_20, **words):
    return loss_claim(name, criterion, **words)


@pytest.fixture
def folder(tmp_path, monkeypatch, capsys):
    """A folder for two documents: one function judges entries and writes the ledgers, one runs the tool."""
    monkeypatch.chdir(tmp_path)
    documents = list(ROOMS)[:2]
    for document in documents:
        verdicts.path_of(ROOMS[document]).parent.mkdir(parents=True)

    def judge(*entries, without=(), reduced=""):
        for document in documents:
            tables = {*TABLES[document]} - {*without}
            write_ledger(tmp_path, document, entries, tables=tables, reduced=reduced)

    def tool(*options):
        monkeypatch.setattr("sys.argv", ["verdicts", *options])
        try:
            verdicts.main()
        except SystemExit as end:
            return end.code, capsys.readouterr().out.splitlines()
        return 0, capsys.readouterr().out.splitlines()

    judge.documents = documents
    return judge, tool


def test_a_record_contains_the_claims_and_reveals_a_changed_verdict(folder):
    judge, tool = folder
    with pytest.raises(UserError, match="results/claims contains no verdicts"):
        tool()
    erratum = row_without_claim(ERRATUM, claim="a_fault")
    words = {"kind": "bound", "figure": "curves", "quantity": "loss", "main": "a title", "revised": "It was 2."}
    bound = claim("a_bound", Every(least=3), replayed=True, **words)
    judge(claim(), erratum, bound, row_without_claim(COVERAGE))
    tool("--record")
    first, second = (verdicts.path_of(ROOMS[document]) for document in judge.documents)
    assert first.read_text(encoding="utf-8") == (
        "claim,kind,figure,quantity,weight,draw,verdict,reduced,ours,count,region,digest,criterion,revised,remark\n"
        "a_bound,bound,curves,loss,main,replayed,"
        "reproduced,,10,1,0.0,b9872e139667,every value is 3 or more,It was 2.,\n"
        "a_number,number,,,supporting,own,not "
        "reproduced,,10,1,0.1,b9872e139667,the mean is within 2 of 20 (exponent),,\n"
    )
    assert tool() == (0, ["4 verdicts, all as recorded"])
    first.write_text(first.read_text(encoding="utf-8").replace("not rep", "rep"), encoding="utf-8")
    second.unlink()
    assert tool() == (
        1,
        [
            f"{judge.documents[1]}: {second} is missing; python -m reproduce.tools.verdicts --record",
            f"{judge.documents[0]}/a_number: not reproduced; recorded: reproduced",
        ],
    )
    # A ledger that lacks a table decides less.
    judge(claim(), without=TABLES[judge.documents[0]][:1])
    kept = first.read_text(encoding="utf-8")
    assert f"{judge.documents[0]}: kept its record" in tool("--record")[1][0]
    # So does one of a subset, which is not compared either.
    judge(claim(), reduced="half of the images")
    assert "kept its record, as these results are of the half of the images" in tool("--record")[1][0]
    assert first.read_text(encoding="utf-8") == kept
    assert tool() == (
        0,
        [
            *(
                f"{each}: not compared with the recorded verdicts, which are not of the half of the images"
                for each in judge.documents
            ),
            "0 verdicts, all as recorded",
        ],
    )


def test_a_changed_criterion_needs_a_new_reason(folder):
    judge, tool = folder
    document = judge.documents[0]
    judge(claim(), claim("other"))
    tool("--record")
    record = verdicts.path_of(ROOMS[document])
    before = record.read_text(encoding="utf-8")
    judge(claim(criterion=Near(10, of="exponent")), claim("other"), claim("new", Near(5, of="exponent")))
    with pytest.raises(
        UserError, match=f"the criterion of {document}/a_number changed; write the reason into `revised`; "
    ) as error:
        tool("--record")
    assert "other" not in str(error.value)
    assert "/new" not in str(error.value)
    assert record.read_text(encoding="utf-8") == before
    judge(claim(criterion=Near(10, of="exponent"), revised="It was 20."))
    tool("--record")
    # The same reason does not explain the next change.
    judge(claim(criterion=Near(11, of="exponent"), revised="It was 20."))
    with pytest.raises(UserError, match="a_number changed"):
        tool("--record")


def test_the_readme_contains_the_recorded_numbers():
    recorded = {document: verdicts.read_verdicts(ROOT / verdicts.path_of(room)) for document, room in ROOMS.items()}
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.insert_numbers(text, recorded) == text, "python -m reproduce.tools.verdicts --record"


@pytest.mark.parametrize("name", ["sizes", "sizes/widht"])
def test_a_number_of_the_readme_names_a_part_that_its_claim_has(name):
    sizes = loss_claim("sizes", Each({"width": Near(8, of="share"), "depth": Near(2, of="share")}))
    with pytest.raises(UserError, match=r"^- number: '(widht)?' is no part of sizes.*; allowed: depth, width"):
        readme._cells(name, {"sizes": sizes}, {"sizes": None})
