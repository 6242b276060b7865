"""What an archive says of itself is valid, complete, true and the same every time."""

import hashlib
import json
import re
from pathlib import Path

import pytest
from validated import issues_of

from workflow.deepnets.code.modules import Package
from workflow.deepnets.config.citation import read_citation
from workflow.deepnets.config.documents import documents_of
from workflow.deepnets.errors import UserError
from workflow.deepnets.records.crate import Member, describe_archive
from workflow.deepnets.records.provenance import digest_of
from workflow.deepnets.records.stamps import Stamp

ROOT = Path(__file__).parents[2]
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


def stamp(spec, code, inputs, mnist=""):
    return Stamp(json.dumps(spec), code, json.dumps(inputs), mnist, VERSIONS)


def members(setting=1):
    """Two runs of one code, which read MNIST; their table; a figure in two formats, which reads table and style."""
    runs = digest_of(RUNS, digest)
    stamps = {DATA: stamp({"mnist": "subset"}, "m.fetch:main@1", {}, "subset")}
    for depth, path in enumerate(RUNS, 1):
        stamps[path] = stamp({"depth": depth, "rate": setting}, "m.a:run@2", {"mnist": digest(DATA)}, "subset")
    stamps[TABLE] = stamp({"experiment": "a"}, "m.aggregate:main@3", {"runs": runs}, "subset")
    for path in FIGURES:
        stamps[path] = stamp({"figure": "one"}, "m.figures:one@4", {"a": digest(TABLE), "style": "f" * 64}, "subset")
    stamps[PAGE] = stamp({}, "m.page:main@5", {"tables": digest(TABLE)}, "subset")
    return [Member(path, len(CONTENTS[path]), digest(path), digest(path), each) for path, each in stamps.items()]


def described(*, setting=1, caption="A caption.", runs=RUNS, works=(), reverse=False):
    found = members(setting)[::-1] if reverse else members(setting)
    citation = {**read_citation(ROOT), "works": list(works) or [WORK]}
    return describe_archive(found, citation, {"results/figures/000-a/one": caption}, [runs])


def entities(text):
    graph = json.loads(text)["@graph"]
    assert [each["@id"] for each in graph] == sorted({each["@id"] for each in graph})
    # An @id is an address: no blank, no letter beyond ASCII.
    assert all(re.fullmatch(r"[!-~]+", each["@id"]) for each in graph)
    return {each["@id"]: each for each in graph}


def listed(value):
    """The @ids that a property names."""
    return [each["@id"] for each in (value if isinstance(value, list) else [value])]


@pytest.fixture
def crate(tmp_path):
    """A folder with an archive's files in it, and a function that writes their description."""
    for path, content in CONTENTS.items():
        (tmp_path / "crate" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "crate" / path).write_bytes(content)

    def write(text):
        (tmp_path / "crate/ro-crate-metadata.json").write_text(text, encoding="utf-8")
        return tmp_path / "crate"

    return write


def test_a_description_is_valid_and_lacks_only_what_results_do_not_record(crate, tmp_path):
    # No clock, no user, no home page of this repository or of the works' authors.
    works = [work for document in documents_of(Package()).values() for work in document.works]
    text = described(setting=HOSTILE, caption=HOSTILE, works=works)
    assert {issue["message"] for issue in issues_of(crate(text), "recommended", tmp_path)} == {
        "The Application SHOULD have a url",
        "The SoftwareApplication id SHOULD be an absolute URI",
        "The Action SHOULD have an endTime in ISO 8601 format",
        "The Action SHOULD have an agent that is a Person or Organization",
        "The author SHOULD have an organizational affiliation.",
        "The author SHOULD have a Contextual Entity which specifies the organizational `affiliation`.",
        "The organization SHOULD have a URL.",
    }


def test_the_validator_notices_faults(crate, tmp_path):
    broken = json.loads(described())
    faults = {"./": ("datePublished", "some day"), "#job/results/tables/a.parquet": ("instrument", {"@id": "./"})}
    for entity in broken["@graph"]:
        entity.update([faults[entity["@id"]]] if entity["@id"] in faults else [])
    issues = issues_of(crate(json.dumps(broken)), "required", tmp_path)
    assert {issue["violatingEntity"].removeprefix("./#") for issue in issues} == {"./", "job/results/tables/a.parquet"}


def test_every_file_is_described_once_with_its_content():
    found = entities(described())
    files = {name: each for name, each in found.items() if each["@type"] == "File"}
    assert sorted(files) == sorted(listed(found["./"]["hasPart"])) == sorted(CONTENTS)
    for path, each in files.items():
        assert (each["contentSize"], each["sha256"]) == (str(len(CONTENTS[path])), digest(path))
    assert found["./"]["mainEntity"] == {"@id": PAGE}
    assert files[FIGURES[0]]["description"] == "A caption.\n\nMade from the embedded subset of MNIST."
    assert {each["encodingFormat"] for each in files.values()} == {
        "application/zip",
        "application/vnd.apache.parquet",
        "application/pdf",
        "image/png",
        "text/html",
    }


def test_every_file_is_the_result_of_one_job_with_its_settings_code_and_inputs():
    found = entities(described(setting=7))
    jobs = {name: each for name, each in found.items() if each["@type"] == "CreateAction"}
    assert sorted(jobs) == sorted(listed(found["./"]["mentions"]))
    made = [path for job in jobs.values() for path in listed(job["result"])]
    assert sorted(made) == sorted(CONTENTS)

    run = jobs[f"#job/{RUNS[1]}"]
    settings, *read = listed(run["object"])
    assert json.loads(found[settings]["value"]) == {"depth": 2, "rate": 7}
    assert read == [DATA]
    code = found[run["instrument"]["@id"]]
    assert (code["name"], code["version"]) == ("m.a:run", "2")
    torch = found["pkg:pypi/torch@2.13.0%2Bcpu"]
    assert torch["softwareVersion"] == "2.13.0+cpu"
    assert torch["@id"] in listed(code["softwareRequirements"])

    assert listed(jobs[f"#job/{TABLE}"]["object"])[1:] == RUNS
    figure = jobs[f"#job/{FIGURES[0]}"]
    assert listed(figure["result"]) == FIGURES
    # The archive does not hold the style.
    assert listed(figure["object"])[1:] == [TABLE]


def test_runs_that_are_not_those_that_were_read_are_not_named():
    found = entities(described(runs=RUNS[::-1]))
    assert listed(found[f"#job/{TABLE}"]["object"])[1:] == []


def test_a_description_depends_on_nothing_but_what_it_describes():
    text = described()
    assert text == described(reverse=True)
    assert text != described(setting=2)
    assert text != described(caption="Another caption.")


def test_hostile_text_stays_text():
    found = entities(described(setting=HOSTILE, caption=HOSTILE))
    assert found[FIGURES[0]]["description"].startswith(HOSTILE)
    settings = listed(found[f"#job/{RUNS[0]}"]["object"])[0]
    assert json.loads(found[settings]["value"])["rate"] == HOSTILE
    plain = entities(described())
    assert len(found) == len(plain)


def test_the_works_of_all_documents_are_cited():
    # Two documents cite Saxe et al. 2013, and the crate cites it once.
    every = [work for document in documents_of(Package()).values() for work in document.works]
    works = list({work["url"]: work for work in every}.values())
    assert len(works) < len(every)
    found = entities(described(works=every))
    cited = [found[name] for name in listed(found["./"]["citation"])]
    assert [each["name"] for each in cited] == [work["title"] for work in works]
    assert [[found[name]["name"] for name in listed(each["author"])] for each in cited] == [
        list(work["authors"]) for work in works
    ]


@pytest.mark.parametrize("text", ["title: [", "- a list", "title: T\nlicense: MIT\nauthors: []\n"])
def test_a_citation_file_that_lacks_what_is_needed_is_told(tmp_path, text):
    with pytest.raises(UserError, match=r"CITATION\.cff cannot be read: No such file") as told:
        read_citation(tmp_path)
    # By this word Snakemake would go on without it.
    assert "FileNotFoundError" not in str(told.value)
    (tmp_path / "CITATION.cff").write_text(text)
    with pytest.raises(UserError, match=r"CITATION\.cff"):
        read_citation(tmp_path)
