"""A fingerprint changes with the code that an entry reaches, and with nothing else."""

import ast
import shutil
import textwrap

import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st

from workflow.deepnets.code.fingerprint import PACKAGE, Package, code_of, load, read_pins
from workflow.deepnets.config.plan import Plan
from workflow.deepnets.errors import UserError
from workflow.deepnets.tools.changed import compare

PINS = {"numpy": "2.0", "torch": "2.13.0"}
SOURCES = {
    "__init__": "",
    "entry": '''
        """A module."""
        import numpy as np
        from workflow.deepnets import deep
        from workflow.deepnets.middle import halve, unused

        STEPS = 3
        IDLE = 1

        def run(spec):
            """Do it."""
            # a comment
            return [halve(step) + deep.offset(step) for step in range(STEPS)] + [np.zeros(2)]

        def other(spec):
            return IDLE
    ''',
    "middle": """
        from workflow.deepnets.deep import SCALE, Base

        class Half(Base):
            factor = 0.5

            def __call__(self, x):
                return x * self.factor * SCALE

        def halve(x):
            return Half()(x)

        def unused(x):
            return x - 1
    """,
    "deep": """
        import torch

        SCALE = 2.0
        SPARE = 7

        class Base:
            shift = 1

        def offset(x, by=10):
            return x + by

        def tensor(x):
            return torch.tensor(x)
    """,
}
ENTRY = f"{PACKAGE}.entry:run"


def package(folder, sources=SOURCES, pins=PINS):
    base = folder.joinpath(*PACKAGE.split("."))
    for name, text in sources.items():
        path = base / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return Package(root=folder, pins=pins)


def fingerprint(folder, *, module=None, old="", new="", pins=PINS, entry=ENTRY):
    sources = dict(SOURCES)
    if module:
        assert sources[module].count(old) == 1, f"{old!r} in {module}"
        sources[module] = sources[module].replace(old, new)
    return package(folder, sources, pins).fingerprint(entry)


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("entry", "# a comment", "# another comment"),
        ("entry", '"""Do it."""', '"""Do it well."""'),
        ("entry", '"""A module."""', ""),
        ("entry", "STEPS = 3", "STEPS = (\n            3\n        )"),
        ("entry", "IDLE = 1", "IDLE = 2"),
        ("entry", "return IDLE", "return IDLE + 1"),
        ("middle", "x - 1", "x - 2"),
        ("deep", "SPARE = 7", "SPARE = 8"),
        ("deep", "torch.tensor(x)", "torch.tensor(x) + 1"),
    ],
)
def test_what_is_not_reached_does_not_count(tmp_path, module, old, new):
    assert fingerprint(tmp_path, module=module, old=old, new=new) == fingerprint(tmp_path)


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("entry", "STEPS = 3", "STEPS = 4"),
        ("entry", "STEPS = 3", "STEPS = 3.0"),
        ("entry", "np.zeros(2)", "np.ones(2)"),
        ("entry", "import numpy as np", "import torch as np"),
        ("middle", "factor = 0.5", "factor = 0.25"),
        ("middle", "x * self.factor", "x / self.factor"),
        ("deep", "SCALE = 2.0", "SCALE = 3.0"),
        ("deep", "shift = 1", "shift = 2"),
        ("deep", "by=10", "by=11"),
        ("deep", "x + by", "x - by"),
    ],
)
def test_what_is_reached_counts(tmp_path, module, old, new):
    assert fingerprint(tmp_path, module=module, old=old, new=new) != fingerprint(tmp_path)


def test_a_pinned_package_counts_where_it_is_reached(tmp_path):
    before = fingerprint(tmp_path)
    assert fingerprint(tmp_path, pins={**PINS, "numpy": "2.1"}) != before
    assert fingerprint(tmp_path, pins={**PINS, "torch": "2.14.0"}) == before


def test_the_closure_tells_what_reached_what(tmp_path):
    closure = package(tmp_path).closure(ENTRY)
    assert closure[ENTRY] == ""
    assert closure[f"{PACKAGE}.deep:SCALE"] == f"{PACKAGE}.middle:Half"
    assert closure["numpy==2.0"] == ENTRY
    assert f"{PACKAGE}.middle:unused" not in closure


@pytest.mark.parametrize(
    ("module", "old", "new", "message"),
    [
        (
            "middle",
            "from workflow.deepnets.deep import SCALE, Base",
            "from workflow.deepnets.deep import *",
            "star imports",
        ),
        ("middle", "from workflow.deepnets.deep import", "from .deep import", "relative and star imports"),
        ("entry", "deep.offset(step)", "getattr(deep, spec)(step)", "getattr"),
        ("entry", "deep.offset(step)", "eval(spec)(step)", "eval"),
        ("entry", "deep.offset(step)", "call(deep)", "uses the module workflow.deepnets.deep as a value"),
        ("entry", "deep.offset(step)", "open(__file__)", "__file__"),
        ("entry", "deep.offset(step)", "deep.absent(step)", "defines no 'absent'"),
        ("entry", "STEPS = 3", "STEPS = 3\nprint(STEPS)".replace("\n", "\n        "), "acts at import"),
        ("entry", "return [halve", "global STEPS\n            return [halve", "global"),
        ("entry", "np.zeros(2)", "open('workflow/deepnets/deep.py')", "declare it as an input"),
        ("deep", "return x + by", "REGISTRY[x] = by\n            return x\n        REGISTRY = {}", "fills a registry"),
        (
            "deep",
            "return x + by",
            "REGISTRY.append(x)\n            return x\n        REGISTRY = []",
            "fills a registry",
        ),
        ("entry", "import numpy as np", "import unpinned as np", "does not pin"),
    ],
)
def test_what_cannot_be_followed_is_refused(tmp_path, module, old, new, message):
    with pytest.raises(UserError, match=message):
        fingerprint(tmp_path, module=module, old=old, new=new)


MODULE = SOURCES["deep"]


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
    "name", ["networks.torch_normals:TorchStream", "networks.linear:covariance_gradients", "data.whitening:whitened"]
)
def test_every_constant_and_operator_of_reached_code_counts(tmp_path_factory, name):
    module, function = name.split(":")
    path = module.replace(".", "/")
    source = Package().module(f"{PACKAGE}.{module}").path.read_text()
    folder = tmp_path_factory.mktemp("package")
    others = {
        "__init__": "",
        "networks/__init__": "",
        "data/__init__": "",
        "errors": "class UserError(Exception): pass\ndef exit_plainly(main): main()",
    }
    entry = f"{PACKAGE}.{name}"
    before = package(folder, {**others, path: source}, Package().pins).fingerprint(entry)

    def definition(tree):
        return next(n for n in tree.body if getattr(n, "name", "") == function)

    def stripped(tree):
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
        return tree

    changes = 0
    while True:
        tree = stripped(ast.parse(source))
        if mutated(definition(tree), changes) is None:
            break
        after = package(folder, {**others, path: ast.unparse(tree)}, Package().pins).fingerprint(entry)
        assert after != before, f"change {changes} went unseen"
        changes += 1
    assert changes > 3


@given(data=st.data())
def test_layout_never_counts(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("package", numbered=True)
    before = package(folder).fingerprint(ENTRY)
    tree = ast.parse(textwrap.dedent(SOURCES["middle"]))
    imports, body = tree.body[:1], data.draw(st.permutations(tree.body[1:]))
    for node in body:
        if data.draw(st.booleans()):
            node.body.insert(0, ast.Expr(ast.Constant(data.draw(st.text("abc \n", min_size=1)))))
    blocks = [ast.unparse(ast.fix_missing_locations(ast.Module([node], []))) for node in [*imports, *body]]
    gap = data.draw(st.sampled_from(["\n", "\n\n\n", "\n# why\n", "\n    # indented\n\n"]))
    assert package(folder, {**SOURCES, "middle": gap.join(blocks)}).fingerprint(ENTRY) == before


def test_two_states_are_compared(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    for root in (old, new):
        shutil.copytree(ROOT / "workflow", root / "workflow", ignore=shutil.ignore_patterns("__pycache__"))
    experiments = new / "workflow/deepnets/experiments"
    module = new / "workflow/deepnets/data/angular_slices.py"
    module.write_text(module.read_text().replace("np.minimum(", "np.maximum("))
    packages = [Package(root=root) for root in (old, new)]
    assert compare(packages[0], packages[0]) == {}
    assert compare(*packages) == {"train classifier": [f"{PACKAGE}.data.angular_slices:slice_labels"]}
    shutil.copy(experiments / "classifier.py", experiments / "another.py")
    assert compare(packages[0], Package(root=new))["train another"] == ["new"]


def test_a_job_refuses_code_that_changed_since_it_was_planned():
    program, entry = f"{PACKAGE}.jobs.train:main", f"{PACKAGE}.experiments.classifier:run"
    code = code_of(entry, program=program, package=Package())
    assert load(code, program=program).__name__ == "run"
    with pytest.raises(UserError, match="changed after this job was planned"):
        load(code[:-1] + ("0" if code[-1] != "0" else "1"), program=program)


def test_every_job_of_the_default_config_can_be_followed(config):
    plan = Plan(config)
    codes = {plan.run_code(experiment) for experiment in plan.experiments}
    codes |= {plan.figure_code(*key) for key in plan.figures}
    codes |= {plan.program_code(program) for program in ("fetch", "whiten", "aggregate")}
    assert all(len(code.partition("@")[2]) == 16 for code in codes)


def test_pins_are_read(tmp_path):
    (tmp_path / "requirements.txt").write_text("-c constraints.txt\nNumPy==2.1 # why\n# torch==1\n\npandas>=2\n")
    assert read_pins(tmp_path / "requirements.txt") == {"numpy": "2.1"}
