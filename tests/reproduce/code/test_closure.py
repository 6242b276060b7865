"""A fingerprint changes only with the code that an entry uses or that its imports run."""

import pytest

from reproduce.code.closure import IMPORTED, Closure
from reproduce.code.fingerprint import packages_of, without_pins
from reproduce.code.science import SCIENCE as PACKAGE
from reproduce.errors import UserError
from small_package import CONSTRAINTS, ENTRY, PINNED, SOURCES, changed, fingerprint_of, joined, package

SPARE = ("deep", "SPARE = 7")


def count_prints(folder, variants, **options):
    """Return how many different fingerprints the packages with these sources have."""
    return len({fingerprint_of(folder, sources, **options) for sources in variants})


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("entry", "# a comment", "# another comment"),
        ("entry", '"""Do it."""', '"""Do it well."""'),
        ("entry", '"""A module."""', ""),
        ("entry", "STEPS = 3", "STEPS = (\n    3\n)"),
        ("entry", "IDLE = 1", "IDLE = 2"),
        ("entry", "return IDLE", "return IDLE + 1"),
        ("middle", "x - 1", "x - 2"),
        (*SPARE, "SPARE = 8"),
        ("deep", "torch.tensor(x)", "torch.tensor(x) + 1"),
        # Decorators and calls that are known to have no side effect.
        (*SPARE, "from functools import cache\n@cache\ndef spare():\n    return 7"),
        (*SPARE, "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Spare:\n    x: int = 7"),
        (*SPARE, "import re\nSPARE = re.compile('7')"),
        (*SPARE, "class SpareError(Exception):\n    pass"),
        (*SPARE, "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import numpy"),
        (*SPARE, "class Spare(Base):\n    step = 7"),
        # Python's compiler computes these.
        ("entry", "STEPS = 3", "STEPS = 2 + 1"),
        ("entry", "np.zeros(2)", "np.zeros(2 * (3 - 2))"),
    ],
)
def test_unused_code_does_not_change_the_fingerprint(tmp_path, module, old, new):
    assert fingerprint_of(tmp_path, changed(module, old, new)) == fingerprint_of(tmp_path)


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
def test_used_code_changes_the_fingerprint(tmp_path, module, old, new):
    assert fingerprint_of(tmp_path, changed(module, old, new)) != fingerprint_of(tmp_path)


# Each text is in a module that the entry imports. The entry uses no name of it. A test changes 0 to 1 at {}.
AT_IMPORT = {
    "a call with a side effect": "import numpy as np\n_Q = np.random.seed({})",
    "a call of a function in the module": "def _fill():\n    STATE['step'] = {}\nSTATE = {{}}\n_DONE = _fill()",
    "a default argument": "import numpy as np\ndef idle(x=np.random.seed({})):\n    return x",
    "a default of a lambda": "import numpy as np\nIDLE = lambda x=np.random.seed({}): x",
    "a method's default in a class": "import numpy as np\nclass Idle:\n    def f(self, x=np.random.seed({})): pass",
    "an object that a class names": (
        "REGISTRY = []\nclass Noted:\n    def __set_name__(self, owner, name):\n        REGISTRY.append(owner)\n"
        "NOTED = Noted()\nclass Idle:\n    mark = NOTED\n    def f(self):\n        return {}"
    ),
    "an array as output": "import numpy as np\nLAYERS = np.ones(2)\n_Q = np.sqrt([{}, 2], LAYERS)",
    "a builtin that a class binds anew": "import numpy as np\nclass Idle:\n    len = np.random.seed\n    x = len({})",
    "a type of what is returned that calls": "import numpy as np\ndef idle() -> np.random.seed({}):\n    return 1",
    "an annotation that calls": "import numpy as np\ndef idle(x: np.random.seed({})):\n    return x",
    "a decorator that fills a registry": (
        "REGISTRY = []\ndef register(f):\n    REGISTRY.append(f)\n    return f\n"
        "@register\ndef idle(x):\n    return x + {}"
    ),
    "a decorator with arguments": (
        "REGISTRY = {{}}\ndef named(name):\n    return lambda f: REGISTRY.setdefault(name, f)\n"
        "@named('a')\ndef idle(x):\n    return {}"
    ),
    "a method's decorator": "REGISTRY = []\nclass Idle:\n    @REGISTRY.append\n    def f(self):\n        return {}",
    "singledispatch": (
        "from functools import singledispatch\n@singledispatch\ndef area(x):\n    return x\n"
        "@area.register\ndef area_of_text(x: str):\n    return {}"
    ),
    "a class of a foreign family": "import numpy as np\nclass Idle(np.ndarray):\n    step = {}",
    "an operator on what a call made": (
        "class Count:\n    n = 0\n    def __matmul__(self, k):\n        Count.n += k\nCOUNT = Count()\n_Q = COUNT @ {}"
    ),
    "a metaclass": "class Family(type): pass\nclass Idle(metaclass=Family):\n    def f(self):\n        return {}",
    "a class that takes a value of another module": (
        "from deepnets.room.spare import NOTE\nclass Idle:\n    note = NOTE\n    n = {}"
    ),
    "keywords of a class": "class Family:\n    def __init_subclass__(cls, k): pass\nclass Idle(Family, k={}): pass",
}
# Bases of a class that a test changes at {}. Each registers its classes, directly or through its own base.
FAMILIES = {
    "__init_subclass__": "class Family:\n    def __init_subclass__(cls): pass",
    "an assigned __init_subclass__": "class Family:\n    __init_subclass__ = classmethod(print)",
    "an imported __init_subclass__": "from deepnets.deep import offset\nclass Family:\n    __init_subclass__ = offset",
    "a grandparent": "class Root:\n    def __init_subclass__(cls): pass\nclass Family(Root): pass",
    "a metaclass": "class Kind(type): pass\nclass Family(metaclass=Kind): pass",
    "a metaclass of Python": "import enum\nclass Family(enum.Enum): pass",
    "a decorator": "def kept(cls):\n    return cls\n@kept\nclass Family: pass",
    "an alias": "class Root:\n    def __init_subclass__(cls): pass\nFamily = Root",
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("base", ["family.Family", "hub.Family", "Family", "Family[int]"])
def test_a_class_counts_for_every_importer_if_its_base_may_register_it(tmp_path, family, base):
    bound = "from deepnets.hub import Family" if "." not in base else "from deepnets import family, hub"
    sources = {**SOURCES, "hub": "from deepnets.family import Family", "family": FAMILIES[family]}
    texts = [f"{bound}\nclass Exact({base}):\n    def f(self):\n        return {k}" for k in (1, 2)]
    assert count_prints(tmp_path, [{**sources, "deep": joined(SOURCES["deep"], text)} for text in texts]) == 2


@pytest.mark.parametrize("name", AT_IMPORT)
@pytest.mark.parametrize("module", ["deep", "middle", "__init__", "room/__init__"])
def test_code_that_runs_at_import_counts_for_every_importer(tmp_path, name, module):
    imports = "from deepnets.room.spare import X"
    spare = "X = NOTE = 1"
    sources = {**SOURCES, "room/__init__": "", "room/spare": spare, "entry": joined(SOURCES["entry"], imports)}
    texts = ["", AT_IMPORT[name].format(1), AT_IMPORT[name].format(2)]
    variants = [{**sources, module: joined(sources[module], text)} for text in texts]
    assert count_prints(tmp_path, variants) == 3


def test_code_that_runs_at_import_counts_only_for_importers(tmp_path):
    sources = {**SOURCES, "elsewhere": "import numpy as np\nQ = np.random.seed(3)"}
    assert fingerprint_of(tmp_path, sources) == fingerprint_of(tmp_path)


def test_a_module_that_is_imported_inside_a_function_counts(tmp_path):
    sources = changed(
        "middle", "return x * self.factor", "from deepnets import elsewhere\n        return x * self.factor"
    )
    texts = [{**sources, "elsewhere": f"import numpy as np\nQ = np.random.seed({seed})"} for seed in (3, 4)]
    assert count_prints(tmp_path, texts) == 2


@pytest.mark.parametrize(
    "text",
    ["_Q = COUNT @ {}", "_Q = len(COUNT), {}", "_Q = (*COUNT, {})", "_Q, [_R, *_S] = {}, COUNT", "_Q = COUNT.next, {}"],
)
def test_an_operator_on_an_imported_object_counts(tmp_path, text):
    count = "class Count:\n    def __matmul__(self, k): pass\nCOUNT = Count()"
    texts = [f"from deepnets.count import COUNT\n{text.format(k)}" for k in (1, 2)]
    variants = [{**SOURCES, "count": count, "deep": joined(SOURCES["deep"], text)} for text in texts]
    assert count_prints(tmp_path, variants) == 2


def test_the_order_in_which_modules_act_counts(tmp_path):
    sources = {**SOURCES, **{name: f"import numpy as np\nQ = np.random.seed({len(name)})" for name in ("one", "three")}}
    lines = ["from deepnets import one", "from deepnets import three"]
    variants = [{**sources, "deep": joined(SOURCES["deep"], "\n".join(order))} for order in (lines, lines[::-1])]
    assert count_prints(tmp_path, variants) == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("if x:\n    from deepnets.one import f", "else:\n    from deepnets.two import f\nreturn f(x)"),
        ("try:\n    from deepnets.one import f", "except ImportError:\n    from deepnets.two import f\nreturn f(x)"),
        (
            "def inner():\n    from deepnets.one import f\n    return f(x)",
            "from deepnets.two import f\nreturn inner() + f(x)",
        ),
    ],
    ids=["two branches", "try and except", "two functions"],
)
@pytest.mark.parametrize("module", ["one", "two"])
def test_every_local_import_of_a_name_counts(tmp_path, first, second, module):
    body = "def chosen(x):\n" + "\n".join("    " + line for line in f"{first}\n{second}".split("\n"))
    functions = {"one": "def f(x):\n    return 1", "two": "def f(x):\n    return 2"}
    sources = {**SOURCES, **functions, "entry": joined(SOURCES["entry"], body)}
    other = {**sources, module: "def f(x):\n    return 3"}
    assert count_prints(tmp_path, [sources, other], entry=f"{PACKAGE}.entry:chosen") == 2


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from numpy import zeros as made", "from numpy import ones as made"),
        ("from math import log as made", "from math import log2 as made"),
        ("from deepnets.one import f as made, g as other", "from deepnets.one import g as made, f as other"),
        ("from deepnets.one import f as made", "from deepnets.two import f as made"),
        ("from deepnets.one import f as made", "from deepnets.hub import f as made"),
        ("from math import log as made", "from math import log as made\nfrom numpy import sum"),
        ("from math import log as made", "from __future__ import annotations\nfrom math import log as made"),
    ],
)
def test_swapped_import_names_change_the_fingerprint(tmp_path, before, after):
    # Both forms reach the same code, so only the meaning of the names differs.
    everything = "import math\nimport numpy as np\nfrom deepnets import hub, one, two\ndef all_of(x):\n"
    everything += "    numbers = math.log(x), math.log2(x), np.ones(x), np.zeros(x), np.sum(x)\n"
    everything += "    return numbers, hub.f(x), one.f(x), one.g(x), two.f(x)"
    functions = {
        "one": "def f(x):\n    return 1\n\ndef g(x):\n    return 3",
        "two": "def f(x):\n    return 2",
        "hub": "from deepnets.two import f",
        "everything": everything,
    }
    body = "\nfrom deepnets.everything import all_of\ndef run(x):\n    return made(sum([x])), all_of(x)"
    assert count_prints(tmp_path, [{**functions, "entry": text + body} for text in (before, after)]) == 2


def test_a_function_that_a_room_reexports_counts(tmp_path):
    functions = {"one": "def f(x):\n    return 1", "two": "def f(x):\n    return 2"}
    entry = "from deepnets import hub, one, two\ndef run(x):\n    return hub.f(x), one.f(x), two.f(x)"
    hubs = [f"from deepnets.{name} import f" for name in functions]
    assert count_prints(tmp_path, [{**functions, "hub": hub, "entry": entry} for hub in hubs]) == 2
    ones = [{"one": f"def f(x):\n    return {number}"} for number in (1, 2)]
    assert count_prints(tmp_path, [{**one, "entry": f"{hubs[0]} as run"} for one in ones]) == 2
    # So does a module that a room reexports.
    entry = "from deepnets import hub\ndef run(x):\n    return hub.one.f(x)"
    assert count_prints(tmp_path, [{**one, "hub": "from deepnets import one", "entry": entry} for one in ones]) == 2


@pytest.mark.parametrize(
    "spare", ["def idle(x):\n    return 1", "def idle(x, y=2): pass", "SPARE = 7", "SPARE: int = 7"]
)
def test_an_unused_name_beside_code_that_runs_at_import_does_not_count(tmp_path, spare):
    acting = "import numpy as np\nQ = np.random.seed(1)\ndef run(x):\n    return Q\n\n"
    assert count_prints(tmp_path, [{"entry": acting + text} for text in ("", spare)]) == 1
    # It counts if the code that runs uses it.
    used = [
        "Q = list(map(abs, [idle, SPARE, {}]))\nSPARE = {}\ndef idle(x):\n    return {}".format(*each)
        for each in ((1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2))
    ]
    assert count_prints(tmp_path, [{"entry": f"{text}\ndef run(x):\n    return Q"} for text in used]) == 4


def test_the_code_that_starts_every_job_counts(tmp_path):
    program = {"reproduce/jobs/__main__": "def main():\n    pass\nif __name__ == '__main__':\n    main()"}
    entry, codes = "reproduce.jobs.__main__:main", set()
    for line in ("", "import numpy", "import torch"):
        (tmp_path / "launch.py").write_text(f"if __name__ == '__main__':\n    {line or 'pass'}\n")
        codes.add(fingerprint_of(tmp_path, program, entry=entry))
    assert len(codes) == 3
    (tmp_path / "launch.py").write_text("import numpy\nnumpy.linalg.inv = numpy.linalg.pinv")
    with pytest.raises(UserError, match=r"launch\.py:2: `numpy\.linalg\.inv` changes a shared object at import"):
        fingerprint_of(tmp_path, program, entry=entry)


def test_the_order_of_statements_that_run_at_import_counts(tmp_path):
    acts, reads = "D = CFG.update(a=3)", "def run(x, g=CFG['a']):\n    return g"
    texts = ["\n".join(["CFG = {'a': 1}", *order]) for order in ((acts, reads), (reads, acts))]
    assert count_prints(tmp_path, [{"entry": text} for text in texts]) == 2


@pytest.mark.parametrize(
    ("comment", "counts"),
    [
        ("via numpy (tested)", True),
        ("via  numpy  # the newest", True),
        ("via NumPy", True),
        ("none", False),
        ("", False),
    ],
)
def test_the_words_beside_a_pin_count_only_if_they_name_its_readers(tmp_path, comment, counts):
    lines = f"# Numbers.\n{CONSTRAINTS}".replace("via numpy", comment)
    assert (fingerprint_of(tmp_path, constraints=lines) == fingerprint_of(tmp_path)) is counts


def test_pins_change_only_the_last_digits(tmp_path):
    pinned, edited = (
        fingerprint_of(tmp_path, pins={**PINNED, "numpy": "2.1"}),
        fingerprint_of(tmp_path, changed("entry", "STEPS = 3", "STEPS = 4")),
    )
    same = [without_pins(f"a@{each}") == without_pins(f"a@{fingerprint_of(tmp_path)}") for each in (pinned, edited)]
    assert same == [True, False]


def test_a_pinned_package_counts_only_if_it_is_used(tmp_path):
    before = fingerprint_of(tmp_path)
    assert fingerprint_of(tmp_path, pins={**PINNED, "numpy": "2.1"}) != before
    assert fingerprint_of(tmp_path, pins={**PINNED, "torch": "2.14.0"}) == before


@pytest.mark.parametrize(
    ("old", "new", "counts"),
    [("blas==3.0", "blas==3.1", True), ("fortran==9.1", "fortran==9.2", True), ("sympy==1.0", "sympy==1.1", False)],
)
def test_dependencies_of_a_used_package_count(tmp_path, old, new, counts):
    before = fingerprint_of(tmp_path)
    assert (fingerprint_of(tmp_path, constraints=CONSTRAINTS.replace(old, new)) != before) is counts


def test_a_module_is_matched_to_the_pinned_package_that_installs_it(tmp_path):
    # The package python-dateutil installs the module `dateutil`.
    sources = changed("entry", "import numpy as np", "import dateutil as np")
    first, second = (fingerprint_of(tmp_path, sources, pins={**PINNED, "python-dateutil": each}) for each in "12")
    assert first != second


def test_the_closure_records_which_definition_uses_which(tmp_path):
    origins = Closure(package(tmp_path)).origins(ENTRY)
    assert origins[ENTRY] == ""
    assert origins[f"{PACKAGE}.deep:SCALE"] == f"{PACKAGE}.middle:Half"
    assert origins["numpy==2.0"] == ENTRY
    assert origins["fortran==9.1"] == "blas==3.0"
    assert packages_of(Closure(package(tmp_path)), ENTRY) == ("blas", "fortran", "numpy")
    assert f"{PACKAGE}.middle:unused" not in origins
    assert f"{PACKAGE}.deep:{IMPORTED}" in origins


def test_a_circle_of_imports_ends(tmp_path):
    sources = changed("deep", "import torch", "import torch\nfrom deepnets.middle import unused")
    assert fingerprint_of(tmp_path, sources) == fingerprint_of(tmp_path)


def test_what_a_started_module_does_counts_for_its_main(tmp_path):
    texts = [f"def main(x):\n    return x\n\nif __name__ == '__main__':\n    main({number})" for number in (1, 2)]
    assert count_prints(tmp_path, [{"program": text} for text in texts], entry=f"{PACKAGE}.program:main") == 2


def test_the_version_of_a_package_that_is_imported_for_its_effect_counts(tmp_path):
    prints = []
    for imported in ("import scipy", "import scipy\nIDLE = scipy.pi"):
        sources = {**SOURCES, "deep": joined(SOURCES["deep"], imported)}
        prints.append([fingerprint_of(tmp_path, sources, pins={**PINNED, "scipy": version}) for version in "12"])
    assert prints[0][0] != prints[0][1]
    # No code of the job uses the name that uses it.
    assert prints[1][0] == prints[1][1]
