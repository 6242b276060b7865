"""The functions behind figures, charts and ledgers, found as a plan finds them."""

from importlib import import_module

from workflow.deepnets.code.modules import Package
from workflow.deepnets.config.documents import charts_of, figures_of, ledgers_of

PACKAGE = Package()
EXPERIMENTS = PACKAGE.rooms_in("experiments")


def _function(entry):
    module, _, name = entry.partition(":")
    return getattr(import_module(module), name)


# By "DOCUMENT-NAME".
FIGURES = {"-".join(key): _function(figure.entry) for key, figure in figures_of(PACKAGE, EXPERIMENTS).items()}
CHARTS = {"-".join(key): _function(chart.entry) for key, chart in charts_of(PACKAGE, EXPERIMENTS).items()}
# The function that lists a document's claims and errata, by document.
LEDGERS = {document: _function(ledger.entry) for document, ledger in ledgers_of(PACKAGE, EXPERIMENTS).items()}
