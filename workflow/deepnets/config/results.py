"""Results: what is known of each file before it is made."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """A job's params and inputs, and the stamp of its file when it is current.

    spec, code: the params; inputs: for each name the files whose digest the file carries;
    stamps: the specs that the file may carry, where these are not the param itself.
    """

    spec: str
    code: str
    inputs: dict[str, tuple[str, ...]]
    stamps: tuple[str, ...] = ()


class Results(Mapping[str, Result]):
    """Results by path: one is found without the others, and all are listed once, where all are asked for."""

    def __init__(self, find: Callable[[str], Result | None], every: Callable[[], Iterable[tuple[str, Result]]]) -> None:
        """find: returns the result at a path, None where there is none; every: lists all of them in their order."""
        self._find, self._every = find, every
        self._found: dict[str, Result] = {}
        self._complete = False

    def __getitem__(self, path: str) -> Result:
        """Return the result at a path; raises KeyError where there is none."""
        if path not in self._found:
            result = None if self._complete else self._find(path)
            if result is None:
                raise KeyError(path)
            self._found[path] = result
        return self._found[path]

    def __iter__(self) -> Iterator[str]:
        """Iterate over all paths."""
        if not self._complete:
            self._found, self._complete = dict(self._every()), True
        return iter(self._found)

    def __len__(self) -> int:
        """Count all results."""
        return sum(1 for _ in self)
