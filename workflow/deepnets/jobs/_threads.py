"""How many threads the numerical libraries of a job may use."""

import os


def use_threads(count: int) -> None:
    """Bound the threads of every numerical library imported from now on.

    Sums depend on how they are split: a result is a pure function of its spec only at a fixed number of threads.
    """
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = str(count)
