"""The hash of reached code: every constant and operator counts, layout does not; jobs refuse code that changed."""

import ast
import textwrap

import pytest
from conftest import FEW
from hypothesis import given, settings
from hypothesis import strategies as st
from small_package import SOURCES, copied_sources, fingerprint_of

from workflow.deepnets.code.closure import Closure
from workflow.deepnets.code.fingerprint import code_of
from workflow.deepnets.code.fingerprint_cache import verify
from workflow.deepnets.code.modules import PACKAGE, Package, read_pins
from workflow.deepnets.errors import UserError
from workflow.deepnets.records.job import Job
from workflow.deepnets.records.paths import LEDGER

# Programs that run no entry of an experiment or a figure.
PROGRAMS = ("aggregate", "archive", "fetch", "timings", "whiten")


def mutated(tree, position):
    """Change the constant or operator number `position` of a tree; return None past the last."""
    targets = [node for node in ast.walk(tree) if isinstance(node, ast.Constant | ast.BinOp)]
    if position >= len(targets):
        return None
    node = targets[position]
    if isinstance(node, ast.Constant):
        node.value = node.value + 1 if isinstance(node.value, int | float) else "changed"
    else:
        node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
    return tree


@pytest.mark.parametrize(
    "name",
    [
        "networks.initialization.torch_normals:TorchStream",
        "networks.linear:covariance_gradients",
        "data.whitening:learned",
    ],
)
def test_every_constant_and_operator_of_reached_code_counts(tmp_path, name):
    module, definition = name.split(":")
    path = module.replace(".", "/")
    source = Package().module(f"{PACKAGE}.{module}").path.read_text()
    others = {
        "__init__": "",
        "networks/__init__": "",
        "data/__init__": "",
        "errors": "class UserError(Exception): pass",
    }

    def fingerprint(text):
        return fingerprint_of(tmp_path, {**others, path: text}, pins=Package().pins, entry=f"{PACKAGE}.{name}")

    def stripped(tree):
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
        return tree

    before, changes = fingerprint(source), 0
    while True:
        tree = stripped(ast.parse(source))
        if mutated(next(n for n in tree.body if getattr(n, "name", "") == definition), changes) is None:
            break
        assert fingerprint(ast.unparse(tree)) != before, f"change {changes} went unseen"
        changes += 1
    assert changes > 3


@given(data=st.data())
@settings(max_examples=FEW)
def test_layout_never_counts(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("package", numbered=True)
    before = fingerprint_of(folder)
    tree = ast.parse(textwrap.dedent(SOURCES["middle"]))
    imports, body = tree.body[:1], data.draw(st.permutations(tree.body[1:]))
    for node in body:
        if data.draw(st.booleans()):
            node.body.insert(0, ast.Expr(ast.Constant(data.draw(st.text("abc \n", min_size=1)))))
    blocks = [ast.unparse(ast.fix_missing_locations(ast.Module([node], []))) for node in [*imports, *body]]
    gap = data.draw(st.sampled_from(["\n", "\n\n\n", "\n# why\n", "\n    # indented\n\n"]))
    assert fingerprint_of(folder, {**SOURCES, "middle": gap.join(blocks)}) == before


def test_a_job_refuses_code_that_changed_since_it_was_planned():
    entry = f"{PACKAGE}.experiments.classifier.run:run"
    code = code_of("train", entry, Closure(Package()))
    verify("train", code)
    assert Job("{}", code).function.__module__ == f"{PACKAGE}.experiments.classifier.run"
    with pytest.raises(UserError, match="changed after this job was planned"):
        verify("train", code[:-1] + ("0" if code[-1] != "0" else "1"))


def test_every_job_of_the_default_config_can_be_followed(default_plan):
    plan = default_plan
    codes = {plan.run_code(experiment) for experiment in plan.experiments}
    codes |= {plan.results[figure.paths[0]].code for figure in plan.figures.values()}
    codes |= {plan.program_code(program) for program in PROGRAMS}
    codes |= {plan.results[LEDGER.format(document=document)].code for document in plan.ledgers}
    # One function draws the claims of every document.
    entries = {figure.entry for figure in plan.figures.values()} | {ledger.entry for ledger in plan.ledgers.values()}
    assert len(codes) == len(plan.experiments) + len(entries) + len(PROGRAMS)


def test_the_code_that_finds_fingerprints_runs_nothing_at_import():
    # What it ran would count for every job, so that an edit of a refusal would make all results stale.
    closure = Closure(Package())
    names = ("closure", "fingerprint", "modules", "refusals")
    order = closure.import_order(*(f"{PACKAGE}.code.{name}:x" for name in names), f"{PACKAGE}.jobs.__main__:main")
    # Only what steers imports counts for every job.
    assert order == ["workflow:<import>"]


def test_pins_are_read(tmp_path):
    (tmp_path / "requirements.txt").write_text("-c constraints.txt\nNumPy==2.1 # why\n# torch==1\n\npandas>=2\n")
    assert read_pins(tmp_path / "requirements.txt") == {"numpy": "2.1"}


@pytest.mark.parametrize(
    ("old", "new", "counts"),
    [
        ("round(cost, 4)", "round(cost, 3)", False),
        ("time.process_time() - start", "time.process_time() + start", True),
        ("start = time.process_time()", "start = _start()", True),
    ],
)
def test_how_costs_are_printed_counts_for_no_job_but_what_runs_before_the_mathematics_does(tmp_path, old, new, counts):
    copied_sources(tmp_path)
    entry = f"{PACKAGE}.experiments.classifier.run:run"
    path = tmp_path / "workflow/deepnets/jobs/cost.py"
    text = path.read_text(encoding="utf-8") + "\n\ndef _start():\n    return 0.0\n"
    codes = []
    for edited in (text, text.replace(old, new)):
        path.write_text(edited, encoding="utf-8")
        codes.append(code_of("train", entry, Closure(Package(tmp_path))))
    assert text.count(old) == 1
    assert (codes[0] != codes[1]) == counts
