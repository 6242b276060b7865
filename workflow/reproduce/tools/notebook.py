"""Program: execute a notebook, and write it as a page that opens offline."""

import argparse
import os
import re
from html import escape
from pathlib import Path

from reproduce.code.modules import Package
from reproduce.errors import UserError, run_tool
from reproduce.records.atomic import replacing

# One thread, as in jobs, so that numbers do not depend on the machine's cores; no bars of progress.
_ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "TQDM_DISABLE": "1"}
# Figures with twice the pixels, for phones.
_SHARP = ["--InlineBackend.figure_formats=retina"]
# The place of a cell in a warning: a temporary file, with the number of the process.
_PLACE = re.compile(r"^\S*ipykernel_\d+\S*: ", re.MULTILINE)
_STYLE = "reproduce/page/templates/page.css"
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


def render(path: Path) -> str:
    """Execute a notebook in its folder and return its page; raises UserError if a cell fails."""
    # Imported here because only this program needs them (envs/requirements-notebook.txt).
    import jupytext
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError
    from nbconvert import HTMLExporter
    from pygments.formatters.html import HtmlFormatter

    notebook = jupytext.read(path)
    os.environ.update(_ENVIRONMENT)
    try:
        client = NotebookClient(notebook, timeout=None, startup_timeout=600, extra_arguments=_SHARP)
        client.execute(cwd=str(path.parent))
    except CellExecutionError as error:
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
    exporter = HTMLExporter(
        template_name="basic", exclude_input_prompt=True, exclude_output_prompt=True, exclude_anchor_links=True
    )
    body, _ = exporter.from_notebook_node(notebook)
    page_style = (Package().root / _STYLE).read_text(encoding="utf-8")
    light, dark = (HtmlFormatter(style=name).get_style_defs(".highlight") for name in ("default", "github-dark"))
    style = f"{page_style}{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n{_OWN_STYLE}"
    title = re.search(r"^# (.+)$", notebook.cells[0].source, re.MULTILINE)
    return _PAGE.format(title=escape(title[1] if title else path.stem), style=style, body=body)


def main() -> None:
    """Execute a notebook and write its page."""
    parser = argparse.ArgumentParser(description="Execute a notebook, and write it as a page that opens offline.")
    parser.add_argument("notebook", type=Path)
    parser.add_argument("page", type=Path)
    arguments = parser.parse_args()
    with replacing(arguments.page) as unfinished:
        unfinished.write_text(render(arguments.notebook), encoding="utf-8")


if __name__ == "__main__":
    run_tool(main)
