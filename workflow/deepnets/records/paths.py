"""The paths of all results. The rules repeat them, and tests/engine/test_rules.py compares the two."""

from workflow.deepnets.errors import UserError

RUNS = "results/runs"
RUN = RUNS + "/experiment={experiment}/{axes}/run.parquet"
MNIST, WHITENED = "results/data/mnist.npz", "results/data/whitened.npz"
TABLE = "results/tables/{experiment}.parquet"
# The ledger of a document (its claims with their verdicts), and the list of all claims.
LEDGER, CLAIMS = "results/claims/{document}.parquet", "results/claims.md"
FIGURE = "results/figures/{document}/{figure}.pdf"
# A chart with sliders, for the page.
INTERACTIVE = "results/interactive/{document}/{chart}.json"
# The page of all documents; the pages of single documents, where `of` is a hyphen and the document's id.
PAGE, PAGES = "results/report.html", "results/report{of}.html"
# The parts of every page.
TEMPLATES = tuple(
    f"workflow/report/{name}"
    for name in ("page.html", "page.css", "live.js", "controls.js", "page.js", "search.js", "downloads.js")
)
ARCHIVE = "results/archive.tar.gz"
# Only in the archive, at its root: the file that describes all others, under the name that RO-Crate prescribes.
CRATE = "ro-crate-metadata.json"
TIMINGS = "results/timings.parquet"
# Cached digests and stamps of results, and fingerprints of code. The folder may be deleted.
CACHE = ".snakemake/cache"
# Files with the specs that are too long for a command line.
SPECS = ".snakemake/specs"
STYLE = "workflow/styles/column.mplstyle"


def counts_for_its_job(path: str) -> bool:
    """Return whether to count jobs by this file: a figure's job writes three files, and only its PDF counts."""
    return not path.endswith((".png", ".svg"))


def check_no_braces(folder: str) -> None:
    """Raise UserError if the path of a folder contains braces: Snakemake would read them as wildcards."""
    if {"{", "}"} & set(folder):
        raise UserError(f"{folder}: Snakemake reads the braces in this path as wildcards; rename the folder")
