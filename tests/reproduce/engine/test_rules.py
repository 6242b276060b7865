import re

import pytest

from conftest import ROOT
from reproduce.records import paths
from reproduce.records.record import record_of

DRAWN = [paths.FIGURE.replace("pdf", suffix) for suffix in ("pdf", "png", "svg", "csv")]
OUTPUTS = {
    "data": [paths.DATASET],
    "train": [paths.RUN],
    "aggregate": [paths.TABLE],
    "judge": [paths.LEDGER],
    "list_claims": [paths.CLAIM_LIST],
    "figure": DRAWN,
    "interactive": [paths.INTERACTIVE],
    "page": [paths.PAGES],
}


@pytest.fixture(scope="module")
def rules():
    """The text of each directive of each rule, by rule."""
    text = "\n".join(path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk"))
    blocks = re.findall(r"^(?:use rule job as|rule) (\w+)(?: with)?:\n((?:    .*\n|\n)+)", text, flags=re.MULTILINE)
    directives = r"^    (\w+):\n((?:        .*\n)+)"
    return {name: dict(re.findall(directives, block, flags=re.MULTILINE)) for name, block in blocks}


def literal_paths(directive):
    return re.findall(r'"((?:results|workflow)/[^"]*)"', directive)


def test_every_rule_is_known_and_contains_fixed_inputs_literally(rules):
    assert rules.keys() == {*OUTPUTS, "archive", "job", "notebook", "notebooks", "verdicts"}
    found = {rule: literal_paths(directives.get("input", "")) for rule, directives in rules.items()}
    literal = {"notebooks": ["results/notebooks/{notebook}.html"], "verdicts": [paths.CLAIM_LIST]}
    assert {rule: read for rule, read in found.items() if read} == literal


@pytest.mark.parametrize("rule", OUTPUTS)
def test_a_rule_contains_its_outputs_log_and_benchmark_literally(rules, rule):
    # The last part of `{axes}` is a seed.
    record = record_of(OUTPUTS[rule][0].replace("{axes}", "seed={axes}")).replace("seed=", "")
    assert literal_paths(rules[rule]["output"]) == [*OUTPUTS[rule], record]
    assert f'record="{record}"' in rules[rule]["output"]
    wildcards = re.findall(r"(?:experiment=)?\{\w+\}", OUTPUTS[rule][0])
    name = "page{of}" if rule == "page" else "/".join([rule, *wildcards])
    assert literal_paths(rules[rule]["log"]) == [f"results/logs/{name}.log"]
    assert literal_paths(rules[rule]["benchmark"]) == [f"results/benchmarks/{name}.tsv"]

    # Its params are those of the first output.
    ((program, constant),) = re.findall(r"^ *\*\*jobs\.params\(\"(\w+)\", (\w+)\),\n$", rules[rule]["params"])
    assert (ROOT / f"workflow/reproduce/jobs/{program}.py").is_file()
    assert getattr(paths, constant) == OUTPUTS[rule][0]
    read = rules[rule].get("input", "")
    assert set(re.findall(r"jobs\.inputs\((\w+)", read)) <= {constant}
    # Their time stamps make nothing stale, and a bucket does not contain them.
    sources = re.findall(r"=(.*)jobs\.inputs\((\w+), sources=True", read)
    assert sources == [("local(ancient(", constant)] * (rule in ("judge", "list_claims", "figure", "page"))
