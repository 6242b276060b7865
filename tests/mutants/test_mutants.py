"""The mutation run makes the expected mistakes, and distinguishes those that tests notice from the others."""

import re
import tomllib
from pathlib import Path

import pytest
from changes import mutants
from verdicts import limit_of, verdict_on

from conftest import ROOT

EQUIVALENTS = tomllib.loads(Path(__file__).with_name("equivalents.toml").read_text())


def changes(source):
    return [f"{mutant.old} -> {mutant.new}" for mutant in mutants(source)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a - b", ["a - b -> a + b"]),
        ("a @ b", ["a @ b -> b @ a"]),
        ("a < b", ["a < b -> a <= b", "a < b -> a >= b"]),
        ("x = a and not b", ["a and (not b) -> a or not b", "a and (not b) -> a and b"]),
        ("a[-1]", ["a[-1] -> a[1]", "-1 -> -2"]),
        ("x = 1e-6", ["x = 1e-06 -> x = 1.5e-06"]),
        ("0.5 * a", ["0.5 * a -> 0.5 / a", "0.5 * a -> 0.75 * a"]),
        ("x, y = f(a, b, c)", ["(x, y) -> (y, x)", "f(a, b, c) -> f(b, a, c)"]),
        ("x = a.sum(axis=0)", ["a.sum(axis=0) -> a.mean(axis=0)", "a.sum(axis=0) -> a.sum(axis=1)"]),
        ("x = f(up=True)", ["up=True -> up=False"]),
        ("x = a if b else c", ["a if b else c -> c if b else a"]),
        (
            "add(0, 'chi')",
            [f"add(0, 'chi') -> {new}" for new in ("pass", "add('chi', 0)", "add(1, 'chi')", "add(0, 'chi_')")],
        ),
        ("if a:\n    b", ["if a: -> if not a:"]),
    ],
)
def test_each_line_has_the_expected_mutants(line, expected):
    assert changes(line) == expected


def test_a_constant_is_replaced_by_the_next_one_of_its_module():
    source = "A1, B1 = 1, 2\n_C1 = [B1]\nd = x\ndef f(a: A1) -> B1:\n    return a[_C1], D1"
    names = [change for change in changes(source) if re.fullmatch(r"\w+ -> \w+", change) and "1" in change]
    assert names == ["B1 -> _C1", "_C1 -> A1"]


def test_types_docstrings_messages_looks_and_words_have_no_mutants():
    lines = [
        "@errstate(over='ignore')",
        "def f(a: tuple[int, str] = b) -> 'array':",
        "    'counts'",
        "    x = axis.set(ylim=(0, 1))",
        "    y = draw(color='red', lw=2)",
        "    z = table['chi']",
        "    raise Error(f'{a + 1}', 'name')",
        "    w = Claim(name='loss', figure='curves', kind='number', printed='one', because='why')",
    ]
    assert changes("\n".join(lines)) == []


def test_a_mutant_is_the_module_with_one_change():
    (first, second) = mutants("def f(a, b):\n    return a - b\n\n\nx = 3  # a comment")
    assert (first.line, first.source) == (2, "def f(a, b):\n    return a + b\nx = 3")
    assert (second.line, second.source) == (5, "def f(a, b):\n    return a - b\nx = 4")


def test_killed_survived_and_untestable_mutants_are_distinguished(tmp_path):
    module, tests = tmp_path / "theory/law.py", tmp_path / "tests/theory/test_law.py"
    for file in (module, tests):
        file.parent.mkdir(parents=True)
    module.write_text("sign = {1: -1}[1]\n\n\ndef law(a, b):\n    return a - b if a > b else sign\n")
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\npythonpath = ['.']\nmarkers = ['slow: no']\n")
    tests.write_text("from theory.law import law\n\n\ndef test_law():\n    assert law(3, 2) == 1\n")
    limit = limit_of(tmp_path, "theory")
    tried = {f"{mutant.old} -> {mutant.new}": mutant for mutant in mutants(module.read_text())}
    before = module.read_text()
    for change, verdict in {
        "a - b -> a + b": "killed",
        "a > b -> a >= b": "survived",
        "{1: -1}[1] -> {1: -1}[2]": "untestable",
    }.items():
        assert verdict_on(tmp_path, "theory", Path("theory/law.py"), tried[change], limit) == verdict
        assert module.read_text() == before


def test_mutants_that_never_end_are_reported(tmp_path):
    tests = tmp_path / "tests/theory/test_law.py"
    tests.parent.mkdir(parents=True)
    tests.write_text("import time\nfrom theory.law import quick\n\n\ndef test_law():\n    quick or time.sleep(99)\n")
    module = tmp_path / "theory/law.py"
    module.parent.mkdir()
    module.write_text("quick = True\n")
    (mutant,) = mutants(module.read_text())
    assert verdict_on(tmp_path, "theory", Path("theory/law.py"), mutant, limit=0.3) == "endless"


def test_every_known_equivalent_is_still_a_mutant():
    for module, reasons in EQUIVALENTS.items():
        path = ROOT / f"workflow/deepnets/{module}.py"
        # Lines may remain here after their document was deleted.
        assert not path.exists() or set(reasons) <= set(changes(path.read_text())), module
        assert all(reasons.values())
