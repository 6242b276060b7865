"""Idioms of physicists in experiments, in the form of edits.py: no job refuses them, and each gives one value."""

IDIOMS = """
table in a text: return pd.read_csv(io.StringIO("a,b\\n1,2"))["b"].tolist() :: also import io¶import pandas as pd
table beside run: return pd.read_csv(Path(__file__).with_name("c.csv"))["a"].tolist() ::
  also import pandas as pd¶from pathlib import Path :: experiments/e/c.csv a,b\\n1,2
text beside run: return open(os.path.join(os.path.dirname(__file__), "c.txt")).read() ::
  also import os :: experiments/e/c.txt one
resource: return files("toy.experiments.e").joinpath("c.txt").read_text() ::
  also from importlib.resources import files :: experiments/e/c.txt one
query of a table: k = 1¶ return len(pd.DataFrame({"a": [1, 2]}).query("a > @k")) :: also import pandas as pd
getattr in a loop: return [getattr(np, n)(0.0).item() for n in ("sin", "cos", "tanh")] :: also import numpy as np
relative import: return A :: lib A = 1 :: top from ...lib import A
try import: return np is not None :: also try:¶ import cupy as np¶except ImportError:¶ import numpy as np
global counter: global N¶ N += 1¶ return N :: also N = 0
parameter of torch: return torch.nn.Parameter(torch.zeros(2)).tolist() :: also import torch
module of torch: return N()(torch.ones(2)).tolist() ::
  also import torch¶class N(torch.nn.Module):¶ def __init__(self):¶  super().__init__()¶  self.l = torch.nn.Linear(2, 1)
  ¶ def forward(self, x): return self.l(x)
optimiser of torch: w = torch.ones(2, requires_grad=True)¶ o = torch.optim.Adam([w])¶ (w**2).sum().backward()¶ o.step()¶
   return w.tolist() :: also import torch
np.random.seed: np.random.seed(0)¶ return np.random.rand() :: also import numpy as np
generator with the seed of the spec: return np.random.default_rng(spec.get("seed", 0)).normal() ::
  also import numpy as np
generator without a seed: return np.random.default_rng().normal() :: also import numpy as np
random of Python: return random.random(), random.Random().random() :: also import random
data class: return C(1) == C(x=1), C(2).y :: also from dataclasses import dataclass, field¶
  @dataclass(frozen=True)¶class C:¶ x: int¶ y: list = field(default_factory=list)
warnings: with warnings.catch_warnings():¶  warnings.simplefilter("ignore")¶  warnings.warn("x")¶ return 1 ::
  also import warnings
logging: logging.getLogger(__name__).warning("x %s", 1)¶ return 1 :: also import logging
tqdm: return [x for x in tqdm(range(2), disable=True)] :: also from tqdm import tqdm
minimum by SciPy: return round(float(minimize(lambda x: (x[0] - 1) ** 2, [0.0]).x[0]), 4) ::
  also from scipy.optimize import minimize
eigenvalues by SciPy: return eigsh(np.diag([1.0, 2, 3, 4]), k=1)[0].round(9).tolist() ::
  also import numpy as np¶from scipy.sparse.linalg import eigsh
figure: f, a = plt.subplots()¶ a.plot([1, 2])¶ return len(a.lines) :: also import matplotlib.pyplot as plt
pickle in memory: return pickle.loads(pickle.dumps([1])) :: also import pickle
registry: return R["relu"](-1) ::
  also R = {}¶def act(f):¶ R[f.__name__] = f¶ return f¶@act¶def relu(x): return max(x, 0)
time: t = time.perf_counter()¶ return t > 0 :: also import time
environment: return os.environ.get("HOME", "none") :: also import os
library of the system: return CDLL("libc.so.6").abs(-3) :: also from ctypes import CDLL
type hints: return T is not None :: also from typing import TYPE_CHECKING, Callable¶T = Callable[[int], int]¶
  if TYPE_CHECKING:¶ import nothing
threads: with ThreadPoolExecutor(2) as p: return [*p.map(abs, [-1, 2])] ::
  also from concurrent.futures import ThreadPoolExecutor
"""
# Each imports a large package in the job.
LATE = """
pandas: return pd.DataFrame({"a": [1]}).to_csv() :: also import pandas as pd
scipy: return stats.t.ppf(0.95, 3).round(6) :: also from scipy import stats
torch: import torch¶ return torch.rand(1).item(), torch.nn.Linear(1, 1).weight.item()
"""
