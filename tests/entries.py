"""The functions that make figures, charts and ledgers, found as a plan finds them."""

from collections.abc import Callable
from functools import cache
from importlib import import_module

from reproduce.claims.entries import join_statements
from reproduce.code.modules import Package
from reproduce.config.documents import drawings_of, ledgers_of
from reproduce.records.statements import read_statements

PACKAGE = Package()
EXPERIMENTS = PACKAGE.rooms_in("experiments")


def _function(entry):
    module, _, name = entry.partition(":")
    return getattr(import_module(module), name)


# By "DOCUMENT-NAME".
FIGURES = {
    "-".join(key): _function(figure.entry) for key, figure in drawings_of("figure", PACKAGE, EXPERIMENTS).items()
}
CHARTS = {"-".join(key): _function(chart.entry) for key, chart in drawings_of("chart", PACKAGE, EXPERIMENTS).items()}
_LEDGERS = ledgers_of(PACKAGE, EXPERIMENTS)


@cache
def entries_of(room: str) -> tuple:
    """Return the claims and errata of a document, in its order. room: its folder."""
    stated = read_statements(PACKAGE.file(f"deepnets/documents/{room}/claims.md"))
    return tuple(join_statements(stated, import_module(f"deepnets.documents.{room}.claims").decisions().tests))


def _entries(document: str) -> Callable[[], tuple]:
    return lambda: entries_of(_LEDGERS[document].entry.split(".")[2])


def settings_of(document: str) -> tuple:
    """Return the runs that a document describes."""
    return _function(_LEDGERS[document].entry)().settings


# By document: a function that lists its claims and errata, and the experiments whose tables judge them.
LEDGERS = {document: _entries(document) for document in _LEDGERS}
TABLES = {document: ledger.tables for document, ledger in _LEDGERS.items()}
