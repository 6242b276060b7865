"""The paths of all results. The rules repeat them: a start fails where the two differ."""

from pathlib import Path

RESULTS, RUNS, RECORDS = "results/", "results/runs", "results/records"
RUN = RUNS + "/experiment={experiment}/{axes}/run.parquet"
DATASET = "results/data/{dataset}.npz"
TABLE = "results/tables/{experiment}.parquet"
# The ledger of a document (its claims with their verdicts), and the list of all claims.
LEDGER, CLAIM_LIST = "results/claims/{document}.parquet", "results/claims.md"
FIGURE = "results/figures/{document}/{figure}.pdf"
# A chart with sliders, for the page.
INTERACTIVE = "results/interactive/{document}/{chart}.json"
# The pages of single documents, where `of` is a hyphen and the id, and that of all documents.
PAGES = "results/report{of}.html"
PAGE = PAGES.format(of="")
# Digests of files, and fingerprints of code; may be deleted.
CACHE = ".snakemake/cache"
# Specs and lists of paths that are too long for a command line.
OPTIONS = ".snakemake/options"
# Files of the mechanics that jobs read: the style of all figures, the form of claims.md, and the parts of every page.
STYLE, LIST = "reproduce/figures/column.mplstyle", "reproduce/page/templates/claims.md.jinja"
_PARTS = ("page.html", "page.css", "controls.js", "page.js", "chapters.js", "search.js", "downloads.js", "ledger.js")
TEMPLATES = tuple(f"reproduce/page/templates/{name}" for name in _PARTS)


def shown(path: Path) -> str:
    """Return a path relative to the working folder if it is in there, as a user would write it."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
