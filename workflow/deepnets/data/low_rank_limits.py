"""Limits of matrix completion tasks. They are apart from the tasks, because a plan imports no NumPy."""

from reproduce import api

OF_TASKS = dict.fromkeys(("size", "rank", "entries"), api.Count)


def check_task(run: dict) -> None:
    """Raise ValueError for a task that matrices of shape (size, size) cannot have."""
    size = run["size"]
    for name, most in (("rank", size), ("entries", size**2)):
        if run[name] > most:
            raise ValueError(f"{name} {run[name]} of a matrix of {size} rows and columns; allowed: 1 to {most}")
