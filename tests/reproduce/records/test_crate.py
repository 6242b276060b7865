import hashlib
import json
import re

import pytest

from conftest import ROOT
from reproduce.code.modules import Package
from reproduce.config.citation import read_citation
from reproduce.config.documents import documents_of
from reproduce.errors import UserError
from reproduce.records.crate import Member, describe_archive
from reproduce.records.provenance import digest_of
from reproduce.records.stamps import Stamp
from validated import issues_of

RUNS = [f"results/runs/experiment=a/depth={depth}/init=b/seed=0/run.parquet" for depth in (1, 2)]
TABLE, DATA = "results/tables/a.parquet", "results/data/mnist.npz"
PAGE = "results/report.html"
FIGURES = ["results/figures/000-a/one.pdf", "results/figures/000-a/one.png"]
CONTENTS = {path: path.encode() * 3 for path in (DATA, *RUNS, TABLE, *FIGURES, PAGE)}
HOSTILE = """</script><b>"quoted" 'single' \\ {0} %s --> ¶ ∆ 数 \u2028 &amp;"""
WORK = {"title": "A work", "kind": "article", "authors": ["A. Person"], "year": "2013", "url": "", "notes": "A note"}
VERSIONS = json.dumps({"python": "3.11.9", "torch": "2.13.0+cpu"})


def digest(path):
    return hashlib.sha256(CONTENTS[path]).hexdigest()


def stamp(spec, code, inputs, reduced=""):
    return Stamp(json.dumps(spec), code, json.dumps(inputs), reduced, VERSIONS)


def members(setting=1):
    """Return two runs that read MNIST, their table, and a figure in two formats, which reads table and style."""
    runs = digest_of(RUNS, digest)
    stamps = {DATA: stamp({"reduced": "half"}, "m.data.mnist.make:make@1", {}, "half")}
    for depth, path in enumerate(RUNS, 1):
        stamps[path] = stamp({"depth": depth, "rate": setting}, "m.a:run@2", {"mnist": digest(DATA)}, "half")
    stamps[TABLE] = stamp({"experiment": "a"}, "m.aggregate:main@3", {"runs": runs}, "half")
    for path in FIGURES:
        stamps[path] = stamp({"figure": "one"}, "m.figures:one@4", {"a": digest(TABLE), "style": "f" * 64}, "half")
    stamps[PAGE] = stamp({}, "m.page:main@5", {"tables": digest(TABLE)}, "half")
    return [Member(path, len(CONTENTS[path]), digest(path), digest(path), each) for path, each in stamps.items()]


def describe(*, setting=1, caption="A caption.", runs=RUNS, works=(), reverse=False):
    found = members(setting)[::-1] if reverse else members(setting)
    citation = {**read_citation(ROOT), "works": list(works) or [WORK]}
    return describe_archive(found, citation, {"results/figures/000-a/one": caption}, [runs])


def entities(text):
    graph = json.loads(text)["@graph"]
    assert [each["@id"] for each in graph] == sorted({each["@id"] for each in graph})
    # An @id is a URL: it has no blanks and only ASCII letters.
    assert all(re.fullmatch(r"[!-~]+", each["@id"]) for each in graph)
    return {each["@id"]: each for each in graph}


def ids_in(value):
    return [each["@id"] for each in (value if isinstance(value, list) else [value])]


@pytest.fixture
def crate(tmp_path):
    """A function that writes the description of an archive into the folder of its files."""
    for path, content in CONTENTS.items():
        (tmp_path / "crate" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "crate" / path).write_bytes(content)

    def write(text):
        (tmp_path / "crate/ro-crate-metadata.json").write_text(text, encoding="utf-8")
        return tmp_path / "crate"

    return write


def test_a_description_is_valid_except_for_facts_that_results_do_not_record(crate, tmp_path):
    # Results do not record times, users, or home pages of this repository and of the works' authors.
    works = [work for document in documents_of(Package()).values() for work in document.works]
    text = describe(setting=HOSTILE, caption=HOSTILE, works=works)
    assert {issue["message"] for issue in issues_of(crate(text), "recommended", tmp_path)} == {
        "The Application SHOULD have a url",
        "The SoftwareApplication id SHOULD be an absolute URI",
        "The Action SHOULD have an endTime in ISO 8601 format",
        "The Action SHOULD have an agent that is a Person or Organization",
        "The author SHOULD have an organizational affiliation.",
        "The author SHOULD have a Contextual Entity which specifies the organizational `affiliation`.",
        "The organization SHOULD have a URL.",
    }


def test_the_workflow_and_every_file_are_described_once_with_author_and_content():
    found = entities(describe())
    assert found["#workflow"]["@type"] == ["SoftwareSourceCode", "ComputationalWorkflow"]
    assert found["#workflow"]["author"] == found["./"]["author"]
    assert "#workflow" in ids_in(found["./"]["mentions"])
    files = {name: each for name, each in found.items() if each["@type"] == "File"}
    assert sorted(files) == sorted(ids_in(found["./"]["hasPart"])) == sorted(CONTENTS)
    for path, each in files.items():
        assert (each["contentSize"], each["sha256"]) == (str(len(CONTENTS[path])), digest(path))
    assert found["./"]["mainEntity"] == {"@id": PAGE}
    assert files[FIGURES[0]]["description"] == "A caption.\n\nMade from less: half."
    kinds = "application/pdf application/vnd.apache.parquet application/zip image/png text/html"
    assert sorted({each["encodingFormat"] for each in files.values()}) == kinds.split()


def test_every_file_has_one_job_with_settings_code_and_inputs_and_any_text():
    found = entities(describe(setting=HOSTILE, caption=HOSTILE))
    assert len(found) == len(entities(describe())) and found[FIGURES[0]]["description"].startswith(HOSTILE)
    jobs = {name: each for name, each in found.items() if each["@type"] == "CreateAction"}
    assert sorted(["#workflow", *jobs]) == sorted(ids_in(found["./"]["mentions"]))
    made = [path for job in jobs.values() for path in ids_in(job["result"])]
    assert sorted(made) == sorted(CONTENTS)

    run = jobs[f"#job/{RUNS[1]}"]
    settings, *read = ids_in(run["object"])
    assert json.loads(found[settings]["value"]) == {"depth": 2, "rate": HOSTILE}
    assert read == [DATA]
    code = found[run["instrument"]["@id"]]
    assert (code["name"], code["version"]) == ("m.a:run", "2")
    torch = found["pkg:pypi/torch@2.13.0%2Bcpu"]
    assert torch["softwareVersion"] == "2.13.0+cpu"
    assert torch["@id"] in ids_in(code["softwareRequirements"])

    assert ids_in(jobs[f"#job/{TABLE}"]["object"])[1:] == RUNS
    figure = jobs[f"#job/{FIGURES[0]}"]
    assert ids_in(figure["result"]) == FIGURES
    # The archive does not contain the style.
    assert ids_in(figure["object"])[1:] == [TABLE]
    # Runs that the table did not read are no inputs.
    assert ids_in(entities(describe(runs=RUNS[::-1]))[f"#job/{TABLE}"]["object"])[1:] == []


def test_a_description_depends_only_on_the_files():
    text = describe()
    assert text == describe(reverse=True)
    assert text != describe(setting=2)
    assert text != describe(caption="Another caption.")


def test_a_description_has_the_recorded_text():
    citation = {"title": "T", "license": "MIT", "version": "1", "date": "2026-11-22", "authors": ["A", "B"]}
    captions = {"results/figures/000-a/one": "A caption."}
    text = describe_archive(
        members(), {**citation, "works": [WORK, {**WORK, "url": "https://x.org"}]}, captions, [RUNS]
    )
    # If it differs, read it, and record its digest.
    assert hashlib.sha256(text.encode()).hexdigest()[:8] == "cf88f836", text


def test_the_works_of_all_documents_are_cited():
    # Two documents cite Saxe et al. 2013, and the crate cites it once.
    every = [work for document in documents_of(Package()).values() for work in document.works]
    works = list({work["url"]: work for work in every}.values())
    assert len(works) < len(every)
    found = entities(describe(works=every))
    cited = [found[name] for name in ids_in(found["./"]["citation"])]
    assert [each["name"] for each in cited] == [work["title"] for work in works]
    assert [[found[name]["name"] for name in ids_in(each["author"])] for each in cited] == [
        list(work["authors"]) for work in works
    ]


@pytest.mark.parametrize("text", ["title: [", "- a list", "title: T\nlicense: MIT\nauthors: []\n"])
def test_an_incomplete_citation_file_is_reported(tmp_path, text):
    with pytest.raises(UserError, match=r"CITATION\.cff cannot be read: No such file") as told:
        read_citation(tmp_path)
    # If Snakemake found this word, it would go on without the file.
    assert "FileNotFoundError" not in str(told.value)
    (tmp_path / "CITATION.cff").write_text(text)
    with pytest.raises(UserError, match=r"CITATION\.cff"):
        read_citation(tmp_path)
