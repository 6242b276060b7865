"""Program: write all figures, claims and charts as one HTML page that needs no network."""

import json
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import vl_convert
from jinja2 import Environment, StrictUndefined
from latex2mathml.converter import convert_to_element

from reproduce.claims.claims_in_words import history_of_criteria, ours_with_quantity, region_in_words
from reproduce.claims.criteria import VERDICTS
from reproduce.claims.headline import counted_apart, headline
from reproduce.errors import UserError
from reproduce.jobs.job import Job
from reproduce.page.citing import bibtex_of
from reproduce.page.contents import Contents, Picture, contents_of, paragraphs_of
from reproduce.page.embedding import address_of, script_of, size_of
from reproduce.page.experiments import experiment_of
from reproduce.page.links import anchor_of, anchor_of_chart, anchor_of_claim, anchor_of_word, linker, number_of
from reproduce.page.sparklines import FRAME, HEIGHT, WIDTH
from reproduce.records.files import guard_inputs, replacing, sha256_of
from reproduce.records.ledgers import read_ledger
from reproduce.records.paths import FIGURE, INTERACTIVE, LEDGER
from reproduce.records.record import merge_reduced, read_record, record_of
from reproduce.records.tables import read_metadata


def main(
    job: Job,
    figures: list[Path],
    charts: list[Path],
    ledgers: list[Path],
    tables: list[Path],
    numbers: list[Path],
    records: list[Path],
    templates: list[Path],
    output: Path,
) -> None:
    """Write the page with the figures (SVG), charts (Vega-Lite) and ledgers, and with the record of each.

    figures, charts: in the order of the spec's descriptions; numbers: the CSV files of figures that answers draw.
    tables: the tables of the experiments that the page shows.
    records: those of the figures and charts, in this order.
    templates: the page's text (.html), style (.css), scripts (.js) and the licences of libraries (.txt).
    spec: descriptions of the documents, captions, and the citation.
    """
    sources = {"figures": figures, "charts": charts, "ledgers": ledgers, "tables": tables}
    sources |= {"numbers": numbers, "records": records, "templates": templates}
    spec = job.spec
    with (
        replacing(output) as unfinished,
        guard_inputs({name: paths for name, paths in sources.items() if paths}) as read,
    ):
        metadata = {path: read_metadata(path) for path in tables}
        reduced = merge_reduced(each["reduced"] for each in metadata.values())
        experiments = [experiment_of(each, sha256_of(path), spec["runs"][path.stem]) for path, each in metadata.items()]
        # Matplotlib's fonts, so that the layout of charts does not depend on those of the machine.
        vl_convert.register_font_directory(str(Path(matplotlib.get_data_path(), "fonts", "ttf")))
        drawings = zip((*spec["figures"], *spec["charts"]), (*figures, *charts), records, strict=True)
        contents = contents_of(
            spec["documents"],
            [_make_picture(entry, path, read_record(record).reduced) for entry, path, record in drawings],
            {path.stem: read_ledger(path) for path in ledgers},
            experiments,
            numbers={f"{path.parent.name}/{path.stem}": path.read_text(encoding="utf-8") for path in numbers},
            reduced=reduced,
            **{name: spec[name] for name in ("citation", "glossary", "questions")},
        )
        text = render([(path.suffix, path.read_text(encoding="utf-8")) for path in templates], contents)
        unfinished.write_text(text, encoding="utf-8")
        job.write_record({output: unfinished}, read, reduced)


def _make_picture(entry: Mapping, file: Path, reduced: str) -> Picture:
    """Return a figure or a chart. entry: its description in the spec; file: its SVG, or its specification."""
    document, name = entry["document"], entry["name"]
    content = file.read_text(encoding="utf-8")
    chart = json.loads(content) if file.suffix == ".json" else None
    width, height = size_of(content) if chart is None else (0, 0)
    # A chart contains these words itself.
    words = [f"At reduced size: {reduced}."] if reduced and chart is None else []
    return Picture(
        document=document,
        anchor=anchor_of(document, name) if chart is None else anchor_of_chart(document, name),
        name=name,
        caption=(*paragraphs_of(entry["caption"]), *words),
        address=address_of(content if chart is None else vl_convert.vegalite_to_svg(chart)),
        width=width,
        height=height,
        path=(FIGURE if chart is None else INTERACTIVE).format(document=document, figure=name, chart=name),
        chart=chart,
    )


def render(templates: list[tuple[str, str]], contents: Contents) -> str:
    """Return the page. templates: pairs of suffix and text, as in `main`."""
    kinds = (".html", ".css", ".js", ".txt")
    texts = {kind: "\n".join(text for suffix, text in templates if suffix == kind) for kind in kinds}
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    # Included only if there are charts: the libraries take a megabyte.
    charts = any(part.charts or part.opening for part in contents.parts)
    # The type stub is wrong: the argument is optional.
    bundle = vl_convert.javascript_bundle() if charts else ""  # ty: ignore[missing-argument]
    return environment.from_string(texts[".html"]).render(
        contents=contents,
        verdicts=VERDICTS,
        headline=headline,
        counted_apart=counted_apart,
        history_of_criteria=history_of_criteria,
        ours_with_quantity=ours_with_quantity,
        region_in_words=region_in_words,
        style=texts[".css"],
        scripts=texts[".js"],
        # Escaped so that no text in them ends the `script` element.
        libraries=bundle.replace("</script", r"<\/script").replace("<!--", r"<\!--"),
        licences=texts[".txt"] if charts else "",
        mathematics=mathematics,
        script_of=script_of,
        linked=linker(word for word, _ in contents.glossary),
        number_of=number_of,
        anchor_of_claim=anchor_of_claim,
        anchor_of_word=anchor_of_word,
        record_of=record_of,
        ledger=LEDGER,
        frame=FRAME,
        size=(WIDTH, HEIGHT),
        bibtex_of=bibtex_of,
    )


def mathematics(latex: str) -> str:
    """Return an equation as MathML, without links; raises UserError for one that cannot be read."""
    try:
        equation = convert_to_element(latex, display="block")
    # The library has an error of its own for each mistake.
    except Exception as error:
        reason = type(error).__name__.removesuffix("Error")
        raise UserError(f"the formula {latex[:80]!r} cannot be read: {reason}") from None
    for element in equation.iter():
        # The library writes symbols as entities, and the text of the equation as it is.
        element.text = unescape(element.text or "")
        element.attrib.pop("href", None)
    return ElementTree.tostring(equation, encoding="unicode")
