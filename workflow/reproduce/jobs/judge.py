"""Program: judge the claims of one document from the tables of its experiments."""

from dataclasses import replace
from pathlib import Path

from reproduce.claims.claim import Claim
from reproduce.claims.entries import compare_settings, join_statements
from reproduce.claims.judging import quote_numbers, row_of
from reproduce.code.modules import Package
from reproduce.jobs.frames import known_metrics, read_tables
from reproduce.jobs.isolation import isolated
from reproduce.jobs.job import Job
from reproduce.records.files import guard_inputs, replacing
from reproduce.records.ledgers import write_ledger
from reproduce.records.statements import read_statements


def main(job: Job, statements: list[Path], tables: list[Path], output: Path) -> None:
    """Judge the statements of a document by the tests that the code returns, and write one row per entry, in order.

    statements: claims.md, and reach.csv if there is one; tables: files with the names of their experiments.
    """
    module, package = job.entry.partition(":")[0], Package()
    path, *reach = statements
    with (
        replacing(output) as unfinished,
        guard_inputs({"statements": [path], **{each.stem: [each] for each in (*reach, *tables)}}) as inputs,
    ):
        by_name, reduced = read_tables(tables)
        stated, sizes = read_statements(path), job.spec.get("sizes", {})
        experiments = package.constant(module, "TABLES")
        with known_metrics(experiments if isinstance(experiments, tuple) else ()), isolated(job) as decide:
            decisions = decide()
            entries = join_statements(stated, decisions.tests, reach)
            rows = [row_of(each, by_name, reduced, sizes) if isinstance(each, Claim) else each for each in entries]
        rows = [*quote_numbers(rows), *compare_settings(decisions.settings, by_name)]
        rows = [replace(row, document=job.spec["document"]) for row in rows]
        write_ledger(unfinished, rows, job.spec_text, reduced)
        job.write_record({output: unfinished}, inputs, reduced)
