"""Claims, written once: a section holds what its claims share, and has one method for each kind of claim."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, TypedDict, Unpack

import numpy as np

from workflow.deepnets.claims.claim import Claim, Erratum, Kind, Measure
from workflow.deepnets.claims.criteria import Is, Rule
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.claims.measures import of_paper_size, setting

# Runs that a document describes: setting or axis → value, or a list of which it is one.
Runs = Mapping[str, Any]
# How a ledger quotes a number that was read off a picture.
READ_OFF = "{} (read off)"
AS_STATED = "A setting is the document's or it is not."
_ONE_OF = "Among the values of an axis, the document's is there or not; without it nothing is tested."


class Words(TypedDict, total=False):
    """What any claim may add.

    printed: the value as the document prints it, "" where it prints none; without it a number or a setting quotes the
    criterion's value; revised: why the criterion was changed after a value had been seen.
    """

    printed: str
    revised: str


@dataclass(frozen=True)
class Section:
    """A section of a document: its place there, and what its claims have in common.

    Every kind of claim takes the same arguments. name: unique in the document; statement: what the document states, in
    our words; measure: our value; criterion: when ours agrees; because: why this criterion.
    In `statement` and `printed`, {} stands for the criterion's value, so that a number is written once.

    place: where the section stands in the document; figure: the figure of ours that shows its claims, "" where none
    does; needs_full_mnist: whether the embedded subset of MNIST would give other numbers.
    """

    place: str
    figure: str = ""
    _: KW_ONLY
    needs_full_mnist: bool = False

    def at(self, part: str) -> "Section":
        """Return the same section with a closer place: that of an equation, a picture or a printed output in it."""
        return replace(self, place=f"{self.place}, {part}")

    def with_figure(self, figure: str) -> "Section":
        """Return the same section for claims that another figure shows."""
        return replace(self, figure=figure)

    def with_full_mnist(self) -> "Section":
        """Return the same section for claims that the embedded subset of MNIST cannot test."""
        return replace(self, needs_full_mnist=True)

    def number(
        self, name: str, statement: str, measure: Measure, criterion: Rule, *, because: str, **words: Unpack[Words]
    ) -> Claim:
        """Claim a number that the document prints, or shows in a picture: printed=READ_OFF."""
        return self._claim("number", name, statement, measure, criterion, because, **words)

    def ordering(
        self, name: str, statement: str, measure: Measure, criterion: Rule, *, because: str, **words: Unpack[Words]
    ) -> Claim:
        """Claim that one quantity is larger than another, or comes before it."""
        return self._claim("ordering", name, statement, measure, criterion, because, **words)

    def trend(
        self, name: str, statement: str, measure: Measure, criterion: Rule, *, because: str, **words: Unpack[Words]
    ) -> Claim:
        """Claim that a quantity grows, falls or stays along another."""
        return self._claim("trend", name, statement, measure, criterion, because, **words)

    def bound(
        self, name: str, statement: str, measure: Measure, criterion: Rule, *, because: str, **words: Unpack[Words]
    ) -> Claim:
        """Claim that a quantity stays within bounds, or is about as large as the document's words say."""
        return self._claim("bound", name, statement, measure, criterion, because, **words)

    def formula(
        self, name: str, statement: str, measure: Measure, criterion: Rule, *, because: str, **words: Unpack[Words]
    ) -> Claim:
        """Claim what a definition, a theorem or a formula states."""
        return self._claim("formula", name, statement, measure, criterion, because, **words)

    def setting(
        self,
        name: str,
        statement: str,
        measure: Measure,
        criterion: Rule,
        *,
        because: str = AS_STATED,
        **words: Unpack[Words],
    ) -> Claim:
        """Claim that a number was used."""
        return self._claim("setting", name, statement, measure, criterion, because, **words)

    def settings(
        self, experiment: str, runs: Runs, texts: Mapping[str, tuple[str, str]], **axes: object
    ) -> list[Claim]:
        """Claim that the config asks for what a description of runs sets.

        runs: setting or axis → value, as measures take it; with a `block`, the config is asked for that block only.
        texts: setting → name and statement of its claim; a dot leads into a mapping. axes: of the grids that are asked.
        """
        grids = {**{axis: value for axis, value in runs.items() if axis == "block"}, **axes}
        return [
            self.setting(name, statement, setting(experiment, key, **grids), Is(_value(runs, key)))
            for key, (name, statement) in texts.items()
        ]

    def run_with(self, name: str, statement: str, experiment: str, axis: str, runs: Runs) -> Claim:
        """Claim that there is a run with `runs[axis]`, one of several values of this axis that the config asks for."""

        def measured(evidence: Evidence) -> np.ndarray:
            return evidence.runs(experiment, **runs)[axis].unique().astype(float)

        return self.setting(name, statement, of_paper_size(measured), Is(_value(runs, axis)), because=_ONE_OF)

    def erratum(self, name: str, statement: str, evidence: str) -> Erratum:
        """Return a fault of the document itself. statement: what is wrong; evidence: how one sees it."""
        return Erratum(name=name, place=self.place, statement=statement, evidence=evidence)

    def _claim(
        self,
        kind: Kind,
        name: str,
        statement: str,
        measure: Measure,
        criterion: Rule,
        because: str,
        *,
        printed: str | None = None,
        revised: str = "",
    ) -> Claim:
        if printed is None:
            printed = "{}" if kind in ("number", "setting") else ""
        if "{}" in statement + printed:
            if np.isnan(criterion.value):
                raise ValueError(f"{name}: {{}} stands for the criterion's value, but the criterion has none")
            text = text_of(criterion.value)
            statement, printed = statement.replace("{}", text), printed.replace("{}", text)
        return Claim(
            name=name,
            place=self.place,
            figure=self.figure,
            kind=kind,
            statement=statement,
            printed=printed,
            measure=measure,
            rule=criterion,
            because=because,
            needs_full_mnist=self.needs_full_mnist,
            revised=revised,
        )


def text_of(value: float) -> str:
    """Return the shortest text of a number that has all of its digits."""
    short = f"{value:g}"
    return short if float(short) == value else f"{value}"


def _value(runs: Runs, key: str) -> float:
    """Return what a description of runs sets; a dot in the key leads into a mapping. Raises KeyError, ValueError."""
    first, _, inner = key.partition(".")
    found = runs[first]
    if inner:
        return _value(found, inner)
    if not isinstance(found, int | float):
        raise ValueError(f"{key}: a setting claim compares one number, not {found!r}")
    return found
