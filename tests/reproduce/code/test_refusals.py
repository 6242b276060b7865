"""Code that a fingerprint cannot follow, or on which no job may depend, is refused; the error says what to write."""

from contextlib import nullcontext

import pytest

from reproduce.errors import UserError
from small_package import PINNED, SOURCES, changed, fingerprint_of, joined

IMPORT = ("middle", "from deepnets.deep")
CALL = ("entry", "deep.offset(step)")
NUMBER = ("entry", "np.zeros(2)")
TAKE = "in `run`, take a data file of the experiment's folder"


# Code that `run` must not contain: part of the message → the code.
EXPRESSIONS = {
    # Access to code, other processes, the environment or the machine.
    "inspect.getsource` reaches code": ("inspect.getsource(run)",),
    "reaches code or another process": ("subprocess.run(spec)", "importlib.import_module(spec)"),
    "os.environ` reads the environment": ("os.environ['GAIN']",),
    "time.time` reads the clock, .* `python -m reproduce.tools.costs` lists": ("time.time()",),
    "starts processes or threads; make an axis of the config": ("multiprocessing.Pool(2)",),
    "differs between machines, .*; put the value into the config": (
        *("platform.node()", "os.cpu_count()", "sys.executable", "sys.orig_argv", "sys.getallocatedblocks()"),
        *("sys.stdout.isatty()", "gc.get_count()"),
    ),
    "`numpy` is a module as a value": ("call(np)",),
    "computed name": ("reduce(getattr, spec, run)", "getattr(run, '__do' + 'c__')"),
    "may name a variable, which no fingerprint follows; use a mask": (
        *("step.query('x > @LIMIT')", "step.eval(f'x > @{spec}')", "halve(step, 'x >\\n@ STEPS')"),
    ),
    # The message says how a run reads files.
    f"reaches a file that is no input; {TAKE}": ("open(f'{spec}/gain.txt')", "open(__file__)"),
    f"reaches files or the network; {TAKE}": ("pathlib.Path('workflow', 'gain').read_text()", "os.makedirs(spec)"),
    TAKE: (
        "io.open(spec)",
        "glob.glob(spec)",
        "pandas.read_parquet(spec)",
        "torch.jit.load(spec)",
        "torch.save(step, spec)",
    ),
    "reaches a module through another one": (
        *("random._os.urandom(8)", "pandas.io.common.os.getcwd()", "call(logging.time)", "step.os", "call(io.os)"),
        *("datetime.sys.modules", "getattr(step, 'threading')", "logging.weakref.ref(step)"),
    ),
    "reads types and texts of code": ("pydantic.TypeAdapter(halve)", "torch.fx.symbolic_trace(halve)"),
    # Values that differ between processes.
    "reads the clock": (
        *("time.perf_counter()", "pandas.Timestamp.now()", "datetime.datetime.now()", "datetime.date.today()"),
        *("np.datetime64('now')", "pandas.Timestamp('today')", "pandas.date_range(end='now', periods=2)"),
        *("torch.utils.benchmark.Timer(spec)", "torch.autograd.profiler.profile()"),
    ),
    "a time that was measured": (
        *("step.execution_time", "step.format_dict['elapsed']", "step.elapsed_time(spec)", "tqdm.tqdm(spec).start_t"),
        *("step.now()", "getattr(step, 'today')()", "list(map(step.utcnow, spec))"),
    ),
    "whatever the memory contained before; fill it with nan": (
        "np.log(step, where=step > 0)",
        "np.log(step, out=None, where=step > 0)",
    ),
    "reads the types of arguments": ("step.register(halve)", "step.register(run)"),
    "takes a seed from the operating system": (
        *("np.random.default_rng()", "np.random.default_rng(seed=None)", "np.random.RandomState(None)"),
        *(
            "random.Random()",
            "np.random.seed()",
            "random.SystemRandom(1)",
            "random._urandom(8)",
            "map(torch.seed, spec)",
        ),
    ),
    "differs between processes": ("id(spec)", "list(map(id, spec))", "sorted(spec, key=id)"),
    # Texts, types and code that no fingerprint contains.
    "no fingerprint contains; write the text as a constant, list functions": (
        *(
            "run.__annotations__",
            "getattr(run, '__annotations__')",
            "'\\n{0.__doc__}'.format(run)",
            "typing.get_type_hints(run)",
        ),
        *("vars(run)", "list(map(vars, [run]))", "run.__globals__", "getattr(run, '__globals__')", "sys._getframe()"),
        *("run.__code__.co_consts", "object.__subclasses__()", "type.__subclasses__(object)", "gc.get_referrers(run)"),
        *("getattr(object, '__subclasses__')()", "typing.get_overloads(run)", "object.__getattribute__(run, spec)"),
        *(
            "__loader__.get_data(spec)",
            "step.tb_frame.f_back",
            "step.__getstate__()",
            "run.__closure__[0]",
            "run.__dict__",
            "hints(run)",
            "frame()",
            *("f'{run.__doc__}'", "help(run)", "step.tb_lineno", "step[0].lineno", "logging.Formatter('%(lineno)d')"),
        ),
    ),
}


@pytest.mark.parametrize(
    ("module", "old", "new", "message"),
    [
        # Names that are computed, or bound where the fingerprint cannot see it.
        (*IMPORT, "from deepnets.deep import *  #", "star imports"),
        (*IMPORT, "from .deep", "relative and star imports"),
        (*IMPORT, "import deepnets.deep\nfrom deepnets.deep", "from … imp"),
        (*CALL, "getattr(step, spec)(step)", "computed name; use a dictionary"),
        (*CALL, "eval(spec)(step)", "`eval` reaches code or texts by name"),
        (*CALL, "globals()[spec](step)", "`globals` reaches code"),
        (*CALL, "len(run.__doc__)", "no fingerprint contains; write the text as a constant"),
        (*CALL, "call(deep)", "uses the module deepnets.deep as a value"),
        (*CALL, "deep.absent(step)", "defines no 'absent'"),
        ("entry", "import numpy as np", "import unpinned as np", "neither in .*pins.txt nor needed by a package"),
        *((*NUMBER, expression, message) for message, some in EXPRESSIONS.items() for expression in some),
    ],
)
def test_code_that_cannot_be_followed_is_refused(tmp_path, module, old, new, message):
    sources = changed(module, old, new)
    imported = (
        "import datetime, glob, importlib, inspect, io, logging, multiprocessing, os, pathlib, platform, random\n"
    )
    imported += "import pandas, pydantic, subprocess, time, torch, tqdm, typing, sys, gc\n"
    imported += "from typing import get_type_hints as hints\nfrom sys import _getframe as frame"
    sources["entry"] = joined(sources["entry"], imported)
    with pytest.raises(UserError, match=message):
        fingerprint_of(tmp_path, sources, pins={**PINNED, "pandas": "2", "pydantic": "2", "tqdm": "4"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("print(STEPS)", "acts at import"),
        ("for name in 'ab':\n    pass", "acts at import"),
        ("try:\n    import numpy\nexcept ImportError:\n    numpy = None", "acts at import"),
        ("STEPS += 1", "acts at import"),
        ("X = [y := 3]", "acts at import"),
        ("class Half:\n    STEPS += [1]", "acts at import"),
        ("class Half:\n    from deepnets.middle import unused", "acts at import"),
        ("X = [(each for each in 'ab')]", "is empty after the first code that reads it; write a list"),
        ("import numpy as np\nnp.exp = np.expm1", "`np.exp` changes a shared object at import"),
        ("SCALES = {}\nSCALES['a'] = 1", "changes a shared object at import"),
        ("from deepnets import middle\nmiddle.halve = 3", "`middle.halve` changes a shared object"),
        ("import setup_numpy", "nor needed by a package there"),
        ("from deepnets.middle import unused\ndef unused(x): pass", "'unused' is bound more than once"),
        ("def f(): pass\ndef f(): pass", "'f' is bound more than once"),
        ("import numpy as np\nimport torch as np", "'np' is bound more than once"),
        ("X = 1\nX = 2", "'X' is bound more than once"),
    ],
)
@pytest.mark.parametrize("module", ["entry", "__init__"])
def test_a_module_with_hidden_effects_is_refused_even_if_only_imported(tmp_path, text, message, module):
    sources = {**SOURCES, module: joined(SOURCES[module], text)}
    with pytest.raises(UserError, match=message):
        fingerprint_of(tmp_path, sources)


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("reproduce.records.datasets", "read"),
        ("reproduce.records.tables", "read_run"),
        ("reproduce.records.provenance", "sha256_of"),
        ("deepnets.data.digits.sources", "from_directory"),
        ("reproduce.config.files", "read"),
        ("reproduce.code.fingerprint_cache", "verify"),
        ("reproduce.jobs.archive", "main"),
    ],
)
def test_an_experiment_may_not_read_files_through_a_different_room(tmp_path, module, name):
    room = {module.removeprefix("deepnets.").replace(".", "/"): f"def {name}(path):\n    return path"}
    sources = changed("entry", "np.zeros(2)", f"{name}(spec)")
    sources["entry"] = joined(sources["entry"], f"from {module} import {name}")
    with pytest.raises(UserError, match=rf"{module}:{name} may read files; in `run`, take a data file"):
        fingerprint_of(tmp_path, {**sources, **room})


def test_an_experiment_may_use_the_types_of_its_arguments_and_result(tmp_path):
    sources = changed("entry", "np.zeros(2)", "Measurements(), Dataset()")
    lines = "from reproduce.records.measurements import Measurements\nfrom reproduce.records.datasets import Dataset"
    sources["entry"] = joined(sources["entry"], lines)
    rooms = {"measurements": "Measurements", "datasets": "Dataset"}
    room = {f"reproduce/records/{module}": f"class {name}: pass" for module, name in rooms.items()}
    assert fingerprint_of(tmp_path, {**sources, **room})


@pytest.mark.parametrize(
    "new",
    [
        *("re.compile(spec)", "step.query('depth == 3')", "step.eval()", "getattr(step, 'real')", "json.loads(spec)"),
        *("np.frombuffer(step)", "torch.from_numpy(step)", "hashlib.sha256(spec).hexdigest()", "'relu'"),
        *("np.random.default_rng(spec)", "np.random.RandomState(seed=1).random()", "random.Random(1).choice(spec)"),
        *("torch.randn(2, generator=torch.Generator().manual_seed(1))", "np.datetime64('2020-01-01')"),
        *("np.random.normal(size=2)", "torch.randn(2)"),
        # Shared mathematics may take memory as it is.
        *("np.empty(2), np.log(step, where=step > 0, out=np.zeros(2))", "np.sum(step, where=step > 0)"),
        *("step.register(int, run)", "ast.literal_eval(spec)", "fnmatch.fnmatch(spec, 'a*')", "html.escape(spec)"),
        *("shlex.split(spec)", "os.sep, os.fspath(spec)", "sys.maxsize, sys.float_info.eps", "sorted(spec, key=abs)"),
        # Each job has the same order of sets.
        *("hash((1, 2)), hash(spec)", "sum({1, 2, 3}), [each for each in set(spec)]"),
        # Nothing of this reaches a result, except through values.
        *("logging.getLogger(__name__).info(spec)", "tqdm.tqdm(spec)", "os.path.join(spec, 'a')"),
        *(
            "datetime.time(3), datetime.datetime(2020, 1, 1).time()",
            "sys.stderr.write(spec)",
            "isinstance(spec, c.abc.Set)",
        ),
        *("datetime.timedelta(seconds=3).total_seconds()", "list(csv.reader([spec]))"),
        # A search tree, a text in memory, and the name of a module in a text.
        *("KDTree(spec).query(spec)", "step.query(f'depth == {spec}')", "'W @ x'"),
        *("np.loadtxt(io.StringIO(spec))", "np.load(io.BytesIO(spec))", "np.genfromtxt(StringIO(spec), delimiter=',')"),
        *(
            "'run.py'",
            "'see entry.py'",
            "run.__name__, type(run).__qualname__, spec.__class__, __name__",
            "gc.collect()",
        ),
    ],
)
def test_harmless_code_that_looks_similar_is_allowed(tmp_path, new):
    sources = changed("entry", "np.zeros(2)", new)
    imported = "import ast, csv, datetime, fnmatch, gc, hashlib, html, io, json, logging, os, random, re, shlex, sys\n"
    imported += "import collections as c, torch, tqdm\n"
    imported += "from io import StringIO\nfrom scipy.spatial import KDTree"
    sources["entry"] = joined(sources["entry"], imported)
    sources["entry"] = sources["entry"].replace("Do it.", "Return W @ x, and not __doc__.")
    # A file may have the name of an activation.
    (tmp_path / "deepnets").mkdir()
    (tmp_path / "deepnets/relu").touch()
    assert fingerprint_of(tmp_path, sources, pins={**PINNED, "tqdm": "4", "scipy": "1"})


@pytest.mark.parametrize("room", ["experiments/toy", "documents/toy/figures"])
@pytest.mark.parametrize(
    ("code", "refused"),
    [
        *((code, True) for code in ("np.empty(2)", "np.empty_like(spec)", "np.ndarray((2, 3))", "np.ma.empty(2)")),
        *((code, True) for code in ("torch.empty((2, 3))", "torch.Tensor(2, 3)", "torch.FloatTensor(2)")),
        *((code, True) for code in ("list(map(np.empty, spec))", "torch.nn.utils.skip_init(spec)")),
        *((code, True) for code in ("spec.new_empty(2)", "spec.resize_(3)", "torch.UntypedStorage(4)")),
        *(
            (code, False)
            for code in ("torch.Tensor([1.0])", "np.ndarray(2, buffer=spec)", "isinstance(spec, np.ndarray)")
        ),
        *((code, False) for code in ("spec.empty", "np.full(2, np.nan)", "torch.tensor(spec)")),
    ],
)
def test_authors_may_not_use_memory_that_nothing_has_filled(tmp_path, room, code, refused):
    text = f"import numpy as np\nimport torch\ndef run(spec):\n    return {code}"
    rooms = {f"{room.rpartition('/')[0]}/__init__": "", f"{room.partition('/')[0]}/__init__": ""}
    entry = f"deepnets.{room.replace('/', '.')}:run"
    with pytest.raises(UserError, match="whatever the memory contained") if refused else nullcontext():
        assert fingerprint_of(tmp_path, {**SOURCES, **rooms, room: text}, entry=entry)


def test_only_modules_of_data_sets_may_ask_another_program(tmp_path):
    text = "import subprocess\ndef make(spec):\n    return subprocess.run(spec)"
    sources = {**SOURCES, "data/__init__": "", "data/digits/__init__": ""}
    entry = "deepnets.data.digits.make:make"
    assert fingerprint_of(tmp_path, {**sources, "data/digits/make": text}, entry=entry)
    with pytest.raises(UserError, match=r"`subprocess\.Popen` reaches code or another process"):
        fingerprint_of(tmp_path, {**sources, "data/digits/make": text.replace("run", "Popen")}, entry=entry)


def test_programs_may_open_files_but_not_those_of_the_sources(tmp_path):
    entry = "reproduce.jobs.weigh:main"

    def job(argument, imports=""):
        text = f"{imports}from pathlib import Path\ndef main(folder):\n    return open({argument}).read()"
        return {**SOURCES, "reproduce/jobs/weigh": text}

    assert fingerprint_of(tmp_path, job("folder"), entry=entry)
    (tmp_path / "deepnets/gains.txt").write_text("1")
    with pytest.raises(UserError, match=f"'gains.txt'` is a file, and in no fingerprint; {TAKE}"):
        fingerprint_of(tmp_path, changed(*NUMBER, "'gains.txt'"))
    for argument in ("'deepnets/gains.txt'", "'gains.txt'", "f'{folder}/gains.txt'", "Path(folder) / 'gains.txt'"):
        with pytest.raises(UserError, match="is a file, and in no fingerprint; declare it as an input of the rule"):
            fingerprint_of(tmp_path, job(argument), entry=entry)
    with pytest.raises(UserError, match="reads the environment"):
        fingerprint_of(tmp_path, job("os.environ['HOME']", "import os\n"), entry=entry)


def test_a_room_may_not_define_a_name_equal_to_one_of_its_modules(tmp_path):
    sources = {**SOURCES, "room/__init__": "def idle(x):\n    return x", "room/idle": "X = 1"}
    sources["entry"] = joined(sources["entry"], "from deepnets.room.idle import X")
    with pytest.raises(UserError, match="'idle' is also a module of this package"):
        fingerprint_of(tmp_path, sources)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"deep": "def ("}, r"deep\.py:1: not Python"),
        ({"deep/__init__": ""}, r"are both the module deepnets\.deep; keep o"),
    ],
)
def test_invalid_python_and_two_files_of_one_module_are_refused(tmp_path, changes, message):
    with pytest.raises(UserError, match=message):
        fingerprint_of(tmp_path, {**SOURCES, **changes})
