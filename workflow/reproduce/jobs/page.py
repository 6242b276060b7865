"""Program: write all figures, claims and charts as one HTML page that needs no network."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import matplotlib
import vl_convert
from jinja2 import Environment, StrictUndefined
from latex2mathml.converter import convert

from reproduce.claims.claim import WEIGHTS
from reproduce.claims.criteria import VERDICTS
from reproduce.jobs.job import Job
from reproduce.page.anchors import anchor_of, anchor_of_word
from reproduce.page.citing import bibtex_of
from reproduce.page.contents import Contents, Judged, Picture, contents_of, paragraphs_of
from reproduce.page.embedding import address_of, script_of, size_of
from reproduce.page.glossary import linker
from reproduce.page.origins import ShownExperiment, count_jobs, experiment_of, origin_of
from reproduce.page.sparklines import FRAME, HEIGHT, WIDTH
from reproduce.records.atomic import replacing
from reproduce.records.digests import guard_inputs, sha256_of
from reproduce.records.paths import FIGURE, INTERACTIVE, LEDGER
from reproduce.records.record import Record, read_record
from reproduce.records.reduced import merge_reduced
from reproduce.records.tables import read_metadata, read_table


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
    """Write the page with the figures (SVG), charts (Vega-Lite) and ledgers, and with the origin of each.

    figures, charts: in the order of the spec's descriptions; numbers: the CSV files of figures that answers draw.
    tables: the tables of the experiments that the page shows.
    records: those of the figures, charts and ledgers, in this order.
    templates: the page's text (.html), style (.css) and scripts (.js).
    spec: descriptions of the documents, captions, the tables that each figure reads, and the citation.
    """
    sources = {"figures": figures, "charts": charts, "ledgers": ledgers, "tables": tables}
    sources |= {"numbers": numbers, "records": records, "templates": templates}
    record_at = dict(zip((*figures, *charts, *ledgers), map(read_record, records), strict=True))
    with (
        replacing(output) as unfinished,
        guard_inputs({name: paths for name, paths in sources.items() if paths}) as read,
    ):
        metadata = {path: read_metadata(path) for path in tables}
        reduced = merge_reduced(each["reduced"] for each in metadata.values())
        experiments = {
            path.stem: experiment_of(each, sha256_of(path), job.spec["runs"][path.stem])
            for path, each in metadata.items()
        }
        judged = {path.stem: _read_ledger(job, path, record_at[path]) for path in ledgers}
        _register_fonts()
        contents = contents_of(
            job.spec["documents"],
            _group_by_document(
                _make_figure(entry, path, record_at[path], experiments)
                for entry, path in zip(job.spec["figures"], figures, strict=True)
            ),
            _group_by_document(
                _make_chart(entry, path, record_at[path], experiments)
                for entry, path in zip(job.spec["charts"], charts, strict=True)
            ),
            judged,
            list(experiments.values()),
            numbers={f"{path.parent.name}/{path.stem}": path.read_text(encoding="utf-8") for path in numbers},
            reduced=reduced,
            citation=job.spec["citation"],
        )
        text = _render([(path.suffix, path.read_text(encoding="utf-8")) for path in templates], contents)
        unfinished.write_text(text, encoding="utf-8")
        job.write_record({output: unfinished}, read, reduced)


def _group_by_document(pictures: Iterable[tuple[str, Picture]]) -> dict[str, list[Picture]]:
    found = defaultdict(list)
    for document, picture in pictures:
        found[document].append(picture)
    return found


def _read_ledger(job: Job, path: Path, record: Record) -> Judged:
    table = read_table(path)
    origin = origin_of(record, LEDGER.format(document=path.stem))
    return Judged(table.to_pylist(), origin, tuple(job.spec["ledgers"][path.stem]))


def _make_figure(
    entry: Mapping, path: Path, record: Record, experiments: Mapping[str, ShownExperiment]
) -> tuple[str, Picture]:
    document, name = entry["document"], entry["name"]
    pdf = FIGURE.format(document=document, figure=name)
    content = path.read_text(encoding="utf-8")
    reduced = f"At reduced size: {record.reduced}." if record.reduced else ""
    width, height = size_of(content)
    picture = Picture(
        anchor=anchor_of(document, name),
        name=name,
        caption=(*paragraphs_of(entry["caption"]), *filter(None, [reduced])),
        address=address_of(content),
        width=width,
        height=height,
        path=pdf,
        origin=origin_of(record, pdf),
        experiments=tuple(entry["tables"]),
        jobs=count_jobs([experiments[each] for each in entry["tables"]]) + 1,
    )
    return document, picture


def _make_chart(
    entry: Mapping, file: Path, record: Record, experiments: Mapping[str, ShownExperiment]
) -> tuple[str, Picture]:
    document, name = entry["document"], entry["name"]
    path = INTERACTIVE.format(document=document, chart=name)
    spec = json.loads(file.read_text(encoding="utf-8"))
    picture = Picture(
        anchor=f"{anchor_of(document, name)}-sliders",
        name=name,
        caption=paragraphs_of(entry["caption"]),
        address=address_of(vl_convert.vegalite_to_svg(spec)),
        width=0,
        height=0,
        path=path,
        origin=origin_of(record, path),
        experiments=tuple(entry["tables"]),
        jobs=count_jobs([experiments[each] for each in entry["tables"]]) + 1,
        chart=spec,
    )
    return document, picture


def _render(templates: list[tuple[str, str]], contents: Contents) -> str:
    """Return the page. templates: pairs of suffix and text: template (.html), style (.css), scripts (.js)."""
    texts = {kind: "\n".join(text for suffix, text in templates if suffix == kind) for kind in (".html", ".css", ".js")}
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    # Included only if there are charts: the libraries take a megabyte.
    charts = any(part.charts for part in contents.parts)
    claims = [claim for part in contents.parts for claim in part.all_claims]
    return environment.from_string(texts[".html"]).render(
        contents=contents,
        verdicts=VERDICTS,
        weights=WEIGHTS,
        kinds=sorted({claim.kind for claim in claims}),
        style=texts[".css"],
        scripts=texts[".js"],
        libraries=_read_libraries() if charts else "",
        mathematics=lambda latex: convert(latex, display="block"),
        script_of=script_of,
        linked=linker(word for word, _ in contents.glossary),
        anchor_of_word=anchor_of_word,
        frame=FRAME,
        size=(WIDTH, HEIGHT),
        bibtex_of=bibtex_of,
    )


def _read_libraries() -> str:
    """Return the scripts that draw charts, escaped so that no text in them ends the `script` element."""
    # The type stub is wrong: the argument is optional.
    bundle = vl_convert.javascript_bundle()  # ty: ignore[missing-argument]
    return bundle.replace("</script", r"<\/script").replace("<!--", r"<\!--")


def _register_fonts() -> None:
    """Register matplotlib's fonts, so that the layout of charts does not depend on the machine's fonts."""
    vl_convert.register_font_directory(str(Path(matplotlib.get_data_path(), "fonts", "ttf")))
