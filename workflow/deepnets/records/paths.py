"""Where each kind of result lies, as the rules' outputs spell it."""

from workflow.deepnets.errors import UserError

RUNS = "results/runs"
RUN = RUNS + "/experiment={experiment}/{axes}/run.parquet"
MNIST, WHITENED = "results/data/mnist.npz", "results/data/whitened.npz"
TABLE = "results/tables/{experiment}.parquet"
# What a document states, and what the results say of it.
LEDGER, CLAIMS = "results/claims/{document}.parquet", "results/claims.md"
FIGURE = "results/figures/{document}/{figure}.pdf"
# A chart with sliders, which the page holds.
INTERACTIVE = "results/interactive/{document}/{chart}.json"
# What a reader opens, and the files of the sources that it is made with.
PAGE = "results/report.html"
TEMPLATES = tuple(f"workflow/report/{name}" for name in ("page.html", "page.css", "live.js", "page.js"))
ARCHIVE = "results/archive.tar.gz"
# In the archive alone, at its root: what RO-Crate calls the file that describes all others.
CRATE = "ro-crate-metadata.json"
TIMINGS = "results/timings.parquet"
# What plans found out about results and code: it can be deleted at any time.
CACHE = ".snakemake/cache"
# Specs that are too long for a command line.
SPECS = ".snakemake/specs"
STYLE = "workflow/styles/column.mplstyle"


def stands_for_its_job(path: str) -> bool:
    """Return whether each job makes just one such file: of a figure's three, it is the PDF."""
    return not path.endswith((".png", ".svg"))


def check_place(folder: str) -> None:
    """Raise UserError if the workflow cannot run in a folder: Snakemake takes braces in a path for wildcards."""
    if {"{", "}"} & set(folder):
        raise UserError(f"{folder}: there are braces in this path, which Snakemake takes for names; rename the folder")
