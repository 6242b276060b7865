"""Idioms of physicists in experiments, in the form of edits.py: no job refuses them, and each gives one value."""

IDIOMS = """
table in a text: return pd.read_csv(io.StringIO("a,b\\n1,2"))["b"].tolist() :: also import io¶import pandas as pd
table beside run: return pd.read_csv(Path(__file__).with_name("c.csv"))["a"].tolist() ::
  also import pandas as pd¶from pathlib import Path :: experiments/e/c.csv a,b\\n1,2
array in a text: return np.loadtxt(io.StringIO("1 2"), delimiter=" ").tolist() :: also import io¶import numpy as np
text beside run: return open(os.path.join(os.path.dirname(__file__), "c.txt")).read() ::
  also import os :: experiments/e/c.txt one
resource: return files("toy.experiments.e").joinpath("c.txt").read_text() ::
  also from importlib.resources import files :: experiments/e/c.txt one
label: return "product @ W"
query of a table: k = 1¶ return len(pd.DataFrame({"a": [1, 2]}).query("a > @k")) :: also import pandas as pd
table grouped: return pd.DataFrame({"a": [1, 1], "b": [2, 3]}).groupby("a")["b"].agg(["mean", "std"]).to_dict() ::
  also import pandas as pd
getattr in a loop: return [getattr(np, n)(0.0).item() for n in ("sin", "cos", "tanh")] :: also import numpy as np
getattr by a setting: return getattr(lib, spec.get("f", "f"))() :: lib def f(): return 1
hasattr: return hasattr(spec, "items")
relative import: return A :: lib A = 1 :: top from ...lib import A
xp: return float(xp.sum(xp.ones(2))) :: also import numpy as np¶xp = np
try import: return np is not None :: also try:¶ import cupy as np¶except ImportError:¶ import numpy as np
item at import: return X["a"] :: also X = {}¶X["a"] = 1
print at import: return 1 :: also print("loaded")
global counter: global N¶ N += 1¶ return N :: also N = 0
parameter of torch: return torch.nn.Parameter(torch.zeros(2)).tolist() :: also import torch
layer of torch: return torch.nn.Linear(2, 2).weight.tolist() :: also import torch
module of torch: return N()(torch.ones(2)).tolist() ::
  also import torch¶class N(torch.nn.Module):¶ def __init__(self):¶  super().__init__()¶  self.l = torch.nn.Linear(2, 1)
  ¶ def forward(self, x): return self.l(x)
optimiser of torch: w = torch.ones(2, requires_grad=True)¶ o = torch.optim.Adam([w])¶ (w**2).sum().backward()¶ o.step()¶
   return w.tolist() :: also import torch
no_grad as decorator: return f(torch.ones(2)).tolist() :: also import torch¶@torch.no_grad()¶def f(x): return x * 2
einsum: return np.einsum("ij,jk->ik", np.eye(2), np.eye(2)).tolist() :: also import numpy as np
np.vectorize: return np.vectorize(lambda x: x + 1)([1, 2]).tolist() :: also import numpy as np
np.random.seed: np.random.seed(0)¶ return np.random.rand() :: also import numpy as np
generator with the seed of the spec: return np.random.default_rng(spec.get("seed", 0)).normal() ::
  also import numpy as np
generator without a seed: return np.random.default_rng().normal() :: also import numpy as np
random of Python: return random.random(), random.Random().random() :: also import random
structured array: return np.zeros(1, dtype=[("a", "i4"), ("b", "f8")])["a"].tolist() :: also import numpy as np
linear algebra: return np.linalg.svd(np.eye(2))[1].tolist() :: also import numpy as np
lru_cache: return f(3) :: also from functools import lru_cache¶@lru_cache(None)¶def f(n): return n and n * f(n - 1) or 1
partial: return partial(pow, 2)(3) :: also from functools import partial
data class: return C(1) == C(x=1), C(2).y :: also from dataclasses import dataclass, field¶
  @dataclass(frozen=True)¶class C:¶ x: int¶ y: list = field(default_factory=list)
__slots__: c = C()¶ c.x = 1¶ return c.x :: top class C: __slots__ = ("x",)
walrus: return [y for x in range(3) if (y := x * 2)]
match: match (1, 2):¶  case (1, y): return y
closures in a loop: return [f(1) for f in [lambda x, k=k: x * k for k in range(3)]]
itemgetter: return sorted([(1, 2), (0, 3)], key=operator.itemgetter(0)) :: also import operator
warnings: with warnings.catch_warnings():¶  warnings.simplefilter("ignore")¶  warnings.warn("x")¶ return 1 ::
  also import warnings
logging: logging.getLogger(__name__).warning("x %s", 1)¶ return 1 :: also import logging
tqdm: return [x for x in tqdm(range(2), disable=True)] :: also from tqdm import tqdm
minimum by SciPy: return round(float(minimize(lambda x: (x[0] - 1) ** 2, [0.0]).x[0]), 4) ::
  also from scipy.optimize import minimize
fit by SciPy: return curve_fit(lambda x, a: a * x, [1.0, 2.0], [2.0, 4.0])[0].round(6).tolist() ::
  also from scipy.optimize import curve_fit
equation by SciPy: return solve_ivp(lambda t, y: -y, (0, 1), [1.0]).y[0, -1].round(6) ::
  also from scipy.integrate import solve_ivp
eigenvalues by SciPy: return eigsh(np.diag([1.0, 2, 3, 4]), k=1)[0].round(9).tolist() ::
  also import numpy as np¶from scipy.sparse.linalg import eigsh
figure: f, a = plt.subplots()¶ a.plot([1, 2])¶ return len(a.lines) :: also import matplotlib.pyplot as plt
argparse: return argparse.Namespace(a=1).a :: also import argparse
fractions: return str(Fraction(1, 3)) :: also from fractions import Fraction
pickle in memory: return pickle.loads(pickle.dumps([1])) :: also import pickle
context manager: with suppress(KeyError): return {}["a"]¶ return 2 :: also from contextlib import suppress
registry: return R["relu"](-1) ::
  also R = {}¶def act(f):¶ R[f.__name__] = f¶ return f¶@act¶def relu(x): return max(x, 0)
time: t = time.perf_counter()¶ return t > 0 :: also import time
environment: return os.environ.get("HOME", "none") :: also import os
type hints: return T is not None :: also from typing import TYPE_CHECKING, Callable¶T = Callable[[int], int]¶
  if TYPE_CHECKING:¶ import nothing
threads: with ThreadPoolExecutor(2) as p: return [*p.map(abs, [-1, 2])] ::
  also from concurrent.futures import ThreadPoolExecutor
errstate: with np.errstate(divide="ignore"): return float(np.divide(1.0, 0.0)) :: also import numpy as np
enum: return [e.name for e in E] :: also from enum import Enum¶E = Enum("E", "A B")
deepcopy: return copy.deepcopy({"a": [1]}) :: also import copy
"""
# Each imports a large package in the job.
LATE = """
pandas: return pd.DataFrame({"a": [1]}).to_csv() :: also import pandas as pd
scipy: return stats.t.ppf(0.95, 3).round(6) :: also from scipy import stats
torch: import torch¶ return torch.rand(1).item(), torch.nn.Linear(1, 1).weight.item()
"""
