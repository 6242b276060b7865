"""From config to points: which runs, tables and figures exist, and the exact spec of each job.

The Snakefile imports this module: it needs neither torch, pandas nor numpy.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from itertools import combinations

from workflow.deepnets.code.known import KnownCode
from workflow.deepnets.code.modules import PACKAGE, Package
from workflow.deepnets.config.check import axis_types, resolve
from workflow.deepnets.config.citation import read_citation
from workflow.deepnets.config.documents import (
    Chart,
    Document,
    Figure,
    Ledger,
    charts_of,
    documents_of,
    figure_of_claims,
    figures_of,
    ledgers_of,
)
from workflow.deepnets.config.grids import Grid, grids_of
from workflow.deepnets.config.points import Point, canonical
from workflow.deepnets.config.results import Result, Results
from workflow.deepnets.data.mnist import FULL, SUBSET
from workflow.deepnets.errors import UserError
from workflow.deepnets.records.paths import (
    CLAIMS,
    KNOWN_CODE,
    LEDGER,
    MNIST,
    PAGE,
    RUNS,
    STYLE,
    TABLE,
    TEMPLATES,
    WHITENED,
)

# What an experiment's `run` may ask for by the names of its arguments.
DATASETS = {"mnist": MNIST, "whitened": WHITENED}
# The data set says what it holds, not where it came from: sources with the same content give the same bytes.
_KINDS = {"auto": (FULL, SUBSET), "directory": (FULL,), "download": (FULL,), "embedded": (SUBSET,)}


class Plan:
    """All jobs that a config asks for.

    Raises UserError, listing every fault with its key's path and what is allowed, if the config is not valid.
    """

    def __init__(self, config: Mapping, *, package: Package | None = None) -> None:
        blocks = resolve(config)
        self._config = config
        self.package = package or Package()
        self.known_code = KnownCode(self.package, KNOWN_CODE)
        self._packages: dict[str, tuple[str, ...]] = {}
        self._grids = {experiment: grids_of(experiment, block) for experiment, block in blocks.items()}
        for grids in self._grids.values():
            _refuse_overlap(grids)

    @cached_property
    def points(self) -> dict[str, Point]:
        """All points by their paths."""
        points = (point for grids in self._grids.values() for grid in grids.values() for point in grid.points())
        return {point.path: point for point in points}

    def point(self, path: str) -> Point | None:
        """Return the point whose run lies at a path, None where the config asks for none; the others are not listed."""
        found = (grid.at(path) for grids in self._grids.values() for grid in grids.values())
        return next(filter(None, found), None)

    @property
    def packages(self) -> dict[str, tuple[str, ...]]:
        """The packages that the code of each result reaches, by the code param."""
        codes = [self.run_code(experiment) for experiment in self.experiments]
        codes += [self.program_code("aggregate")]
        others = {**self._data_results, **self._results_of_tables}
        codes += [result.code for result in others.values()]
        return {code: self._packages[code] for code in codes}

    @property
    def experiments(self) -> list[str]:
        """The experiments that the config holds."""
        return list(self._grids)

    @cached_property
    def documents(self) -> dict[str, Document]:
        """The documents, by their ids."""
        return documents_of(self.package)

    @cached_property
    def figures(self) -> dict[tuple[str, str], Figure]:
        """The figures whose tables these experiments fill, by (document, name), the claims of each document last."""
        of_claims = [figure_of_claims(self.package, document) for document in self.ledgers]
        return {
            **figures_of(self.package, self.experiments),
            **{(figure.document, figure.name): figure for figure in of_claims},
        }

    @cached_property
    def charts(self) -> dict[tuple[str, str], Chart]:
        """The charts with sliders whose tables these experiments fill, by (document, name)."""
        return charts_of(self.package, self.experiments)

    @cached_property
    def ledgers(self) -> dict[str, Ledger]:
        """The ledgers that these experiments' tables can judge, by document."""
        return ledgers_of(self.package, self.experiments)

    def figure(self, document: str, name: str) -> Figure:
        """Return a figure; raises UserError where the config's experiments do not give it."""
        if (document, name) not in self.figures:
            raise UserError(
                f"there is no figure {document}/{name} of these experiments ({', '.join(self.experiments)}); "
                f"there are {', '.join('/'.join(key) for key in self.figures)}"
            )
        return self.figures[document, name]

    @cached_property
    def results(self) -> Results:
        """Every file that this config asks for, each behind those that it is made from."""
        return Results(self._result_at, self._all_results)

    def _result_at(self, path: str) -> Result | None:
        if path.startswith(f"{RUNS}/"):
            point = self.point(path)
            return point and self._run_result(point)
        tables = {TABLE.format(experiment=experiment): experiment for experiment in self.experiments}
        if path in tables:
            return self._table_result(tables[path])
        return self._data_results.get(path) or self._results_of_tables.get(path)

    def _all_results(self) -> Iterator[tuple[str, Result]]:
        yield from self._data_results.items()
        for path, point in self.points.items():
            yield path, self._run_result(point)
        for experiment in self.experiments:
            yield TABLE.format(experiment=experiment), self._table_result(experiment)
        yield from self._results_of_tables.items()

    @cached_property
    def _data_results(self) -> dict[str, Result]:
        datasets = {name for experiment in self.experiments for name in self.run_datasets(experiment)}
        results = {}
        if datasets:
            source = self._config["mnist"]["source"]
            stamps = tuple(canonical({"mnist": kind}) for kind in _KINDS[source])
            results[MNIST] = Result(self.data_spec("mnist"), self.program_code("fetch"), {}, stamps)
        if "whitened" in datasets:
            inputs = {"mnist": (MNIST,)}
            results[WHITENED] = Result(self.data_spec("whitening"), self.program_code("whiten"), inputs)
        return results

    def _run_result(self, point: Point) -> Result:
        experiment = point.axes["experiment"]
        inputs = {name: (DATASETS[name],) for name in self.run_datasets(experiment)}
        return Result(point.spec, self.run_code(experiment), inputs)

    def _table_result(self, experiment: str) -> Result:
        own = [(path, point) for path, point in self.points.items() if point.axes["experiment"] == experiment]
        # In the order of the table's rows, in which the program reads them.
        runs = tuple(path for path, _ in sorted(own, key=lambda each: each[1].order()))
        return Result(self.table_spec(experiment), self.program_code("aggregate"), {"runs": runs})

    @cached_property
    def _results_of_tables(self) -> dict[str, Result]:
        """All that is made from tables, each behind what it is made from."""
        return {**self._ledger_results, **self._figure_results, **self._chart_results, **self._page_results}

    @cached_property
    def _ledger_results(self) -> dict[str, Result]:
        """The ledger of each document, and the page that holds them all."""
        results = {}
        for document, ledger in self.ledgers.items():
            inputs = {name: (TABLE.format(experiment=name),) for name in ledger.tables}
            results[LEDGER.format(document=document)] = Result(ledger.spec, self._code("judge", ledger.entry), inputs)
        if results:
            spec = canonical({"documents": list(self.ledgers)})
            results[CLAIMS] = Result(spec, self.program_code("ledger"), {"ledgers": tuple(results)})
        return results

    @cached_property
    def _figure_results(self) -> dict[str, Result]:
        results = {}
        for key, figure in self.figures.items():
            inputs = {**{name: (path,) for name, path in figure.inputs.items()}, "style": (STYLE,)}
            results |= dict.fromkeys(figure.paths, Result(figure.spec, self.figure_code(*key), inputs))
        return results

    @cached_property
    def _chart_results(self) -> dict[str, Result]:
        results = {}
        for chart in self.charts.values():
            inputs = {name: (path,) for name, path in chart.inputs.items()}
            result = Result(chart.spec, self._code("interact", chart.entry), inputs)
            results |= dict.fromkeys(chart.paths, result)
        return results

    @cached_property
    def _page_results(self) -> dict[str, Result]:
        """The page, which shows all that is made from tables."""
        inputs = {
            "figures": tuple(path for path in self._figure_results if path.endswith(".svg")),
            "charts": tuple(self._chart_results),
            "ledgers": tuple(LEDGER.format(document=document) for document in self.ledgers),
            # Sorted, as files that override each other may name experiments in any order.
            "tables": tuple(TABLE.format(experiment=experiment) for experiment in sorted(self.experiments)),
            "templates": TEMPLATES,
        }
        drawings = [*self.figures.values(), *self.charts.values()]
        shown = {*self.ledgers, *(drawing.document for drawing in drawings)}
        spec = {
            "figures": _shown(self.figures.values()),
            "charts": _shown(self.charts.values()),
            "ledgers": {document: ledger.tables for document, ledger in self.ledgers.items()},
            # In this order they stand on the page.
            "documents": [document.words for document in self.documents.values() if document.id in shown],
            "data": {experiment: self._data_behind(experiment) for experiment in self.experiments},
        }
        there = {name: paths for name, paths in inputs.items() if paths}
        return {PAGE: Result(canonical(spec), self.program_code("page"), there)}

    def _data_behind(self, experiment: str) -> list[str]:
        """Return the data sets that must be made before an experiment's runs."""
        read = self.run_datasets(experiment)
        return sorted({*read, *(["mnist"] if "whitened" in read else [])})

    def run_code(self, experiment: str) -> str:
        """Return the code param of an experiment's runs."""
        return self._code("train", _run_entry(experiment))

    def run_datasets(self, experiment: str) -> list[str]:
        """Return the data sets that an experiment's `run` takes after the spec."""
        arguments = self.package.arguments(_run_entry(experiment))
        if not arguments:
            raise UserError(f"{_run_entry(experiment)} takes no argument; the first one must be the spec of a run")
        datasets = arguments[1:]
        if unknown := sorted(set(datasets) - set(DATASETS)):
            raise UserError(f"{_run_entry(experiment)} asks for {', '.join(unknown)}; allowed: {', '.join(DATASETS)}")
        return datasets

    def table_spec(self, experiment: str) -> str:
        """Return the spec of an experiment's table: all its points, in the short form of grids without names."""
        return canonical(
            {
                "experiment": experiment,
                "grids": self._short_grids(experiment),
                "types": axis_types(experiment),
                "code": self.run_code(experiment),
            }
        )

    def figure_code(self, document: str, name: str) -> str:
        """Return the code param of a figure."""
        return self._code("draw", self.figure(document, name).entry)

    def program_code(self, program: str) -> str:
        """Return the code param of a program that runs no entry but its own `main`."""
        return self._code(program, f"{PACKAGE}.jobs.{program}:main")

    def data_spec(self, block: str) -> str:
        """Return the spec of the job behind a data set: its block of the config."""
        return canonical(self._config[block])

    @property
    def inventory(self) -> str:
        """The spec of a job that reads all results: their paths, the runs in the short form of grids."""
        return canonical(self._inventory)

    @property
    def archive_spec(self) -> str:
        """The spec of the archive: all results, and whom its description cites.

        Raises UserError where CITATION.cff lacks what the description needs.
        """
        works = [work for document in self.documents.values() for work in document.works]
        return canonical({**self._inventory, "citation": {**read_citation(self.package.root), "works": works}})

    @property
    def unbounded_specs(self) -> list[str]:
        """The specs that grow with the config, which may be too long for a command line; those that can be told."""
        tables = [self.table_spec(experiment) for experiment in self.experiments]
        with suppress(UserError):
            return [*tables, self.inventory, self.archive_spec]
        return [*tables, self.inventory]

    @property
    def _inventory(self) -> dict:
        grids = {experiment: self._short_grids(experiment) for experiment in self.experiments}
        tables = [TABLE.format(experiment=experiment) for experiment in self.experiments]
        files = [*self._data_results, *tables, *self._results_of_tables]
        return {"grids": grids, "files": sorted(files)}

    def _short_grids(self, experiment: str) -> list[dict]:
        """Return an experiment's grids without their names, in one order."""
        grids = self._grids[experiment].values()
        return sorted(({"axes": grid.axes, "settings": grid.settings} for grid in grids), key=canonical)

    def _code(self, program: str, entry: str) -> str:
        code = self.known_code.code(program, entry)
        self._packages[code] = self.known_code.packages(program, entry)
        return code


def _shown(drawings: Iterable[Figure]) -> list[dict]:
    """Return what the page is to say of figures or charts beside what their files say themselves."""
    return [
        {"document": each.document, "name": each.name, "tables": each.tables, "caption": each.caption}
        for each in drawings
    ]


def _run_entry(experiment: str) -> str:
    return f"{PACKAGE}.experiments.{experiment}.run:run"


def _refuse_overlap(grids: Mapping[str, Grid]) -> None:
    """Raise UserError where two grids of an experiment hold the same point."""
    for (name, grid), (other_name, other) in combinations(grids.items(), 2):
        if point := grid.shared_with(other):
            raise UserError(
                f"config: experiments.{grid.experiment}.grids: {name!r} and {other_name!r} hold the same point "
                f"({', '.join(f'{axis} {value}' for axis, value in point.axes.items())}); "
                "a point may stand in one grid only"
            )
