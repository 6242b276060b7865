import ast
import re
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import FEW
from reproduce.code.canonical import without_annotations
from reproduce.code.closure import Closure
from reproduce.code.fingerprint import code_of
from reproduce.code.fingerprint_cache import verify
from reproduce.code.modules import Package, read_pins
from reproduce.code.science import SCIENCE as PACKAGE
from reproduce.errors import UserError
from reproduce.jobs.isolation import isolated
from reproduce.records.job import Job
from reproduce.records.paths import LEDGER
from small_package import SOURCES, copied_sources, fingerprint_of, package

# Programs that run no function of an experiment or a figure.
PROGRAMS = ("aggregate", "archive")


def mutated(tree, position):
    """Change the constant or operator at this position of a tree; return None if there are not so many."""
    targets = [node for node in ast.walk(tree) if isinstance(node, ast.Constant | ast.BinOp)]
    if position >= len(targets):
        return None
    node = targets[position]
    if isinstance(node, ast.Constant):
        node.value = node.value + 1 if isinstance(node.value, int | float) else "changed"
    else:
        node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
    return tree


@pytest.mark.parametrize("name", ["networks.initialization.torch_normals:TorchStream", "data.tree:sample_features"])
def test_every_constant_and_operator_of_reached_code_counts(tmp_path, name):
    module, definition = name.split(":")
    path = module.replace(".", "/")
    source = Package().module(f"{PACKAGE}.{module}").path.read_text()
    others = dict.fromkeys(("__init__", "networks/__init__", "data/__init__"), "")
    others["errors"] = "class UserError(Exception): pass"

    def fingerprint(text):
        return fingerprint_of(tmp_path, {**others, path: text}, pins=Package().pins, entry=f"{PACKAGE}.{name}")

    def stripped(tree):
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
        # Types count only where they call something.
        return without_annotations(tree)

    before, changes = fingerprint(source), 0
    while True:
        tree = stripped(ast.parse(source))
        if mutated(next(n for n in tree.body if getattr(n, "name", "") == definition), changes) is None:
            break
        assert fingerprint(ast.unparse(tree)) != before, f"change {changes} went unseen"
        changes += 1
    assert changes > 3


LOCALS = "total = 0\nfor part in x:\n    total += part\nreturn [each * total for each in x]"
BESIDE = "each = 1\ny = [each for each in y]\nreturn y"
NESTED = "return [[a for a in a] for a in x if a]"
GLOBAL = "return [SCALE for SCALE in x], other"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (LOCALS, LOCALS.replace("total", "sum_of_parts").replace("each", "one")),
        # A comprehension's own variable may have the name of a local variable, an argument or an outer one.
        (BESIDE, BESIDE.replace("each = ", "one = ")),
        (BESIDE, BESIDE.replace("[each for each in y]", "[x for x in y]")),
        (NESTED, NESTED.replace("[a for a in a]", "[b for b in a]")),
        (NESTED, "return [[c for c in b] for b in x if b]"),
        ("def f(x: int, *y: str, z: float = 1) -> bool:\n    return x", "def f(x, *y, z=1):\n    return x"),
        ("y: int = x\nreturn y", "y = x\nreturn y"),
        ("f: int = 1", "f = 1"),
        ("class f:\n    @property\n    def g(x: int): pass", "class f:\n    @property\n    def g(x): pass"),
    ],
)
def test_names_of_locals_and_types_do_not_count(tmp_path, old, new):
    assert text_of(tmp_path, old) == text_of(tmp_path, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # A different local variable at one place.
        (LOCALS, LOCALS.replace("each * total", "each * part")),
        (LOCALS, LOCALS.replace("total += part", "total += total")),
        # Another variable in a comprehension.
        (BESIDE, BESIDE.replace("[each for each in y]", "[each for y in y]")),
        (NESTED, NESTED.replace("[a for a in a]", "[a for b in a]")),
        (NESTED, NESTED.replace("[a for a in a]", "[b for b in x]")),
        ("return [a for a in x if (b := a)], b", "return [a for a in x if (c := a)], b"),
        # The same name inside a comprehension and outside it.
        (GLOBAL, GLOBAL.replace("SCALE for SCALE", "each for each")),
        ("y = [other for other in x]\nreturn other", "y = [spare for spare in x]\nreturn spare"),
        ("y = [len for len in x]\nreturn len", "y = [max for max in x]\nreturn max"),
        # A nested function that reads variables of the outer one.
        (
            "a, b = x\ndef g():\n    return [a for a in x], a\nreturn g()",
            "a, b = x\ndef g():\n    return [b for b in x], b\nreturn g()",
        ),
        # Names that code looks up by their text.
        ("y = x\nreturn f'{y=}'", "z = x\nreturn f'{z=}'"),
        ("y = x\nreturn vars()", "z = x\nreturn vars()"),
        ("global y, z\ny, z = x, 1", "global y, z\nz, y = x, 1"),
        # Names of attributes and of arguments.
        ("class f:\n    first = 1", "class f:\n    second = 1"),
        ("return dict(a=x)", "return dict(b=x)"),
        ("def f(x, a=1):\n    return a", "def f(x, b=1):\n    return b"),
        # A decorator may read types, and the options of a program are those of its `main`.
        ("@other\ndef f(x: int):\n    return x", "@other\ndef f(x: str):\n    return x"),
        ("def main(x: int):\n    return x", "def main(x: str):\n    return x"),
        ("def f(x: other()):\n    return x", "def f(x: spare()):\n    return x"),
        ("class f:\n    x: int = 1", "class f:\n    x: float = 1"),
        ("f: other() = 1", "f: spare() = 1"),
    ],
)
def test_names_and_types_with_an_effect_count(tmp_path, old, new):
    assert text_of(tmp_path, old) != text_of(tmp_path, new)


RAISED = 'if x:\n    raise UserError(f"no {x} here")\nreturn x'


@pytest.mark.parametrize(
    ("module", "new", "same"),
    [
        ("reproduce.records.two", RAISED.replace("here", "there"), True),
        ("reproduce.records.two", RAISED.replace("{x}", "{other}"), False),
        ("reproduce.records.two", RAISED.replace("if x", "if other"), False),
        ("reproduce.records.two", RAISED.replace("return x", "return 'x'"), False),
        # A claim or a figure may show the message.
        ("reproduce.claims.two", RAISED.replace("here", "there"), False),
        ("reproduce.records.measurements", RAISED.replace("here", "there"), False),
    ],
)
def test_a_message_counts_only_if_a_result_may_contain_it(tmp_path, module, new, same):
    assert (text_of(tmp_path, RAISED, module) == text_of(tmp_path, new, module)) is same
    # The text of other errors counts.
    other, another = (text.replace("UserError", "ValueError") for text in (RAISED, new))
    assert text_of(tmp_path, other, module) != text_of(tmp_path, another, module)


def text_of(folder, body, module=f"{PACKAGE}.experiments.two"):
    """Return the text that is hashed for a function `f` with this body, or for a module with one function."""
    function = (
        body if re.search(r"(def|class) (f|main)\b|^f: |^f = ", body) else f"def f(x):\n{textwrap.indent(body, '    ')}"
    )
    others = "SCALE = 1\ndef other(x=0): pass\ndef spare(x=0): pass\nclass UserError(Exception): pass\n"
    sources = {module.removeprefix(f"{PACKAGE}.").replace(".", "/"): others + function}
    name = "main" if "def main(" in body else "f"
    return Closure(package(folder, sources)).text(f"{module}:{name}")


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
    with isolated(Job("{}", code)) as run:
        assert run.__module__ == f"{PACKAGE}.experiments.classifier.run"
    with pytest.raises(UserError, match="changed after this job was planned"):
        verify("train", code[:-1] + ("0" if code[-1] != "0" else "1"))


def test_every_job_of_the_default_config_has_a_fingerprint(default_plan):
    plan = default_plan
    codes = {plan.run_code(experiment) for experiment in plan.experiments}
    codes |= {plan.results[figure.paths[0]].code for figure in plan.figures.values()}
    codes |= {plan.program_code(program) for program in PROGRAMS}
    codes |= {plan.results[LEDGER.format(document=document)].code for document in plan.ledgers}
    # One function draws the claims of every document.
    entries = {figure.entry for figure in plan.figures.values()} | {ledger.entry for ledger in plan.ledgers.values()}
    assert len(codes) == len(plan.experiments) + len(entries) + len(PROGRAMS)


def test_fingerprint_code_runs_nothing_at_import():
    # Otherwise this code would be in every job's fingerprint, and an edit of a refusal would make all results stale.
    closure = Closure(Package())
    names = ("closure", "fingerprint", "modules", "refusals")
    order = closure.import_order(*(f"reproduce.code.{name}:x" for name in names), "reproduce.jobs.__main__:main")
    # Only the code that controls imports, and that finds the science, counts for every job.
    assert order == ["reproduce:<import>", "reproduce.code.science:<import>"]


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
def test_printing_costs_does_not_count_but_code_before_the_mathematics_does(tmp_path, old, new, counts):
    copied_sources(tmp_path)
    entry = f"{PACKAGE}.experiments.classifier.run:run"
    path = tmp_path / "reproduce/jobs/cost.py"
    text = path.read_text(encoding="utf-8") + "\n\ndef _start():\n    return 0.0\n"
    codes = []
    for edited in (text, text.replace(old, new)):
        path.write_text(edited, encoding="utf-8")
        codes.append(code_of("train", entry, Closure(Package(tmp_path))))
    assert text.count(old) == 1
    assert (codes[0] != codes[1]) == counts
