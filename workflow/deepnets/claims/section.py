"""Sections: what the claims of one section of a document share, with one method for each kind of claim."""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Required, TypedDict, Unpack

import numpy as np

from deepnets.claims.claim import AnyMeasure, Claim, Erratum, Kind
from deepnets.claims.criteria import Criterion, Each, Includes
from deepnets.claims.estimate import Measured
from deepnets.claims.evidence import Evidence
from deepnets.claims.old_measures import of_paper_size, setting
from deepnets.tables.rows import NotRecordedError, Runs

# Form of a number that was read off a picture.
READ_OFF = "{} (read off)"
AS_STATED = (
    "A setting either equals the document's or does not. If the config has several values, one must be the document's."
)


class Words(TypedDict, total=False):
    """Optional arguments of every claim.

    quantity: what is measured, with its unit; the section's if omitted.
    printed: the value as the document prints it, "" if it prints none; if omitted, a number or a setting quotes the
        criterion's value.
    main: why this is a main statement of the document.
    revised: why the criterion was changed after a value had been seen.
    explanation: for a claim that is not reproduced, one of the sentences `REASONS`, and what still holds.
    """

    quantity: str
    printed: str
    main: str
    revised: str
    explanation: str


class Reasons(Words):
    """Arguments of a claim, of which `because` is required: the reason for the criterion."""

    because: Required[str]


@dataclass(frozen=True)
class Section:
    """A section of a document: its place, and what its claims have in common.

    place: where the document contains the section.
    figure: our figure that shows its claims, "" if there is none.
    quantity: what the claims measure, with its unit.
    needs_full_mnist: whether the embedded subset of MNIST would give other numbers.
    replayed: whether the runs use the document's own random numbers.
    ours: whether the statements are this project's own.

    The methods for all kinds of claims take the same arguments. name: unique in the document; statement: what the
    document states, in our words; measure: our value; criterion: when our value agrees; because: why this criterion. In
    `statement` and `printed`, {} is replaced by the criterion's value, so that a number is written only once.
    """

    place: str
    figure: str = ""
    _: KW_ONLY
    quantity: str = ""
    needs_full_mnist: bool = False
    replayed: bool = False
    ours: bool = False

    def at(self, part: str) -> "Section":
        """Return the same section with a more exact place, such as an equation, a picture or a printed output."""
        return replace(self, place=f"{self.place}, {part}")

    def with_figure(self, figure: str) -> "Section":
        """Return the same section with another figure."""
        return replace(self, figure=figure)

    def of(self, quantity: str) -> "Section":
        """Return the same section with another quantity, such as "test accuracy, %"."""
        return replace(self, quantity=quantity)

    def with_full_mnist(self) -> "Section":
        """Return the same section for claims that the embedded subset of MNIST cannot test."""
        return replace(self, needs_full_mnist=True)

    def with_replayed_draws(self) -> "Section":
        """Return the same section for claims on runs that use the document's own random numbers."""
        return replace(self, replayed=True)

    def number(
        self, name: str, statement: str, measure: AnyMeasure, criterion: Criterion, **reasons: Unpack[Reasons]
    ) -> Claim:
        """Claim a number that the document prints, or shows in a picture (then printed=READ_OFF)."""
        return self._claim("number", name, statement, measure, criterion, **reasons)

    def numbers(
        self,
        name: str,
        statement: str,
        parts: Mapping[str, tuple[Callable[[Evidence], Measured], Criterion]],
        **reasons: Unpack[Reasons],
    ) -> Claim:
        """Claim several numbers of one quantity, such as the points of a curve, in one claim.

        parts: name of a number → measure and criterion. If `printed` is omitted, it lists the criteria's values.
        """
        return self.number(name, statement, *combine_parts(parts), **reasons)

    def ordering(
        self, name: str, statement: str, measure: AnyMeasure, criterion: Criterion, **reasons: Unpack[Reasons]
    ) -> Claim:
        """Claim that one quantity is larger than another, or comes before it."""
        return self._claim("ordering", name, statement, measure, criterion, **reasons)

    def trend(
        self, name: str, statement: str, measure: AnyMeasure, criterion: Criterion, **reasons: Unpack[Reasons]
    ) -> Claim:
        """Claim that a quantity grows, falls or stays constant along another."""
        return self._claim("trend", name, statement, measure, criterion, **reasons)

    def bound(
        self, name: str, statement: str, measure: AnyMeasure, criterion: Criterion, **reasons: Unpack[Reasons]
    ) -> Claim:
        """Claim that a quantity lies within bounds, or has about the size that the document describes."""
        return self._claim("bound", name, statement, measure, criterion, **reasons)

    def identity(
        self, name: str, statement: str, measure: AnyMeasure, criterion: Criterion, **reasons: Unpack[Reasons]
    ) -> Claim:
        """Check a definition, a theorem or a formula, which no result could contradict."""
        return self._claim("identity", name, statement, measure, criterion, **reasons)

    def setting(
        self,
        name: str,
        statement: str,
        measure: AnyMeasure,
        criterion: Criterion,
        because: str = AS_STATED,
        **words: Unpack[Words],
    ) -> Claim:
        """Check that the config contains a setting of the document."""
        return self._claim("setting", name, statement, measure, criterion, because=because, **words)

    def settings(
        self, experiment: str, runs: Runs, texts: Mapping[str, tuple[str, str]], **axes: object
    ) -> list[Claim]:
        """Return one setting claim for each text: the config contains the value of a description of runs.

        runs: setting or axis → value, as measures take it; with a `block`, only grids of that block count.
        texts: setting → name and statement of its claim; "a.b" names the entry b of the mapping a.
        axes: only grids with these axes count.
        """
        grids = {**{axis: value for axis, value in runs.items() if axis == "block"}, **axes}
        return [
            self.setting(name, statement, setting(experiment, key, **grids), Includes(_number_at(runs, key)))
            for key, (name, statement) in texts.items()
        ]

    def run_with(self, name: str, statement: str, experiment: str, axis: str, runs: Runs) -> Claim:
        """Claim that the config contains a run with the value `runs[axis]`, perhaps among runs with other values."""

        def measure_values(evidence: Evidence) -> np.ndarray:
            return np.array(evidence.values(experiment, axis, **runs), dtype=float)

        return self.setting(name, statement, of_paper_size(measure_values), Includes(_number_at(runs, axis)))

    def erratum(self, name: str, statement: str, evidence: str, *, form: bool = False) -> Erratum:
        """Return a fault of the document itself.

        statement: what is wrong; evidence: how one can see it; form: whether it is only of form, such as a spelling.
        """
        return Erratum(name=name, place=self.place, statement=statement, evidence=evidence, form=form)

    def _claim(
        self,
        kind: Kind,
        name: str,
        statement: str,
        measure: AnyMeasure,
        criterion: Criterion,
        *,
        because: str,
        quantity: str | None = None,
        printed: str | None = None,
        main: str = "",
        revised: str = "",
        explanation: str = "",
    ) -> Claim:
        if printed is None:
            printed = "{}" if kind in ("number", "setting") else ""
        if "{}" in statement + printed:
            text = _text_of_values(name, criterion)
            statement, printed = statement.replace("{}", text), printed.replace("{}", text)
        return Claim(
            name=name,
            place=self.place,
            figure=self.figure,
            kind=kind,
            statement=statement,
            quantity=self.quantity if quantity is None else quantity,
            printed=printed,
            measure=measure,
            criterion=criterion,
            because=because,
            main=main,
            ours=self.ours,
            replayed=self.replayed,
            needs_full_mnist=self.needs_full_mnist,
            revised=revised,
            explanation=explanation,
        )


def combine_parts(
    parts: Mapping[str, tuple[Callable[[Evidence], Measured], Criterion]],
) -> tuple[AnyMeasure, Criterion]:
    """Return the measure and the criterion of a claim of several parts; a part without a value gives its error.

    If there is only one part, return its measure and criterion unchanged.
    """
    if len(parts) == 1:
        (only,) = parts.values()
        return only

    def measure_parts(evidence: Evidence) -> dict[str, Measured | Exception]:
        found: dict[str, Measured | Exception] = {}
        for name, (measure, _) in parts.items():
            try:
                found[name] = measure(evidence)
            except NotRecordedError as reason:
                found[name] = reason
        return found

    return measure_parts, Each({name: criterion for name, (_, criterion) in parts.items()})


def number_text(value: float) -> str:
    """Return a number as text, with all of its digits."""
    short = f"{value:g}"
    return short if float(short) == value else f"{value}"


def _text_of_values(name: str, criterion: Criterion) -> str:
    """Return the criterion's values as text, separated by commas; raise ValueError if one is NaN."""
    values = [each.value for each in (criterion.parts.values() if isinstance(criterion, Each) else [criterion])]
    if np.isnan(values).any():
        raise ValueError(f"{name}: {{}} stands for the criterion's value, but the criterion has none")
    return ", ".join(f"−{number_text(-value)}" if value < 0 else number_text(value) for value in values)


def _number_at(runs: Runs, key: str) -> float:
    """Return the number under a key of a description of runs; "a.b" is the entry b of the mapping a.

    Raises KeyError if there is no such key, and ValueError if its value is not a number.
    """
    first, _, inner = key.partition(".")
    found = runs[first]
    if inner:
        return _number_at(found, inner)
    if not isinstance(found, int | float):
        raise ValueError(f"{key}: a setting claim compares one number, not {found!r}")
    return found
