"""Families: measures of nets that differ in one axis."""

import operator
from collections.abc import Callable, Iterable, Mapping
from functools import partialmethod
from typing import Any

from reproduce.claims.measures import Measure


class Family(dict[Any, Measure]):
    """Measures of nets that differ in one axis, by its values. `-`, `/` and tests act on each, and name the parts.

    `rank = family("depth", (1, 2, 3), lambda depth: final(NETS.but(depth=depth), "rank"))`; then `rank[2]` is a
    measure, `rank[2, 3] > 5` has the parts "depth 2" and "depth 3", and `rank.steps() < 0` has "depth 2 less depth 1".
    """

    def __init__(self, members: Mapping[Any, Measure], name: str = "", of: Mapping[Any, str] | None = None) -> None:
        super().__init__(members)
        self._name, self._names = name, of or {value: f"{name} {value}" for value in members}

    def __getitem__(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return Family({each: self[each] for each in value}, self._name, {each: self._names[each] for each in value})
        return super().__getitem__(value)

    def __gt__(self, bound: float) -> dict[str, Any]:
        return self._test("__gt__", bound)

    def __lt__(self, bound: float) -> dict[str, Any]:
        return self._test("__lt__", bound)

    def _test(self, name: str, /, *bounds: Any, **options: Any) -> dict[str, Any]:
        return {self._names[key]: getattr(own, name)(*bounds, **options) for key, own in self.items()}

    # Tests of each member, as `Measure` has them.
    between = partialmethod(_test, "between")
    every = partialmethod(_test, "every")
    near = partialmethod(_test, "near")

    def __sub__(self, other: Any) -> "Family":
        return self._with(other, operator.sub)

    def __truediv__(self, other: Any) -> "Family":
        return self._with(other, operator.truediv)

    def _with(self, other: Any, combine: Callable[[Any, Any], Measure]) -> "Family":
        values = other if isinstance(other, Mapping) else dict.fromkeys(self, other)
        return Family({key: combine(own, values[key]) for key, own in self.items()}, self._name, self._names)

    def less(self, value: Any) -> "Family":
        """Measure the differences from one member, of all others."""
        return self._less({key: value for key in self if key != value})

    def steps(self) -> "Family":
        """Measure the differences of successive members."""
        return self._less(dict(zip([*self][1:], self, strict=False)))

    def _less(self, before: Mapping[Any, Any]) -> "Family":
        names = {key: f"{self._names[key]} less {self._names[other]}" for key, other in before.items()}
        return Family({key: self[key] - self[other] for key, other in before.items()}, self._name, names)


def family(axis: str, values: Iterable[Any], of: Callable[[Any], Measure]) -> Family:
    """Return the measures of nets that differ in an axis. of: value of the axis → measure."""
    return Family({value: of(value) for value in values}, axis)
