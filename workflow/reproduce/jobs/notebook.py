"""Program: execute a notebook, and write it as a page that opens offline."""

import os
import re
from html import escape
from pathlib import Path

from reproduce.code.science import ROOT
from reproduce.errors import UserError
from reproduce.jobs.job import Job, import_function
from reproduce.records.atomic import replacing
from reproduce.records.digests import guard_inputs
from reproduce.records.reduced import merge_reduced
from reproduce.records.tables import read_metadata

# Imported by name, because the environment of other jobs does not contain them (envs/requirements-notebook.txt).
_PACKAGES = (
    "jupytext:read",
    "nbclient:NotebookClient",
    "nbclient.exceptions:CellExecutionError",
    "nbconvert:HTMLExporter",
    "pygments.formatters.html:HtmlFormatter",
)
# Figures with twice the pixels, for phones.
_SHARP = ["--InlineBackend.figure_formats=retina"]
# The place of a cell in a warning: a temporary file, with the number of the process.
_PLACE = re.compile(r"^\S*ipykernel_\d+\S*: ", re.MULTILINE)
_OWN_STYLE = """\
body { max-width: 60rem; }
.cell { margin: 1rem 0; }
pre { margin: .4rem 0; padding: .5rem .7rem; overflow-x: auto; overflow-wrap: normal; font-size: .85rem; }
.input pre { background: var(--paper); border: 1px solid var(--line); }
.output_stderr { border-left: .3rem solid var(--remark); }
.output_html { overflow-x: auto; }
.dataframe, .dataframe :is(th, td) { border-width: 0 0 1px; }
.dataframe td { overflow-wrap: normal; min-width: 4rem; }
img { max-width: 100%; height: auto; }
@media (prefers-color-scheme: dark) { .output_png img { filter: invert(.87) hue-rotate(180deg); } }
"""
_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""


def main(job: Job, sources: list[Path], results: list[Path], output: Path) -> None:
    """Execute a notebook and write its page.

    sources: the notebook, and the style of the page (.css).
    results: the results that the notebook reads.
    spec: the code and the settings that the notebook uses.
    """
    inputs = {"sources": sources, **({"results": results} if results else {})}
    with replacing(output) as unfinished, guard_inputs(inputs) as read:
        reduced = merge_reduced(read_metadata(path)["reduced"] for path in results if path.suffix == ".parquet")
        unfinished.write_text(render(*sources), encoding="utf-8")
        job.write_record({output: unfinished}, read, reduced)


def render(path: Path, style: Path) -> str:
    """Execute a notebook in its folder and return its page; raises UserError if a cell fails."""
    read, client, cell_error, exporter, formatter = map(import_function, _PACKAGES)
    notebook = read(path)
    # Without bars of progress, with Jupyter's backend for figures, and with these sources, whatever is installed.
    os.environ.update(TQDM_DISABLE="1", PYTHONPATH=str(ROOT.resolve()))
    del os.environ["MPLBACKEND"]
    try:
        client(notebook, timeout=None, startup_timeout=600, extra_arguments=_SHARP).execute(cwd=str(path.parent))
    except cell_error as error:  # ty: ignore[invalid-exception-caught]
        outputs = [(cell.source, output.output_type) for cell in notebook.cells for output in cell.get("outputs", [])]
        failed = next(source for source, kind in outputs if kind == "error")
        raise UserError(f"{path}: {error.ename}: {error.evalue}; in the cell\n{failed}") from error
    for number, cell in enumerate(notebook.cells, 1):
        # Ids are random.
        cell["id"], cell.metadata["alt"] = str(number), "The figure that the cell above draws."
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":
                output["text"] = _PLACE.sub("", output["text"])
    # The template without scripts: the others take some from the network.
    body, _ = exporter(
        template_name="basic", exclude_input_prompt=True, exclude_output_prompt=True, exclude_anchor_links=True
    ).from_notebook_node(notebook)
    light, dark = (formatter(style=name).get_style_defs(".highlight") for name in ("default", "github-dark"))
    styles = (
        f"{style.read_text(encoding='utf-8')}{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n{_OWN_STYLE}"
    )
    title = re.search(r"^# (.+)$", notebook.cells[0].source, re.MULTILINE)
    return _PAGE.format(title=escape(title[1] if title else path.stem), style=styles, body=body)
