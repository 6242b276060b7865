"""Plan all runs, tables and figures of a config, with the exact spec of each job.

The Snakefile imports this module: it needs neither torch, pandas nor numpy.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from pathlib import Path

import yaml

from reproduce.code.footprint import Codes
from reproduce.code.modules import Package
from reproduce.code.science import MECHANICS, SCIENCE
from reproduce.config.check import axis_types, needs_of, resolve, settings_of_data
from reproduce.config.documents import Document, Drawings, TableJob, documents_of, drawings_of, ledgers_of, sizes_of
from reproduce.config.experiments import refuse_beyond
from reproduce.config.fields import DatasetSettings
from reproduce.config.grids import Point, canonical_json, grids_of, points_by_path
from reproduce.errors import check_name
from reproduce.records.paths import CLAIM_LIST, DATASET, LIST, PAGE, PAGES, TABLE, TEMPLATES
from reproduce.records.record import record_of

# Of the libraries that the page contains, from their packages.
_LICENCES = "reproduce/page/templates/licences.txt"


@dataclass(frozen=True)
class Result:
    """A job's spec, entry and inputs.

    spec: the param; entry: the function that the job calls;
    inputs: for each name, the files whose digest the job records;
    recorded_specs: the specs that the job may record, where these are not the param itself.
    """

    spec: str
    entry: str
    inputs: dict[str, tuple[str, ...]]
    recorded_specs: tuple[str, ...] = ()


class Plan:
    """All jobs of a config.

    Raises UserError, listing every fault with its key's path and what is allowed, if the config is not valid.
    """

    def __init__(self, config: Mapping, *, package: Package | None = None) -> None:
        blocks = resolve(config)
        self._config = config
        self.package = package or Package()
        self.codes = Codes(self.package)
        self._data: dict[str, dict[str, tuple[str, ...]]] = {}
        self.experiments = list(blocks)
        # Before the grids, which sort the values of each axis.
        self._types = {experiment: axis_types(experiment) for experiment in blocks}
        self._grids = {experiment: grids_of(experiment, block) for experiment, block in blocks.items()}
        for experiment, grids in self._grids.items():
            refuse_beyond(experiment, grids, needs_of)
        self._points = {experiment: points_by_path(experiment, grids) for experiment, grids in self._grids.items()}

    @cached_property
    def points(self) -> dict[str, Point]:
        """All points by their paths."""
        return {path: point for points in self._points.values() for path, point in points.items()}

    @cached_property
    def documents(self) -> dict[str, Document]:
        """The documents, by their ids."""
        return documents_of(self.package)

    @cached_property
    def figures(self) -> Drawings:
        """The figures whose tables these experiments fill, by (document, name)."""
        return drawings_of("figure", self.package, self.experiments)

    @cached_property
    def charts(self) -> Drawings:
        """The charts with sliders whose tables these experiments fill, by (document, name)."""
        return drawings_of("chart", self.package, self.experiments)

    @cached_property
    def ledgers(self) -> dict[str, TableJob]:
        """The ledgers whose verdicts these experiments' tables can give, by document."""
        return ledgers_of(self.package, self.experiments)

    @property
    def table_jobs(self) -> Iterator[TableJob]:
        """The jobs that read tables or ledgers, each after those whose results it reads."""
        return chain(self.ledgers.values(), self.figures.values(), self.charts.values())

    @cached_property
    def results(self) -> dict[str, Result]:
        """Every file of this config, each after its inputs."""
        data = dict.fromkeys(name for experiment in self.experiments for name in self._data_behind(experiment))
        return {
            **{DATASET.format(dataset=name): self._dataset_result(name) for name in data},
            **{
                path: Result(point.spec, entry, self._data_of(entry))
                for path, point in self.points.items()
                for entry in [_run_entry(str(point.axes["experiment"]))]
            },
            **{TABLE.format(experiment=name): self._table_result(name) for name in self.experiments},
            **self._results_of_tables(),
        }

    def dataset_settings(self, name: str) -> DatasetSettings:
        """Return the settings of a data set."""
        data = self._config["data"]
        return settings_of_data(name).model_validate(data[name], context={"data": data})

    def _dataset_result(self, name: str) -> Result:
        contents = self.dataset_settings(name).contents()
        # Only the first content: how many there are may depend on the environment, and no spec may.
        spec = canonical_json({"settings": self._config["data"][name], "contents": contents[:1]})
        recorded, entry = tuple(canonical_json({"reduced": each}) for each in contents), _make_entry(name)
        return Result(spec, entry, self._data_of(entry), recorded)

    def _table_result(self, experiment: str) -> Result:
        # In the order of the table's rows, in which the program reads them.
        runs = tuple(path for path, _ in sorted(self._points[experiment].items(), key=lambda each: each[1].order()))
        return Result(self.table_spec(experiment), main_of("aggregate"), {"runs": runs})

    def _results_of_tables(self) -> dict[str, Result]:
        """All results made from tables, each after its inputs."""
        sizes_of_runs = sizes_of(self.package, {name: self._data_behind(name) for name in self.experiments})
        results: dict[str, Result] = {}
        for job in self.table_jobs:
            # The documents' own sizes of the job's runs, by experiment, if there are any.
            sizes: dict[str, list] = {}
            for document, experiment, axes, own in sizes_of_runs:
                if experiment in job.tables and own:
                    who = "the document" if document == job.document else document
                    sizes.setdefault(experiment, []).append([who, axes, own])
            spec = canonical_json({**job.spec, **({"sizes": sizes} if sizes else {})})
            results |= dict.fromkeys(job.paths, Result(spec, job.entry, job.inputs))
        if self.ledgers:
            ledgers = tuple(path for ledger in self.ledgers.values() for path in ledger.paths)
            spec = canonical_json({"documents": list(self.ledgers)})
            inputs = {"ledgers": ledgers, "template": (self.package.file(LIST),)}
            results[CLAIM_LIST] = Result(spec, main_of("list_claims"), inputs)
        return {**results, PAGE: self.page()}

    @cached_property
    def pages(self) -> dict[str, Result]:
        """The pages of single documents, by path, which are made only on request."""
        shown = sorted({job.document for job in self.table_jobs})
        return {PAGES.format(of=f"-{document}"): self.page(document) for document in shown}

    def page(self, document: str = "") -> Result:
        """Return the page of all documents, or of one."""
        figures, charts, ledgers = (
            [job for job in jobs.values() if document in ("", job.document)]
            for jobs in (self.figures, self.charts, self.ledgers)
        )
        jobs = [*figures, *charts, *ledgers]
        read = {table for job in jobs for table in job.tables}
        experiments = [name for name in self.experiments if not document or name in read]
        # In the order of the page.
        shown = [each for each in self.documents.values() if each.id in {job.document for job in jobs}]
        answered = {answer.figure for each in shown for answer in each.answers}
        scripts = [self.package.data_files(f"documents/{each.room}", "js") for each in shown]
        inputs = {
            "figures": tuple(path for figure in figures for path in figure.paths if path.endswith("svg")),
            "charts": tuple(path for chart in charts for path in chart.paths),
            "ledgers": tuple(path for ledger in ledgers for path in ledger.paths),
            # Sorted, as files that override each other may name experiments in any order.
            "tables": tuple(TABLE.format(experiment=experiment) for experiment in sorted(experiments)),
            "templates": (*map(self.package.file, (*TEMPLATES, _LICENCES)), *chain(*scripts)),
            "numbers": tuple(figure.paths[-1] for figure in figures if f"{figure.document}/{figure.name}" in answered),
        }
        # In the order in which the program reads them.
        inputs["records"] = tuple(map(record_of, (*inputs["figures"], *inputs["charts"])))
        # The page prints these texts, which the files of figures and charts do not contain.
        facts = ("document", "name", "caption")
        spec = {
            "figures": [{name: getattr(each, name) for name in facts} for each in figures],
            "charts": [{name: getattr(each, name) for name in facts} for each in charts],
            "documents": [each.words for each in shown],
            # Also on the page of one document.
            "glossary": [*chain.from_iterable(each.glossary for each in self.documents.values())],
            "questions": [(each.question, each.documents) for one in self.documents.values() for each in one.answers],
            "runs": {
                experiment: {"entry": _run_entry(experiment), "data": self._data_behind(experiment)}
                for experiment in experiments
            },
            "citation": _citation_of(self.package.root / SCIENCE),
        }
        return Result(canonical_json(spec), main_of("page"), {name: paths for name, paths in inputs.items() if paths})

    def _data_behind(self, experiment: str) -> list[str]:
        """Return the data sets that must be made before an experiment's runs, each after those that it reads."""
        found: dict[str, None] = {}

        def visit(entry: str) -> None:
            for name in self._data_of(entry):
                visit(_make_entry(name))
                found[name] = None

        visit(_run_entry(experiment))
        return list(found)

    def _data_of(self, entry: str) -> dict[str, tuple[str, ...]]:
        """Return name → (path,) of the data sets that a function takes after its spec."""
        # Cached: called for each point.
        if entry not in self._data:
            names = self.package.arguments(entry)[1:]
            for name in names:
                check_name(name, "data set", self.package.rooms_in("data"), f"{entry}, after the spec: ")
            self._data[entry] = {name: (DATASET.format(dataset=name),) for name in names}
        return self._data[entry]

    def table_spec(self, experiment: str) -> str:
        """Return the spec of an experiment's table: all its points, in the short form of grids without names."""
        grids = [{"axes": grid.axes, "settings": grid.settings} for grid in self._grids[experiment].values()]
        # In one order, whatever the grids are called.
        ordered = sorted(grids, key=canonical_json)
        return canonical_json({"experiment": experiment, "grids": ordered, "types": self._types[experiment]})


def main_of(program: str) -> str:
    """Return the entry of a program that calls no other one."""
    return f"{MECHANICS}.jobs.{program}:main"


def _run_entry(experiment: str) -> str:
    return f"{SCIENCE}.experiments.{experiment}.run:run"


def _make_entry(dataset: str) -> str:
    return f"{SCIENCE}.data.{dataset}.make:make"


@cache
def _citation_of(science: Path) -> dict:
    """Return what CITATION.cff contains: at the root of a checkout, where services look for it, or in the package."""
    at_root = science.parents[1] / "CITATION.cff"
    content = yaml.safe_load((at_root if at_root.exists() else science / at_root.name).read_text(encoding="utf-8"))
    return {
        "title": content["title"],
        "license": content["license"],
        "version": str(content["version"]),
        "date": str(content["date-released"]),
        "authors": [each.get("name") or f"{each['given-names']} {each['family-names']}" for each in content["authors"]],
    }
