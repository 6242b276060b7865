"""Program: describe the results for others: the dictionary of the data, and results/tables as a data set.

It writes results/metrics.parquet and metrics.csv. In results/tables it writes a README.md, which makes the folder a
data set of Hugging Face, and croissant.json (https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html).
"""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from reproduce.code.modules import Package
from reproduce.code.science import SCIENCE
from reproduce.config.citation import read_citation
from reproduce.config.metrics import COLUMNS, meanings_of, metrics_of
from reproduce.errors import UserError, run_tool
from reproduce.records.atomic import replacing
from reproduce.records.digests import sha256_of
from reproduce.records.paths import RESULTS, TABLE

# The terms of Croissant that `_croissant` uses, with their meanings; all others are terms of schema.org.
_CROISSANT = ("recordSet", "field", "source", "extract", "column", "fileObject")
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    **{term: f"cr:{term}" for term in _CROISSANT},
}
_COLUMNS = {
    "experiment": "the experiment",
    "seed": "the seed of all random numbers",
    "step": "updates done, or layers in nets that are not trained",
    "metric": "the name of the quantity: see the table of metrics",
    "index": "a mode, class or cell, 0 for a single number",
    "value": "the measured number",
}


def main() -> None:
    """Write the descriptions beside the tables that exist."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter).parse_args()
    package = Package()
    metrics = {name: metrics_of(package, name) for name in package.rooms_in("experiments")}
    tables = [path for name in metrics if (path := Path(TABLE.format(experiment=name))).is_file()]
    if not tables:
        raise UserError(f"{TABLE}: there are no tables; make them with: snakemake --cores 8")
    every = pd.DataFrame([row for rows in metrics.values() for row in rows], columns=list(COLUMNS))
    citation = read_citation(package.root / SCIENCE)
    made = {table.stem: metrics[table.stem] for table in tables}
    _write(Path(RESULTS, "metrics.csv"), every.to_csv(index=False))
    with replacing(Path(RESULTS, "metrics.parquet")) as unfinished:
        every.to_parquet(unfinished, index=False)
    _write(Path(TABLE).with_name("README.md"), _readme(citation, made))
    _write(Path(TABLE).with_name("croissant.json"), json.dumps(_croissant(citation, tables, made), indent=1) + "\n")


def _readme(citation: Mapping, metrics: Mapping[str, list[dict[str, str]]]) -> str:
    """Return the card of a data set of Hugging Face, with a configuration for each table."""
    configs = [{"config_name": name, "data_files": f"{name}.parquet"} for name in metrics]
    # JSON is YAML too.
    head = ["---", f"license: {citation['license'].lower()}", f"configs: {json.dumps(configs)}", "---"]
    text = [f"# {citation['title']}", "One table for each experiment, and one measured value in each row. Columns:"]
    text.append("\n".join(f"- `{name}`: {words}" for name, words in _COLUMNS.items()))
    text.append("All other columns are axes: settings that differ between runs.")
    for experiment, rows in metrics.items():
        lines = ["| metric | index | unit | recorded | meaning | source |", "|---|---|---|---|---|---|"]
        lines += [f"| {' | '.join(row[name].replace('|', chr(92) + '|') for name in COLUMNS[1:])} |" for row in rows]
        text += [f"## {experiment}", "\n".join(lines)]
    return "\n".join(head) + "\n\n" + "\n\n".join(text) + "\n"


def _croissant(citation: Mapping, tables: list[Path], metrics: Mapping[str, list[dict[str, str]]]) -> dict:
    """Return the description of the tables as Croissant: a file and a set of records for each."""
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": SCIENCE,
        "description": citation["title"],
        "license": f"https://spdx.org/licenses/{citation['license']}",
        "version": citation["version"],
        "datePublished": citation["date"],
        "creator": [{"@type": "sc:Organization", "name": name} for name in citation["authors"]],
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": table.name,
                "name": table.name,
                "contentUrl": table.name,
                "encodingFormat": "application/x-parquet",
                "sha256": sha256_of(table),
            }
            for table in tables
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": table.stem,
                "name": table.stem,
                "description": meanings_of(metrics[table.stem]),
                "field": [
                    {
                        "@type": "cr:Field",
                        "@id": f"{table.stem}/{column.name}",
                        "name": column.name,
                        "description": _COLUMNS.get(column.name, "an axis of the runs"),
                        "dataType": _data_type(column.type),
                        "source": {"fileObject": {"@id": table.name}, "extract": {"column": column.name}},
                    }
                    for column in pq.read_schema(table)
                ],
            }
            for table in tables
        ],
    }


def _data_type(kind: pa.DataType) -> str:
    if pa.types.is_floating(kind):
        return "sc:Float"
    return "sc:Integer" if pa.types.is_integer(kind) else "sc:Boolean" if pa.types.is_boolean(kind) else "sc:Text"


def _write(path: Path, text: str) -> None:
    with replacing(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    run_tool(main)
