import pytest

from conftest import ROOT
from entries import PACKAGE, TABLES
from evidence import loss_claim, write_ledger
from reproduce.claims.criteria import Each, Every, Near
from reproduce.config.documents import Document, documents_of
from reproduce.errors import UserError
from reproduce.records.ledgers import COVERAGE, LedgerRow, row_without_claim
from reproduce.records.statements import ERRATUM
from reproduce.tools import readme, verdicts

ROOMS = {document.id: document.room for document in documents_of(PACKAGE).values()}


NEAR_20 = Near(20, of="exponent")


def claim(name="a_number", criterion=NEAR_20, **words):
    return loss_claim(name, criterion, **words)


def test_changed_new_and_missing_verdicts_are_printed():
    reproduced, not_reproduced = (LedgerRow(kind="number", verdict=each) for each in ("reproduced", "not reproduced"))
    recorded = dict.fromkeys(("same", "worse", "gone"), reproduced)
    found = {"same": reproduced, "worse": not_reproduced, "new": reproduced}
    assert verdicts.differences(found, recorded) == [
        "gone: absent; recorded: reproduced",
        "new: reproduced; recorded: absent",
        "worse: not reproduced; recorded: reproduced",
    ]
    assert verdicts.differences(recorded, recorded) == []


@pytest.fixture
def folder(tmp_path, monkeypatch, capsys):
    """A folder for two documents: one function judges entries and writes the ledgers, one runs the tool."""
    monkeypatch.chdir(tmp_path)
    documents = list(ROOMS)[:2]
    for document in documents:
        verdicts.path_of(ROOMS[document]).parent.mkdir(parents=True)

    def judge(*entries, without=()):
        for document in documents:
            tables = {*TABLES[document]} - {*without}
            write_ledger(tmp_path, document, entries, tables=tables)

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
        "claim,kind,figure,quantity,weight,draw,verdict,reduced,ours,count,digest,criterion,revised,remark\n"
        "a_bound,bound,curves,loss,main,replayed,reproduced,,10,1,b9872e139667,every value is 3 or more,It was 2.,\n"
        "a_number,number,,,supporting,own,not reproduced,,10,1,b9872e139667,the mean is within 2 of 20 (exponent),,\n"
    )
    assert tool() == (0, ["4 verdicts, all as recorded"])
    first.write_text(first.read_text(encoding="utf-8").replace("not rep", "rep"), encoding="utf-8")
    second.unlink()
    assert tool() == (
        1,
        [
            f"{judge.documents[1]}: {second} is missing; to record its verdicts, add --record",
            f"{judge.documents[0]}/a_number: not reproduced; recorded: reproduced",
        ],
    )
    # A ledger that lacks a table decides less.
    judge(claim(), without=TABLES[judge.documents[0]][:1])
    kept = first.read_text(encoding="utf-8")
    assert f"{judge.documents[0]}: kept its record" in tool("--record")[1][0]
    assert first.read_text(encoding="utf-8") == kept


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


def test_the_readme_gets_the_numbers_of_the_document_and_ours(monkeypatch):
    near = {target: Near(target, of="exponent") for target in (7, 53, 60.3, 70)}
    criteria = {"one": near[53], "several": Each({"two": near[60.3], "three": near[70]}), "read": near[7]}
    claims = {name: claim(name, criterion) for name, criterion in criteria.items()}
    monkeypatch.setattr(readme, "_claims_of", lambda document: claims)
    rows = (("accuracy", ("one", "several/three"), "{} %"), ("count", ("read",), "{} of 10"))
    found = {id: Document(room="toy", id=id, title="", source="", about="", numbers=rows) for id in ("not-run", "toy")}
    monkeypatch.setattr(readme, "documents_of", lambda package: found)
    common = {"kind": "number", "weight": "supporting", "draw": "own", "verdict": "reproduced"}
    ours = {
        "one": "53.10 ± 0.20 (n = 10, from 52 to 54)",
        "several": "two: 60.3; three: 70.10 ± 0.40 (n = 3, from 69 to 71)",
        "read": "8",
    }
    recorded = {"toy": {name: LedgerRow(**common, ours=text) for name, text in ours.items()}}
    begin, end = readme.BEGIN, readme.END
    text = readme.insert_numbers(f"Before.\n\n{begin}\nold\n{end}\n\nAfter.\n", recorded)
    assert text == (
        f"Before.\n\n{begin}\n"
        "| what | document | here |\n|---|---|---|\n"
        "| accuracy | 53 %, 70 % | 53.10 ± 0.20 %, 70.10 ± 0.40 % |\n"
        "| count | 7 of 10 | 8 of 10 |\n\n"
        f"Of 3 statements about results, 3 are reproduced.\n{end}\n\nAfter.\n"
    )
    assert readme.insert_numbers(text, recorded) == text
    with pytest.raises(UserError, match=r"README\.md lacks the comments"):
        readme.insert_numbers("No place.", recorded)


def test_the_readme_contains_the_recorded_numbers():
    recorded = {document: verdicts.read_verdicts(ROOT / verdicts.path_of(room)) for document, room in ROOMS.items()}
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.insert_numbers(text, recorded) == text, "python -m reproduce.tools.verdicts --record"
