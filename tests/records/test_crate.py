"""What an archive says of itself is valid, complete, true and the same every time."""

import hashlib
import json
import re
from pathlib import Path

import pytest
from validated import issues_of

from workflow.deepnets.config.citation import read_citation
from workflow.deepnets.errors import UserError
from workflow.deepnets.records.crate import Member, Surroundings, described
from workflow.deepnets.records.provenance import digest_of
from workflow.deepnets.records.stamps import Stamp

ROOT = Path(__file__).parents[2]
RUNS = [f"results/runs/experiment=a/depth={depth}/init=b/seed=0/run.parquet" for depth in (1, 2)]
TABLE, DATA = "results/tables/a.parquet", "results/data/mnist.npz"
FIGURES = ["results/figures/000-a/one.pdf", "results/figures/000-a/one.png"]
CONTENTS = {path: path.encode() * 3 for path in (DATA, *RUNS, TABLE, *FIGURES)}
HOSTILE = """</script><b>"quoted" 'single' \\ {0} %s --> ¶ ∆ 数 \u2028 &amp;"""
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
    return [Member(path, len(CONTENTS[path]), digest(path), each) for path, each in stamps.items()]


def surroundings(caption="A caption.", runs=RUNS):
    return Surroundings(
        read_citation(ROOT), {"results/figures/000-a/one": caption}, {"snakemake": "9.0"}, {TABLE: {"runs": runs}}
    )


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


def test_a_description_is_a_valid_process_run_crate(crate, tmp_path):
    assert issues_of(crate(described(members(), surroundings())), "required", tmp_path) == []


def test_what_is_recommended_and_left_out_is_what_results_do_not_know(crate, tmp_path):
    # No clock, no user, no home page of this repository or of the works' authors.
    issues = issues_of(crate(described(members(), surroundings())), "recommended", tmp_path)
    assert {issue["message"] for issue in issues} == {
        "The Application SHOULD have a url",
        "The SoftwareApplication id SHOULD be an absolute URI",
        "The Action SHOULD have an endTime in ISO 8601 format",
        "The Action SHOULD have an agent that is a Person or Organization",
        "The author SHOULD have an organizational affiliation.",
        "The author SHOULD have a Contextual Entity which specifies the organizational `affiliation`.",
        "The organization SHOULD have a URL.",
    }


@pytest.mark.parametrize(
    ("entity", "key", "value"),
    [
        ("./", "datePublished", "some day"),
        ("./", "license", []),
        ("./", "name", []),
        ("./", "conformsTo", {"@id": "#workflow"}),
        ("ro-crate-metadata.json", "about", {"@id": "#workflow"}),
        ("#job/results/tables/a.parquet", "instrument", {"@id": "./"}),
    ],
)
def test_the_validator_notices_a_fault(crate, tmp_path, entity, key, value):
    broken = json.loads(described(members(), surroundings()))
    next(each for each in broken["@graph"] if each["@id"] == entity)[key] = value
    assert issues_of(crate(json.dumps(broken)), "required", tmp_path)


def test_every_file_is_described_once_with_its_content():
    found = entities(described(members(), surroundings()))
    files = {name: each for name, each in found.items() if each["@type"] == "File"}
    assert sorted(files) == sorted(listed(found["./"]["hasPart"])) == sorted(CONTENTS)
    for path, each in files.items():
        assert (each["contentSize"], each["sha256"]) == (str(len(CONTENTS[path])), digest(path))
    assert files[FIGURES[1]]["name"] == "Figure one of 000-a (PNG)"
    assert files[FIGURES[0]]["description"] == "A caption.\n\nMade from the embedded subset of MNIST."
    assert {each["encodingFormat"] for each in files.values()} == {
        "application/zip",
        "application/vnd.apache.parquet",
        "application/pdf",
        "image/png",
    }


def test_every_file_is_the_result_of_one_job_with_its_settings_code_and_inputs():
    found = entities(described(members(setting=7), surroundings()))
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
    style = f"#input/style/{'f' * 64}"
    assert listed(figure["object"])[1:] == [TABLE, style]
    assert found[style]["value"] == "f" * 64


def test_runs_that_are_not_those_that_were_read_are_not_named():
    found = entities(described(members(), surroundings(runs=RUNS[::-1])))
    digest_alone = f"#input/runs/{digest_of(RUNS, digest)}"
    assert listed(found[f"#job/{TABLE}"]["object"])[1:] == [digest_alone]


def test_a_description_depends_on_nothing_but_what_it_describes():
    text = described(members(), surroundings())
    assert text == described(members()[::-1], surroundings())
    assert text != described(members(setting=2), surroundings())
    assert text != described(members(), surroundings("Another caption."))


def test_hostile_text_stays_text(crate, tmp_path):
    text = described(members(setting=HOSTILE), surroundings(HOSTILE))
    found = entities(text)
    assert found[FIGURES[0]]["description"].startswith(HOSTILE)
    settings = listed(found[f"#job/{RUNS[0]}"]["object"])[0]
    assert json.loads(found[settings]["value"])["rate"] == HOSTILE
    plain = entities(described(members(), surroundings()))
    assert len(found) == len(plain)
    assert issues_of(crate(text), "required", tmp_path) == []


def test_the_works_reproduced_are_cited(crate):
    found = entities(described(members(), surroundings()))
    citation = read_citation(ROOT)
    cited = [found[name] for name in listed(found["./"]["citation"])]
    assert [each["name"] for each in cited] == [work["title"] for work in citation["works"]]
    assert found["https://arxiv.org/abs/1312.6120"]["@type"] == "ScholarlyArticle"
    authors = [found[name]["name"] for name in listed(found["https://arxiv.org/abs/1312.6120"]["author"])]
    assert authors == ["Andrew M. Saxe", "James L. McClelland", "Surya Ganguli"]
    documents = {work["notes"].partition(",")[0] for work in citation["works"] if work["notes"].startswith("Document")}
    assert documents == {f"Document 00{number}" for number in range(5)}
    assert found["./"]["datePublished"] == citation["date"]


@pytest.mark.parametrize("text", ["title: [", "- a list", "title: T\nlicense: MIT\nauthors: []\nreferences: []\n"])
def test_a_citation_file_that_lacks_what_is_needed_is_told(tmp_path, text):
    with pytest.raises(UserError, match=r"CITATION\.cff cannot be read: No such file") as told:
        read_citation(tmp_path)
    # By this word Snakemake would go on without it.
    assert "FileNotFoundError" not in str(told.value)
    (tmp_path / "CITATION.cff").write_text(text)
    with pytest.raises(UserError, match=r"CITATION\.cff"):
        read_citation(tmp_path)
