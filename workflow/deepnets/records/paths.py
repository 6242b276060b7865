"""The paths of all results. The rules write them out too, and tests/workflow/test_rules.py compares them."""

from workflow.deepnets.errors import UserError

RUNS = "results/runs"
RUN = RUNS + "/experiment={experiment}/{axes}/run.parquet"
MNIST, WHITENED = "results/data/mnist.npz", "results/data/whitened.npz"
TABLE = "results/tables/{experiment}.parquet"
# The claims of a document with their verdicts, and the page that lists all of them.
LEDGER, CLAIMS = "results/claims/{document}.parquet", "results/claims.md"
FIGURE = "results/figures/{document}/{figure}.pdf"
# A chart with sliders, which the page contains.
INTERACTIVE = "results/interactive/{document}/{chart}.json"
# The page; those of single documents, for which `of` is a hyphen and the document's id; and the templates of all pages.
PAGE, PAGES = "results/report.html", "results/report{of}.html"
TEMPLATES = tuple(
    f"workflow/report/{name}"
    for name in ("page.html", "page.css", "live.js", "controls.js", "page.js", "search.js", "downloads.js")
)
ARCHIVE = "results/archive.tar.gz"
# Only in the archive, at its root: RO-Crate's name for the file that describes all others.
CRATE = "ro-crate-metadata.json"
TIMINGS = "results/timings.parquet"
# Digests and stamps of results, and fingerprints of code, for later starts, audits and jobs: it may be deleted.
CACHE = ".snakemake/cache"
# Specs that are too long for a command line.
SPECS = ".snakemake/specs"
STYLE = "workflow/styles/column.mplstyle"


def stands_for_its_job(path: str) -> bool:
    """Return whether to count a file for its job: a figure's job writes three files, and its PDF counts."""
    return not path.endswith((".png", ".svg"))


def check_place(folder: str) -> None:
    """Raise UserError if the workflow cannot run in a folder: Snakemake takes braces in a path for wildcards."""
    if {"{", "}"} & set(folder):
        raise UserError(f"{folder}: there are braces in this path, which Snakemake takes for names; rename the folder")
