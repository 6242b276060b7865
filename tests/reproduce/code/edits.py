"""Edits of a small science. `NAME: body of run :: FILE its text :: …`, where «old→new» is the edit and ¶ ends a line.

FILE is a module of the package; `top`, the lines above `run`, by default the import of all modules; or `also`, lines
above these. `path`, on top of both, adds a folder above run.py to the path of modules. Two spaces continue a line.
"""

import re

RUN = "experiments/e/run.py"
PATH = "import sys\nfrom pathlib import Path\nsys.path.append(str(Path(__file__).parents[{}] / {!r}))\n"

# The value changes, so the result must become stale.
CHANGE = """
constant by attribute: return lib.A :: lib A = «1→2»
constant by name: return A :: lib A = «1→2» :: top from toy.lib import A
constant by relative import: return A :: lib A = «1→2» :: top from ...lib import A
constant by computed name: return getattr(lib, "A" + str(len("x"))) :: lib A1 = «1→2»
constant by star import: return A1 :: lib A1 = «1→2» :: top from toy.lib import *
constant by a hub: return hub.A :: hub from toy.lib import A :: lib A = «1→2»
number with another type: return repr(lib.A) :: lib A = «3→3.0»
constant in __init__: return toy.A :: __init__ A = «1→2» :: top import toy
name of __all__: return "A" in globals() :: lib __all__ = [«"B"→"A"»]¶A = B = 1 :: top from toy.lib import *
deleted constant: return hasattr(lib, "A") :: lib A = 1¶«pass→del A»
order of actions at import: return lib.A :: lib C = {"a": 1}¶«C.update(a=3)→pass»¶A = C["a"]¶«pass→C.update(a=3)»
order of imports: return lib.L :: top from toy import «a1, b1→b1, a1», lib :: lib L = [] :: a1 from toy.lib import L¶
  L.append(1) :: b1 from toy.lib import L¶L.append(2)
other meaning of an imported name: return f(8) :: top from math import «log→log2» as f
future statement: return str(lib.C.__annotations__) :: lib «→from __future__ import annotations¶»class C:¶ x: int
default argument: return lib.f() :: lib def f(a=«1→2»): return a
default argument that is a name: return lib.f() :: lib B = 1¶C = 2¶def f(a=«B→C»): return a
constant moved below a default argument: return lib.f() :: lib B = 0¶«B = 1¶→»def f(a=B): return a«→¶B = 1»
default argument of a function that does not run: return lib.f.__defaults__ :: lib def f(a=«1→2»): pass
default argument by an attribute's computed name: return getattr(lib.f, "__defaults" + "__") :: lib def f(a=«1→2»): pass
default argument by a computed template: return ("{0." + "F".lower() + ".__defaults__}").format(lib) ::
  lib def f(a=«1→2»): pass
name of an argument: try: return lib.f(a=2)¶ except TypeError: return 0 :: lib def f(«a→b»=1): return 3
body: return lib.f() :: lib def f(): return «1→2»
body of a function by keyword: return max([3, -4], key=lib.f) :: lib def f(x): return «x→-x»
body of an inner function: return lib.f()() :: lib def f():¶ def g(): return «1→2»¶ return g
generator that goes on: g = lib.g()¶ next(g)¶ return next(g) :: lib def g():¶ yield 0¶ yield «1→2»
coroutine: try: lib.f().send(None)¶ except StopIteration as e: return e.value :: lib async def f(): return «1→2»
asynchronous generator: g = lib.g()¶ try: g.__anext__().send(None)¶ except StopIteration as e: return e.value ::
  lib async def g():¶ yield «1→2»
function in match: return lib.f() :: lib match 1:¶ case 1:¶  def f(): return «1→2»
function in except: return lib.f() :: lib try: 1 / 0¶except ZeroDivisionError:¶ def f(): return «1→2»
function defined twice: return lib.f() :: lib def f(): return 1¶def f(): return «2→3»
function overwritten by a constant: return lib.f :: lib def f(): return 1¶«→f = 2»
order of two functions with one name: return lib.f() :: lib «def f(): return 1¶→»def f(): return 2«→¶def f(): return 1»
function with a name of another module's: return lib.f() + b1.f() :: lib def f(): return 1 :: b1 def f(): return «1→2»
function that hides a built-in one: return lib.f() :: lib «→def sum(x): return 0¶»def f(): return sum([1])
function that hides an imported one: return lib.f() :: lib from math import sqrt¶«→def sqrt(x): return 0¶
  »def f(): return sqrt(4)
function without which an import fails: try: from toy.lib import f¶ except ImportError: return 0¶ return 1 ::
  lib «def f(): pass→pass» :: top pass
method of a subclass: return lib.B().f() :: lib class A:¶ def f(self): return 1¶class B(A):¶
   «pass→def f(self): return 2»
setter of a property: c = lib.C()¶ c.x = 1¶ return c.x :: lib class C:¶ @property¶ def x(self): return self.y¶
   @x.setter¶ def x(self, v): self.y = v + «1→2»
__getattribute__: return lib.C().x :: lib class C:¶ x = 1¶ «pass→def __getattribute__(self, n): return 2»
__del__: o = []¶ x = lib.C(o)¶ del x¶ return o :: lib class C:¶ def __init__(self, o): self.o = o¶
   def __del__(self): self.o.append(«1→2»)
__init_subclass__: return lib.N :: lib N = [0]¶class C:¶ def __init_subclass__(cls, w=1): N[0] += w ::
  b1 from toy.lib import C¶class D(C«→, w=3»): pass
__set_name__: return lib.C.x.n :: lib class D:¶ def __set_name__(self, o, n): self.n = n * «1→2»¶class C: x = D()
__call__ of a metaclass: return lib.C() :: lib class M(type):¶ def __call__(cls): return «1→2»¶
  class C(metaclass=M): pass
__subclasses__: return len(lib.C.__subclasses__()) :: lib class C: pass :: b1 from toy.lib import C¶class A(C): pass¶
  «→class B(C): pass»
order of __subclasses__: return [c.__name__ for c in lib.C.__subclasses__()] :: lib class C: pass¶«class A(C): pass¶
  →»class B(C): pass«→¶class A(C): pass»
_missing_: return lib.E(7).value :: lib from enum import Enum¶class E(Enum):¶ A, B = 1, 2¶ @classmethod¶
   def _missing_(cls, v): return cls.«A→B»
data class: return lib.C().x :: lib from dataclasses import dataclass¶@dataclass¶class C: x: int = «1→2»
__post_init__: return lib.C(1).x :: lib from dataclasses import dataclass¶@dataclass¶class C:¶ x: int¶
   def __post_init__(self): self.x += «1→2»
type in a data class: return fields(lib.C)[0].type.__name__ :: lib from dataclasses import dataclass¶@dataclass¶
  class C: x: «int→str» :: also from dataclasses import fields
base of an error: try: raise lib.E¶ except KeyError: return 1¶ except Exception: return 2 ::
  lib class E(«KeyError→OSError»): pass
text of a UserError of science: try: lib.f()¶ except UserError as e: return str(e) ::
  lib from reproduce.errors import UserError¶def f(): raise UserError("«a→b»") ::
  also from reproduce.errors import UserError
decorator: return lib.f() :: lib def d(f): return lambda: f() + «1→2»¶@d¶def f(): return 1
decorator that is added: return lib.f() :: lib def d(f): return lambda: 5¶«→@d¶»def f(): return 1
registry in another module: return lib.R["a"]() :: lib R = {}¶def reg(n): return lambda f: R.setdefault(n, f) ::
  b1 from toy.lib import reg¶@reg("a")¶def a(): return «1→2»
entry of a registry: return len(lib.R) :: lib R = []¶def reg(f): R.append(f) :: b1 from toy.lib import reg¶@reg¶
  def a(): pass¶«→@reg¶def b(): pass»
functools.singledispatch: return lib.f(1) :: lib from functools import singledispatch¶@singledispatch¶
  def f(x): return 0 :: b1 from toy.lib import f¶@f.register¶def _(x: «int→str»): return 1
singledispatch of a plain function: return lib.f(1) :: lib from functools import singledispatch¶@singledispatch¶
  def f(x): return 0¶def g(x: «int→str»): return 1¶f.register(g)
operator.attrgetter: return attrgetter("A1")(lib) :: lib A1 = «1→2» :: also from operator import attrgetter
operator.methodcaller: return methodcaller("f")(lib) :: lib «→def f(): return 2¶»def __getattr__(n): return lambda: 1 ::
  also from operator import methodcaller
monkey patch: return lib.f() :: lib def f(): return 1 :: b1 from toy import lib¶def g(): return 2¶«→lib.f = g»
monkey patch by computed name: return lib.f() :: lib def f(): return 1 :: b1 from toy import lib¶def g(): return «2→3»¶
  setattr(lib, "F".lower(), g)
monkey patch of a built-in function: return sum([1]) :: lib import builtins¶«→builtins.sum = lambda x: 7»
assignment to __code__: lib.f.__code__ = lib.g.__code__¶ return lib.f() :: lib def f(): return 1¶def g(): return «2→3»
assignment to sys.modules: from toy import lib¶ return lib.A :: top import toy.b1 :: b1 import sys, types¶
  sys.modules["toy.lib"] = types.SimpleNamespace(A=«1→2») :: lib A = 0
class of a module: return lib.x :: lib import sys, types¶class M(types.ModuleType):¶ x = property(lambda self: «1→2»)¶
  sys.modules[__name__].__class__ = M
__getattr__ of a module: return getattr(lib, "x", 0) :: lib A = 1¶«→def __getattr__(name): return 7»
__dir__ of a module: return dir(lib) :: lib A = 1¶«→def __dir__(): return []»
lazy import: from toy import lib¶ return lib.A :: lib A = «1→2» :: top pass
lazy import by computed name: return import_module("toy." + "LIB".lower()).f() :: lib def f(): return «1→2» ::
  top from importlib import import_module
module that appears: return A :: top try:¶ from toy.extra import A¶except ImportError: A = 0 :: «→extra A = 1»
module that is looked for: return find_spec("toy.extra") is None :: top from importlib.util import find_spec ::
  «→extra A = 1»
module that vanishes: try:¶  from toy import lib¶ except ImportError: return 0¶ return 1 :: «lib A = 1→» :: top pass
module that becomes a package: return hasattr(lib, "__path__") :: «lib→lib/__init__» A = 1 :: top from toy import lib
module that a package hides: return lib.A :: lib A = 1 :: «→lib/__init__ A = 2»
namespace that appears: return find_spec("toy.extra") is None :: top from importlib.util import find_spec ::
  «→extra/m A = 1»
namespace of the repository that gets a file: import ns.m¶ return hasattr(ns, "A") :: ../libs/ns/m.py B = 1 ::
  «→../libs/ns/__init__.py A = 1» :: path 3/libs :: top pass
namespace that gets a file: return hasattr(toy.ns, "A") :: ns/m B = 1 :: «→ns/__init__ A = 1» :: top import toy.ns.m
modules of a package: return [m.name for m in iter_modules(toy.__path__)] :: lib A = 1 :: «→extra A = 1» ::
  top import toy¶from pkgutil import iter_modules
modules of a package at import: return len(M) :: lib A = 1 :: «→extra A = 1» :: top import toy¶
  from pkgutil import walk_packages¶M = [*walk_packages(toy.__path__)]
modules by glob: return len([*Path(__file__).parents[2].glob("*.py")]) :: «→extra A = 1» :: top from pathlib import Path
file beside run: return np.loadtxt(Path(__file__).with_name("c.csv")).tolist() :: experiments/e/c.csv «1→2» ::
  top import numpy as np¶from pathlib import Path
file beside run at import: return T :: experiments/e/c.csv «1→2» ::
  top from pathlib import Path¶T = Path(__file__).with_name("c.csv").read_text()
file that appears: try: return open(Path(__file__).with_name("c.csv")).read()¶ except OSError: return "" ::
  «→experiments/e/c.csv 1» :: top from pathlib import Path
source as a text: return len(open(lib.__file__).read()) :: lib A = 1«→ # why»
signature by inspect: return str(inspect.signature(lib.f)) :: lib def f(x: «int→str»): pass :: also import inspect
line of a function: return lib.f.__code__.co_firstlineno :: lib «→¶»def f(): pass
line of a log: return lib.f() :: lib import io, logging¶«→¶»def f():¶ o = io.StringIO()¶ h = logging.StreamHandler(o)¶
   h.setFormatter(logging.Formatter("%(lineno)d"))¶ l = logging.Logger("a")¶ l.addHandler(h)¶ l.error("x")¶
   return o.getvalue()
line of a traceback: try: lib.f()¶ except ZeroDivisionError: return traceback.format_exc() :: lib «→¶»def f(): 1 / 0 ::
  also import traceback
types of arguments: return str(lib.f.__annotations__) :: lib def f(x: «int→str»): pass
types by get_type_hints: return str(get_type_hints(lib.f)) :: lib def f(x: «int→str»): pass ::
  also from typing import get_type_hints
types by computed name: return str(getattr(lib.f, "__ANNOTATIONS__".lower())) :: lib def f(x: «int→str»): pass
type that calls: return lib.L :: lib L = []¶def f(x: L.append(«1→2»)): pass¶L = L[:]
type with an operator of ours: return lib.L :: lib L = []¶class M(type):¶ def __or__(cls, x): L.append(x)¶
  class C(metaclass=M): pass¶def f(x: C | «1→2»): pass
types by another package: return repr(lib.g("1")) :: lib from pydantic import validate_call¶
  def f(x: «int→str»): return x¶g = validate_call(f)
docstring: return lib.f.__doc__ :: lib def f():¶ '''«one→two»'''
docstring of a module: return lib.__doc__ :: lib '''«one→two»'''
names by dir: return [n for n in dir(lib) if n[0] != "_"] :: lib def f(): pass¶«→def g(): pass»
order of names by vars: return [n for n in vars(lib) if n in "fg"] :: lib «def f(): pass¶→»def g(): pass«→¶
  def f(): pass»
names of local variables: return lib.f() :: lib def f():¶ «a→b» = 1¶ return list(locals())
name of a local variable in a text: return lib.f() :: lib def f():¶ «a→b» = 1¶ return f"{«a→b»=}"
exec of a constant: return lib.N["x"] :: lib N = {}¶exec("x = «1→2»", N)
eval of a function's name: return eval("lib." + "F".lower())() :: lib def f(): return «1→2»
pickle of bytes: return pickle.loads(b"ctoy.lib\\nf\\n.").__defaults__ :: lib def f(a=«1→2»): pass :: top import pickle
reload: reload(lib)¶ return lib.N :: lib N = globals().get("N", 0) + «1→2» :: also from importlib import reload
weakref.finalize: o = []¶ x = lib.C()¶ weakref.finalize(x, lib.f, o)¶ del x¶ return o :: lib class C: pass¶
  def f(o): o.append(«1→2») :: also import weakref
thread: o = []¶ t = Thread(target=lib.f, args=[o])¶ t.start()¶ t.join()¶ return o :: lib def f(o): o.append(«1→2») ::
  also from threading import Thread
finder of a module's names: return len([*map(type, b1.f(lib))]) :: lib «→def g(): pass¶»A = 1 ::
  b1 def f(m): return [v for k, v in m.__dict__.items() if k[0] != "_"]
hook of sys.modules: return [m for m in sys.modules if m.startswith("toy.b")] :: top import sys¶from toy import lib ::
  lib «→from toy import b1» :: b1 A = 1
name that star import hides: return f() :: top from toy.lib import *¶from toy.b1 import * :: lib def f(): return 1 ::
  b1 «→def f(): return 2»
constant that a function rebinds: lib.f()¶ return lib.A :: lib A = 0¶def f():¶ global A¶ A = «1→2»
condition on a name: return lib.A :: lib «B = 1¶→»try: B¶except NameError: A = 0¶else: A = 1
order of a function and a statement that calls it: return lib.A :: lib «def f(): return 1¶→»try: A = f()¶
  except NameError: A = 0«→¶def f(): return 1»
order of a constant and a function with its name: return callable(lib.f) :: lib «f = 1¶def f(): pass→def f(): pass¶
  f = 1»
order of a default argument's two values: return lib.f() :: lib A = 1¶«def f(x=A): return x¶A = 2→A = 2¶
  def f(x=A): return x»
name of a type that nothing binds: return lib.A :: lib A = 1¶def f(x: «int→Intt»): pass
default argument that nothing binds: return lib.A :: lib A = 1¶«→def f(x=B): pass»
type that nothing binds any more: return lib.A :: lib A = 1¶«W = int→W = int; del W»¶def f(x: W): pass
default argument of run: pass :: experiments/e/run def run(spec, a=«1→2»): return a
type of a name that hides a package: return lib.L :: lib import numpy as np¶L = []¶class C:¶
   def __class_getitem__(cls, k): L.append(k)¶np = C¶def f(x: np[«1→2»]): pass
type with a computed item: return lib.L :: lib L = []¶class D(dict):¶ def __missing__(self, k): L.append(k)¶D = D()¶
  def f(x: D["«a→b»"]): pass
lazy function of a module: return lib.g() :: lib def __getattr__(n):¶ from toy import b1¶ return b1.f ::
  b1 def f(): return «1→2»
two modules whose texts swap: return a1.A - b1.A :: a1 A = «1→2» :: b1 A = «2→1»
two functions whose bodies swap: return lib.f() - lib.g() :: lib def f(): return «1→2»¶def g(): return «2→1»
module with another name: return A :: «b1→c1» A = 1 :: top try:¶ from toy.b1 import A¶except ImportError: A = 0
half-saved file: return lib.A :: lib A = 1«→ +»
conditional on the name of types: return lib.A :: lib TYPE_CHECKING = True¶if TYPE_CHECKING:¶ A = «1→2»
names by __dir__: return len(lib.__dir__()) :: lib A = 1¶«→def g(): pass»
helper beside run: return helper.A :: experiments/e/helper A = «1→2» :: path 0 :: also import helper
helper that is forgotten: return A :: experiments/e/helper A = «1→2» :: path 0 ::
  also from helper import A¶del sys.modules["helper"], sys.path[-1]
helper in a thread: o = []¶ t = Thread(target=lambda: o.append(import_module("helper").A))¶ t.start()¶ t.join()¶
   return o :: experiments/e/helper A = «1→2» :: path 0 ::
  also from importlib import import_module¶from threading import Thread
helper that appears: try: import helper¶ except ImportError: return 0¶ return 1 :: «→experiments/e/helper 1» :: path 0
helper that a package hides: import helper¶ return helper.A :: experiments/e/helper A = 1 ::
  «→experiments/e/helper/__init__ A = 2» :: path 0
file that a helper reads: return helper.T :: ../libs/helper.py from pathlib import Path¶
  T = Path(__file__).with_name("c.txt").read_text() :: ../libs/c.txt «1→2» :: path 3/libs :: also import helper
folder beside the packages: import libs.m¶ return libs.m.A :: ../libs/m.py A = «1→2» :: path 3
folder of the repository: import m¶ return m.A :: ../../libs/m.py A = «1→2» :: path 4/libs
folder that a package takes: from toy import m¶ return m.A :: ../../libs/m.py A = «1→2» :: path 4 ::
  also import toy¶toy.__path__.append(sys.path.pop() + "/libs")
second name of a module: import lib¶ return lib.A :: lib A = «1→2» :: path 2 :: top pass
second name by its file: s = spec_from_file_location("x", toy.__path__[0] + "/lib.py")¶ m = module_from_spec(s)¶
   s.loader.exec_module(m)¶ return m.A :: lib A = «1→2» ::
  top import toy¶from importlib.util import module_from_spec, spec_from_file_location
module by run_path: return run_path(Path(__file__).with_name("helper.py"))["A"] :: experiments/e/helper A = «1→2» ::
  top from pathlib import Path¶from runpy import run_path
module without our finder: sys.meta_path[:] = [m for m in sys.meta_path if m.__module__ != "reproduce"]¶
   from toy import lib¶ return lib.A :: lib A = «1→2» :: top import sys
function that a trace calls: sys.setprofile(lib.f)¶ len([])¶ sys.setprofile(None)¶ return len(lib.N) > 1 :: lib N = []¶
  def f(*a): N.append(1) if «True→False» else None :: also import sys
"""

# The value stays, and so does the result.
SAME = """
comment: return lib.f() :: lib def f(): return 1«→ # why»
layout: return lib.f() :: lib def f(): return «[1, 2]→[¶  1,¶  2,¶ ]»
quotes: return lib.f() :: lib def f(): return «'a'→"a"»
parts of a text: return lib.f() :: lib def f(): return «"ab"→"a" "b"»
spelling of a number: return lib.f() :: lib def f(): return «1000.0→1_0e2»
prefix of a text: return lib.f() :: lib def f(): return «→u»"a"
type comment: return lib.f() :: lib def f():¶ x = 1«→ # type: int»¶ return x
coding line: return lib.A :: lib «→# coding: utf-8¶»A = 1
docstring: return lib.f() :: lib def f():¶ '''«one→two»'''¶ return 1
docstring of a class: return lib.C().x :: lib class C:¶ '''«one→two»'''¶ x = 1
docstring of a module: return lib.A :: lib «→"new"¶»A = 1
body of a function that does not run: return lib.f() :: lib def f(): return 1¶def g(): return «2→3»
body of a decorated function that does not run: return lib.R :: lib R = []¶@R.append¶def f(): return «1→2»¶R = len(R)
body of a function in a branch that does not run: return lib.A :: lib A = 1¶if A:¶ def f(): return «1→2»
body of a function after an error: try: lib.f(lib.g)¶ except ValueError: return 1 :: lib def f(g):¶ raise ValueError¶
   g()¶def g(): return «1→2»
body of a generator that never starts: lib.g()¶ return 3 :: lib def g(): yield «0→1»
body of a property that nobody reads: return lib.C().x :: lib class C:¶ x = 1¶ @property¶ def y(self): return «1→2»
body of a function with the name of one that ran: return lib.f() :: lib def f(): return 1 :: b1 def f(): return «2→3»
function that is added: return lib.f() :: lib def f(): return 1¶«→def g(): return 2»
function with types and defaults that is added: return lib.f() :: lib import numpy as np¶class C: pass¶B = 1¶
  def f(): return 1¶«→def g(x: C, y: np.ndarray = B, *z: list[C]) -> list[C]: return 2»
function that is deleted: return lib.f() :: lib def f(): return 1¶«def g(): return 2→»
function with another name: return lib.f() :: lib def f(): return 1¶def «g→h»(): return 2
default argument of a function that nobody names: return lib.f() :: lib def f(): return 1¶def g(x=«1→2»): return x
method with other types: return lib.C().f(1) :: lib class C:¶ def f(self, x: «int→float») -> «int→float»: return x
type of an argument: return lib.f(1) :: lib def f(x: «int→float»): return x
type of an argument that is added: return lib.f(1) :: lib def f(x«→: int», *y«→: str»)«→ -> list[int]»: return x
type of an argument of another package: return lib.f(1) :: lib import numpy as np¶
  def f(x: «np.ndarray→list[np.ndarray]»): return x
type of an argument of this package: return lib.f(1) :: lib class C: pass¶def f(x: «C→"list[C]"»): return x
order of functions: return lib.f() :: lib «def f(): return 1¶→»def g(): return 2«→¶def f(): return 1»
order of functions with types: return lib.f() + lib.g() :: lib import numpy as np¶W = list[np.ndarray]¶
  «def f(x: W = None): return 1¶→»def g(x: np.ndarray = np.pi): return 2«→¶def f(x: W = None): return 1»
order of constants: return lib.A :: lib «A = 1¶B = -2→B = -2¶A = 1»
order of a constant and a function: return lib.f() :: lib «A = 1¶def f(): return A→def f(): return A¶A = 1»
module that nobody imports: return lib.A :: lib A = 1 :: top from toy import lib :: b1 A = «1→2»
module that is added: return lib.A :: lib A = 1 :: «→extra A = 2» :: top from toy import lib
lazy import that does not run: return lib.f() :: lib def f(): return 1¶def g(): from toy import b1 :: b1 A = «1→2» ::
  top from toy import lib
half-saved file that nobody imports: return lib.A :: lib A = 1 :: top from toy import lib :: b1 A = 1«→ +»
file with a null byte that nobody imports: return lib.A :: lib A = 1 :: top from toy import lib :: b1 A = 1«→ \0»
import for types: return lib.A :: lib from typing import TYPE_CHECKING¶if TYPE_CHECKING:¶ import math«→, cmath»¶A = 1
file that nobody opens: return lib.A :: lib A = 1 :: experiments/e/c.csv «1→2» :: top from toy import lib
"""

# The value stays, yet the result becomes stale, for the reason in the last part.
NEEDLESS = """
constant that nobody reads: return lib.A :: lib A = 1¶B = «1→2» :: why a module's statements count
class that is added: return lib.A :: lib A = 1¶«→class C: pass» :: why a module's statements count
method that is added: return lib.C().x :: lib class C:¶ x = 1¶ «pass→def f(self): pass» :: why a class is one statement
order of methods: return lib.C().x :: lib class C:¶ x = 1¶ «def f(self): 1¶ def g(self): 2→def g(self): 2¶
   def f(self): 1» :: why a class is one statement
function moved across a class: return lib.f() :: lib «def f(): return 1¶→»class C: pass«→¶def f(): return 1» ::
  why a class may run code
function moved across an import: return lib.f() :: lib «def f(): return 1¶→»from toy import b1«→¶def f(): return 1» ::
  b1 A = 1 :: why an import may run code
decorated function that is added: return lib.A :: lib from functools import cache¶A = 1¶«→@cache¶def f(): return 1» ::
  why a decorator may run code
type of a decorated function: return lib.f(1) :: lib from functools import cache¶@cache¶
  def f(x: «int→float»): return x :: why a decorator may read types
type if code reads types: return lib.f(1), str(b1.f.__annotations__) :: lib def f(x: «int→float»): return x ::
  b1 def f(x: int): pass :: why it may be any function's
type of a local variable: return lib.f() :: lib def f():¶ x: «int→float» = 1¶ return x :: why it is in a body
name of a local variable: return lib.f() :: lib def f():¶ «x→y» = 1¶ return «x→y» :: why it is in a body
inner function that does not run: return lib.f() :: lib def f():¶ def g(): return «1→2»¶ return 1 :: why it is in a body
equal expression: return lib.f() :: lib def f(): return «2 * 3→6» :: why it is in a body
setter of a property that was read: return lib.C().x :: why both have one name :: lib class C:¶ @property¶
   def x(self): return 1¶ @x.setter¶ def x(self, v): self.y = «1→2»
function that is added if code lists names: return lib.A, len(dir(b1)) > 0 :: lib A = 1¶«→def f(): pass» :: b1 A = 1 ::
  why it may be any module's
docstring if code reads docstrings: return lib.f(), b1.__doc__ :: lib def f():¶ '''«one→two»'''¶ return 1 ::
  b1 'text' :: why it may be any function's
comment if code reads lines: return lib.f(), b1.f() :: lib def f(): return 1«→ # why» :: b1 import inspect¶
  def f(): return 1 :: why it may be any source
lambda that does not run: return lib.A :: lib A = 1¶f = lambda: «1→2» :: why a lambda belongs to its statement
compiled module: try: import m¶ except ImportError: return 1 :: experiments/e/m.abi3.so «1→2» :: path 0 ::
  why it is no compiled module, but one that counts
library in C: try: CDLL(__file__.replace("run.py", "m.so"))¶ except OSError: return 1 :: experiments/e/m.so «1→2» ::
  also from ctypes import CDLL :: why it is no library, but one that counts
archive: try: import m¶ except ImportError: return 1 :: experiments/e/m.zip «1→2» :: path 0/m.zip ::
  why it is no archive, but one that counts
comment of a module past our loader: import helper¶ return helper.A :: experiments/e/helper A = 1«→ # why» :: path 0 ::
  why only our loader knows what of a module ran
type of any function of a module that imports other packages: return lib.f(1) :: lib import pydantic¶
  def f(x: «int→float»): return x :: why such a package may read types
"""

# The value changes, yet nothing becomes stale, as docs/staleness.md says.
UNSEEN = """
line of a warning: with warnings.catch_warnings(record=True) as w: lib.f()¶ return str(w[0]) ::
  lib import warnings¶«→¶»def f(): warnings.warn("x") :: also import warnings
"""


def read(table: str) -> dict[str, list[dict[str, str]]]:
    """Return name → the files before and after the edit, path in the package → text."""
    found = {}
    for line in table.strip().replace("\n  ", "").split("\n"):
        name, _, text = line.partition(": ")
        for pattern in (r"«([^→]*)→[^»]*»", r"«[^→]*→([^»]*)»"):
            body, *parts = (part.strip(" ") for part in re.sub(pattern, r"\1", text).replace("¶", "\n").split("::"))
            files = dict(part.partition(" ")[::2] for part in parts if part)
            files.pop("why", None)
            also = files.pop("also", "")
            number, _, folder = files.pop("path", "").partition("/")
            modules = ", ".join(path for path in files if path.isidentifier() and path != "top")
            top = files.pop("top", f"{also}\nfrom toy import {modules}" if modules else also)
            top = (PATH.format(number, folder) if number else "") + top
            files = {path if "." in path else f"{path}.py": content for path, content in files.items()}
            found.setdefault(name, []).append({RUN: f"{top}\n\n\ndef run(spec):\n {body}\n", **files})
    return found
