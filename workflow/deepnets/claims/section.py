"""Claims, written once: a section holds what its claims share, and has one method for each kind of claim."""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Required, TypedDict, Unpack

import numpy as np

from workflow.deepnets.claims.claim import AnyMeasure, Claim, Erratum, Kind
from workflow.deepnets.claims.criteria import Criterion, Each, Includes
from workflow.deepnets.claims.estimate import Measured
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.claims.measures import of_paper_size, setting
from workflow.deepnets.tables.rows import NotRecordedError, Runs

# How a ledger quotes a number that was read off a picture.
READ_OFF = "{} (read off)"
AS_STATED = "A setting either equals the document's or does not; a sweep must include it."


class Words(TypedDict, total=False):
    """What any claim may add.

    quantity: what is measured, with its unit; without it the section's.
    printed: the value as the document prints it, "" if it prints none; without it a number or a setting quotes the
    criterion's value.
    main: why this is a main statement of the document; revised: why the criterion was changed after a value had been
    seen; explanation: if the claim is not reproduced, one of the sentences `REASONS`, and what still holds.
    """

    quantity: str
    printed: str
    main: str
    revised: str
    explanation: str


class Reasons(Words):
    """What a claim has to add, besides what it may: because, why this criterion."""

    because: Required[str]


@dataclass(frozen=True)
class Section:
    """A section of a document: its place there, and what its claims have in common.

    Every kind of claim takes the same arguments. name: unique in the document; statement: what the document states, in
    our words; measure: our value; criterion: when ours agrees; because: why this criterion.
    In `statement` and `printed`, {} stands for the criterion's value, so that a number is written once.

    place: where the document contains the section; figure: the figure of ours that shows its claims, "" if there is
    none; quantity: what they measure, with its unit; needs_full_mnist: whether the embedded subset of MNIST would give
    other numbers; replayed: whether the runs use the document's own random numbers; ours: whether the statements are
    this project's own.
    """

    place: str
    figure: str = ""
    _: KW_ONLY
    quantity: str = ""
    needs_full_mnist: bool = False
    replayed: bool = False
    ours: bool = False

    def at(self, part: str) -> "Section":
        """Return the same section with a closer place: that of an equation, a picture or a printed output in it."""
        return replace(self, place=f"{self.place}, {part}")

    def with_figure(self, figure: str) -> "Section":
        """Return the same section for claims that another figure shows."""
        return replace(self, figure=figure)

    def of(self, quantity: str) -> "Section":
        """Return the same section for claims that measure this quantity, such as "test accuracy, %"."""
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
        """Claim a number that the document prints, or shows in a picture: printed=READ_OFF."""
        return self._claim("number", name, statement, measure, criterion, **reasons)

    def numbers(
        self,
        name: str,
        statement: str,
        parts: Mapping[str, tuple[Callable[[Evidence], Measured], Criterion]],
        **reasons: Unpack[Reasons],
    ) -> Claim:
        """Claim several numbers of one quantity, such as those of one curve, in one claim.

        parts: name of a number → measure and criterion. Unless `printed` is given, it lists the criteria's values.
        """
        return self.number(name, statement, *in_parts(parts), **reasons)

    def ordering(
        self, name: str, statement: str, measure: AnyMeasure, criterion: Criterion, **reasons: Unpack[Reasons]
    ) -> Claim:
        """Claim that one quantity is larger than another, or comes before it."""
        return self._claim("ordering", name, statement, measure, criterion, **reasons)

    def trend(
        self, name: str, statement: str, measure: AnyMeasure, criterion: Criterion, **reasons: Unpack[Reasons]
    ) -> Claim:
        """Claim that a quantity grows, falls or stays along another."""
        return self._claim("trend", name, statement, measure, criterion, **reasons)

    def bound(
        self, name: str, statement: str, measure: AnyMeasure, criterion: Criterion, **reasons: Unpack[Reasons]
    ) -> Claim:
        """Claim that a quantity stays within bounds, or is about as large as the document's words say."""
        return self._claim("bound", name, statement, measure, criterion, **reasons)

    def identity(
        self, name: str, statement: str, measure: AnyMeasure, criterion: Criterion, **reasons: Unpack[Reasons]
    ) -> Claim:
        """Check what a definition, a theorem or a formula states, and what no result could contradict."""
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
        """Check that a number was used."""
        return self._claim("setting", name, statement, measure, criterion, because=because, **words)

    def settings(
        self, experiment: str, runs: Runs, texts: Mapping[str, tuple[str, str]], **axes: object
    ) -> list[Claim]:
        """Claim that the config contains what a description of runs sets.

        runs: setting or axis → value, as measures take it; with a `block`, the config is asked for that block only.
        texts: setting → name and statement of its claim; a dot leads into a mapping. axes: of the grids that are asked.
        """
        grids = {**{axis: value for axis, value in runs.items() if axis == "block"}, **axes}
        return [
            self.setting(name, statement, setting(experiment, key, **grids), Includes(_value(runs, key)))
            for key, (name, statement) in texts.items()
        ]

    def run_with(self, name: str, statement: str, experiment: str, axis: str, runs: Runs) -> Claim:
        """Claim that there is a run with `runs[axis]`, one of several values of this axis that the config contains."""

        def measured(evidence: Evidence) -> np.ndarray:
            return np.array(evidence.values(experiment, axis, **runs), dtype=float)

        return self.setting(name, statement, of_paper_size(measured), Includes(_value(runs, axis)))

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
            text = _stated(name, criterion)
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


def in_parts(parts: Mapping[str, tuple[Callable[[Evidence], Measured], Criterion]]) -> tuple[AnyMeasure, Criterion]:
    """Return the measure and the criterion of a claim of several parts; a part without a value contains the reason.

    Of one part, they are returned as they are.
    """
    if len(parts) == 1:
        (only,) = parts.values()
        return only

    def measured(evidence: Evidence) -> dict[str, Measured | Exception]:
        found: dict[str, Measured | Exception] = {}
        for name, (measure, _) in parts.items():
            try:
                found[name] = measure(evidence)
            except NotRecordedError as reason:
                found[name] = reason
        return found

    return measured, Each({name: criterion for name, (_, criterion) in parts.items()})


def number_text(value: float) -> str:
    """Return the shortest text of a number that has all of its digits."""
    short = f"{value:g}"
    return short if float(short) == value else f"{value}"


def _stated(name: str, criterion: Criterion) -> str:
    """Return the document's value as text, those of several parts in a list; raises ValueError if there is none."""
    values = [each.value for each in (criterion.parts.values() if isinstance(criterion, Each) else [criterion])]
    if np.isnan(values).any():
        raise ValueError(f"{name}: {{}} stands for the criterion's value, but the criterion has none")
    return ", ".join(map(number_text, values))


def _value(runs: Runs, key: str) -> float:
    """Return what a description of runs sets; a dot in the key leads into a mapping. Raises KeyError, ValueError."""
    first, _, inner = key.partition(".")
    found = runs[first]
    if inner:
        return _value(found, inner)
    if not isinstance(found, int | float):
        raise ValueError(f"{key}: a setting claim compares one number, not {found!r}")
    return found
