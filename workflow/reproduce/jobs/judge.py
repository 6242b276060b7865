"""Program: judge the claims of one document from the tables of its experiments."""

from pathlib import Path

import pyarrow as pa

from reproduce.claims.entries import join_statements
from reproduce.claims.judging import quote_numbers, row_of_entry, row_without_claim
from reproduce.claims.settings import compare_settings
from reproduce.code.modules import Package
from reproduce.jobs.frames import known_metrics, to_table
from reproduce.jobs.isolation import isolated
from reproduce.jobs.job import Job
from reproduce.records.atomic import replacing
from reproduce.records.digests import guard_inputs
from reproduce.records.ledgers import LEDGER_SCHEMA, SETTING
from reproduce.records.reduced import merge_reduced
from reproduce.records.statements import read_headings
from reproduce.records.tables import metadata_of, read_table, write_table


def main(job: Job, statements: list[Path], tables: list[Path], output: Path) -> None:
    """Judge the statements of a document by the tests that the code returns, and write one row per entry, in order.

    statements: claims.md; tables: files with the names of their experiments.
    """
    module, package = job.entry.partition(":")[0], Package()
    with (
        replacing(output) as unfinished,
        guard_inputs({"statements": statements, **{path.stem: [path] for path in tables}}) as inputs,
    ):
        read = {path.stem: read_table(path) for path in tables}
        reduced = merge_reduced(metadata_of(table)["reduced"] for table in read.values())
        by_name = {name: to_table(rows) for name, rows in read.items()}
        (path,) = statements
        headings, sizes = read_headings(path), job.spec.get("sizes", {})
        experiments = package.constant(module, "TABLES")
        with known_metrics(experiments if isinstance(experiments, tuple) else ()), isolated(job) as decide:
            decisions = decide()
            entries = join_statements(headings, decisions.tests)
            rows = quote_numbers([row_of_entry(each, by_name, reduced, sizes) for each in entries])
        rows += [row_without_claim(kind=SETTING, **row) for row in compare_settings(decisions.settings, by_name)]
        rows = [{**row, "document": job.spec["document"]} for row in rows]
        write_table(unfinished, pa.Table.from_pylist(rows, schema=LEDGER_SCHEMA), job.spec_text, reduced)
        job.write_record({output: unfinished}, inputs, reduced)
