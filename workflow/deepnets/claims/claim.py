"""The entries of a document's ledger: claims, which results judge, and errata, which are faults of the document."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from workflow.deepnets.claims.criteria import Rule
from workflow.deepnets.claims.evidence import Evidence

# What the results give for a claim: one value for each run that counts for itself, or for each pair of runs.
Measure = Callable[[Evidence], np.ndarray]
Kind = Literal["number", "ordering", "trend", "bound", "setting", "formula"]


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One number or one statement of a document.

    name: unique in the document; place: where it stands there; figure: that of our figures of the document which shows
    it, "" where none does, as with a formula; statement: what it states, in our words; printed: the value as the
    document prints it, "" where it prints none; measure: our value; rule: when ours agrees, and because: why by this
    rule, both written down before ours was looked at; needs_full_mnist: whether the embedded subset of MNIST would give
    other numbers; revised: why the rule was changed after a value had been seen, "" where it was not.
    """

    name: str
    place: str
    figure: str = ""
    kind: Kind
    statement: str
    printed: str = ""
    measure: Measure
    rule: Rule
    because: str
    needs_full_mnist: bool = False
    revised: str = ""


@dataclass(frozen=True, kw_only=True)
class Erratum:
    """One fault of a document itself.

    name: unique in the document; place: where it stands there; statement: what is wrong; evidence: how one sees it.
    """

    name: str
    place: str
    statement: str
    evidence: str
