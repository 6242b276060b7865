"""Give the rules the inputs, params, GPUs and bundles of their jobs, as functions of the wildcards."""

import json
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, cached_property
from itertools import chain
from pathlib import Path, PurePath
from typing import NamedTuple

from snakemake.iocontainers import InputFiles, OutputFiles, Wildcards

from reproduce.code.modules import launcher
from reproduce.code.science import SCIENCE
from reproduce.config.check import needs_of
from reproduce.config.plan import Plan, Result
from reproduce.config.staleness import Staleness
from reproduce.engine.snakemake_internals import Workflow, workflow_errors
from reproduce.errors import UserError, suggest
from reproduce.records.cache import FileCache
from reproduce.records.command import command_line
from reproduce.records.paths import PAGE, RECORDS, RESULTS, RUN, RUNS
from reproduce.records.record import read_record, record_of

# What every job requests on a cluster. With Snakemake's two processes, the largest jobs of the default config take
# 0.9 GB. They take seconds, but slow file systems take long to load Python: once in a bundle (engine/sbatch.py).
_MEGABYTES, _MINUTES, _MINUTES_IN_BUNDLE = 1000, 5, 1
# For each MB of the tables that a job reads, which are compressed; measured with the default config: 20 to 70.
_MEGABYTES_OF_TABLES = 70
# Of CUDA's libraries; not measured.
_MEGABYTES_OF_CUDA = 3000


class Jobs:
    """The jobs of a plan.

    plan: all results of the config
    cache: the digests of files, and the records
    workflow: Snakemake's, whose settings are complete only after Snakemake has read the Snakefile
    """

    def __init__(self, plan: Plan, cache: FileCache, workflow: Workflow) -> None:
        self._plan, self._cache, self._workflow = plan, cache, workflow
        self._staleness = Staleness(plan, cache)

    def inputs(self, pattern: str, *names: str, sources: bool = False) -> Callable[[Wildcards], list[str]]:
        """Return the input function of a rule: for results or, with `sources`, for files of the package.

        pattern: the first output of the rule
        names: the inputs to return; by default all
        """

        def inputs(wildcards: Wildcards) -> list[str]:
            paths = self._result(pattern, wildcards).inputs
            every = (path for name in names or paths for path in paths.get(name, ()))
            return [path for path in every if path.startswith(RESULTS) != sources]

        return inputs

    def params(self, program: str, pattern: str) -> dict[str, Callable]:
        """Return the params of a rule: the shell command of a job and, for results on a storage, what made them.

        Snakemake compares the second with that of the job that made a result, since no record is here: so all code
        counts. It does not compare the command.

        program: a module of workflow/reproduce/jobs; pattern: as in `inputs`
        """
        start = launcher()

        def made_from(wildcards: Wildcards) -> str:
            result = self._result(pattern, wildcards)
            digests = {name: self._cache.digest(paths) for name, paths in result.inputs.items()}
            return json.dumps([result.spec, self._plan.codes.version, digests])

        def command(wildcards: Wildcards, input: InputFiles, output: OutputFiles) -> str:
            result, named = self._result(pattern, wildcards), _paths_by_name(output)
            unnamed = [path for path in output if [path] not in named.values()]
            files = {**_paths_by_name(input), "output": unnamed, **named}
            with workflow_errors():
                return command_line(start, program, result.spec, result.entry, files)

        compared = {"made_from": made_from} if self._cache.stored else {}
        return {"command": command, **compared}

    def gpus(self, wildcards: Wildcards) -> int:
        """Return the number of GPUs of a run."""
        return self._request(wildcards).gpus

    def megabytes(self, wildcards: Wildcards, input: InputFiles, attempt: int) -> int:
        """Return the memory that a job requests, more if it reads tables."""
        tables = [Path(path) for path in input.get("tables", ())]
        # Snakemake asks again before it starts the job; only then are there all tables.
        read = sum(path.stat().st_size for path in tables if path.is_file()) / 1e6
        return _megabytes(_MEGABYTES_OF_TABLES * read) * attempt

    def minutes(self, wildcards: Wildcards, attempt: int) -> int:
        """Return the time that a job requests; a bundle requests the sum."""
        bundled = hasattr(wildcards, "document") and self.bundle_of_drawing(wildcards)
        return (_MINUTES_IN_BUNDLE if bundled else _MINUTES) * attempt

    def megabytes_of_run(self, wildcards: Wildcards, attempt: int) -> int:
        """Return the memory that a run requests, with what its experiment declares for its size."""
        return _megabytes(self._request(wildcards).megabytes) * attempt

    def minutes_of_run(self, wildcards: Wildcards, attempt: int) -> int:
        """Return the time that a run requests, with what its experiment declares for its size."""
        least = _MINUTES_IN_BUNDLE if self.bundle_of_run(wildcards) else _MINUTES
        return round(least + self._request(wildcards).minutes) * attempt

    def partition_of_run(self) -> dict[str, Callable]:
        """Return the resource `slurm_partition` of runs; nothing if the site names no partition for GPUs.

        Snakemake's `--default-resources` name it: `gpu_partition` for a run on a GPU, otherwise `slurm_partition`.
        """
        named = self._workflow.resource_settings.default_resources or {}

        def partition(wildcards: Wildcards, input: InputFiles, attempt: int, threads: int) -> str | None:
            name = "gpu_partition" if self.gpus(wildcards) else "slurm_partition"
            if name not in named:
                return None
            # The value may be an expression.
            known = {"input": input, "attempt": attempt, "threads": threads}
            return named[name].evaluate(wildcards, rulename="train", async_run=self._workflow.async_run, **known).value

        return {"slurm_partition": partition} if "gpu_partition" in named else {}

    def priority(self, wildcards: Wildcards) -> int:
        """Return the priority of a run: 1 if it takes long, else 0. Long runs start first, so that none is last."""
        return int(self._request(wildcards).minutes >= 1)

    def bundle_of_run(self, wildcards: Wildcards) -> str | None:
        """Return the bundle of a run: that of its experiment, None for a run that takes long or needs a GPU."""
        # A GPU must not idle while other points of its bundle run.
        alone = self.gpus(wildcards) or self.priority(wildcards)
        return None if alone else self._bundle("points", wildcards["experiment"])

    def bundle_of_drawing(self, wildcards: Wildcards) -> str | None:
        """Return the bundle of a figure, a chart or a ledger: that of its document."""
        return self._bundle("drawings", wildcards["document"])

    def check_dataset(self, wildcards: Wildcards) -> None:
        """Raise UserError if a data set cannot be made on this machine."""
        self._plan.dataset_settings(wildcards["dataset"]).check()

    def every_result(self, wildcards: Wildcards) -> list[str]:
        """Return all results and their records, sorted."""
        return sorted({*self._plan.results, *map(record_of, self._plan.results)})

    def every_dataset(self, wildcards: Wildcards) -> list[str]:
        """Return all data sets."""
        return [path for path in self._plan.results if path.startswith("results/data/")]

    def final_results(self, wildcards: Wildcards) -> list[str]:
        """Return the results that a start without targets makes: all but the data sets, and with --batch also no runs.

        A deleted run is made again. Data sets are large, and are made only for a run that needs them. With --batch, the
        tables of the part need only its runs.
        """
        left_out = ("results/data/", "results/runs/") if self._workflow.dag_settings.batch else ("results/data/",)
        return [path for path in self._plan.results if not path.startswith(left_out)]

    def has_records(self, paths: Sequence[str]) -> bool:
        """Return whether the plan contains a job's files, and their records are here."""
        return bool(paths and self._at(paths[0])) and not self._cache.stored

    def differences(self, paths: Iterable[str]) -> "Differences":
        """Return in what the records of a job's files differ from what the job would record now."""
        found = {path: self._staleness.differences(path, result) for path in paths if (result := self._at(path))}
        return Differences({path: differences for path, differences in found.items() if differences})

    def digest(self, path: str) -> str:
        """Return the SHA-256 of a file."""
        return self._cache.digest([path])

    def is_current(self, path: str) -> bool:
        """Return whether a file of the plan is current; a record is if its result is."""
        result = self._at(path)
        return path.startswith(RECORDS) or bool(result and not self._staleness.reasons(path, result))

    def data_sets(self, outputs: Collection[str]) -> dict[str, str]:
        """Return the title of each data set that was made from no other one → what stands in for it, "" if nothing.

        outputs: the files of a start, which uses only some data sets of the config
        """
        made = {path: self._plan.results[path] for path in sorted(outputs) if path.startswith("results/data/")}
        first = [path for path, result in made.items() if not {*made} & {*chain(*result.inputs.values())}]
        records = {path: read_record(record_of(path)) for path in first}
        title = self._plan.package.title
        return {title(f"{SCIENCE}.data.{PurePath(path).stem}"): each.reduced for path, each in records.items() if each}

    @property
    def judged(self) -> list[str]:
        """The documents that have a ledger."""
        return [*self._plan.ledgers]

    @cached_property
    def pages(self) -> dict[str, str]:
        """Target → page: `report` for the page of all documents, a document's id for its own page."""
        return {"report": PAGE, **{PurePath(path).stem.removeprefix("report-"): path for path in self._plan.pages}}

    def find_named(self, name: str) -> list[str]:
        """Return the results that a name on the command line means: a path, or that of a folder, or raise UserError."""
        path = os.path.relpath(name)
        if self._at(path):
            return [path]
        every = (self._plan.results, self._plan.pages)
        below = [[each for each in results if each.startswith(f"{path}/")] for results in every]
        if any(below):
            return below[0] or below[1]
        # Benchmarks, and results of rules that a user added.
        rules = [rule for rule in self._workflow.rules if rule.name != "job"]
        if any(
            rule.is_producer(path) and ("benchmarks" in path or "command" not in dict(rule.params.items()))
            for rule in rules
        ):
            return [path]
        if "/" in name:
            raise UserError(self._fault_of(path))
        names = [rule.name for rule in rules]
        targets = ", ".join(rule.name for rule in rules if not rule.has_wildcards())
        raise UserError(
            f"{name!r} is neither a target nor a result{suggest(name, names)}; targets: {targets}; or "
            "give the path of a result, such as results/tables/EXPERIMENT.parquet"
        )

    def _request(self, wildcards: Wildcards) -> "_Request":
        return _request_of(self._result(RUN, wildcards).spec)

    def _bundle(self, kind: str, name: str) -> str | None:
        """Return the name of a bundle, KIND-NAME; None if the profile sets neither its size nor that of its kind."""
        sizes, bundle = self._workflow.group_settings.group_components, f"{kind}-{name}"
        if bundle not in sizes and kind not in sizes:
            return None
        # Snakemake finds sizes only by the names of bundles, so add the name with the size of its kind.
        sizes.setdefault(bundle, sizes.get(kind))
        return bundle

    def _at(self, path: str) -> Result | None:
        """Return the result at a path, None if the config plans none."""
        return self._plan.results.get(path) or self._plan.pages.get(path)

    def _result(self, pattern: str, wildcards: Wildcards) -> Result:
        path = pattern.format_map(vars(wildcards))
        with workflow_errors():
            if result := self._at(path):
                return result
            raise UserError(self._fault_of(path))

    def _fault_of(self, path: str) -> str:
        """Return why no job makes the file at a path."""
        if path.startswith(RUNS):
            return f"{path}: the config has no such point; add it to config.yaml first"
        known = [*self._plan.pages, *(each for each in self._plan.results if not each.startswith(RUNS))]
        beside = [each for each in known if PurePath(each).parent == PurePath(path).parent]
        return f"{path}: the config plans no such file{suggest(path, beside or known)}"


class Differences(dict[str, tuple[str, ...]]):
    """Path → in what its record differs, of the files that differ; as text, all of these words."""

    def __str__(self) -> str:
        words = (f"{word} ({record_of(path)})" if word == "damaged" else word for path in self for word in self[path])
        return ", ".join(dict.fromkeys(words))


class _Request(NamedTuple):
    """The GPUs of a run, and the memory and time that its experiment declares for its size."""

    gpus: int
    megabytes: float
    minutes: float


# Snakemake asks eleven times for each run.
@cache
def _request_of(spec: str) -> _Request:
    run = json.loads(spec)
    needs, gpus = needs_of(run), int(run.get("device") == "cuda")
    return _Request(gpus, 8e-6 * needs.numbers + _MEGABYTES_OF_CUDA * gpus, needs.minutes)


def _megabytes(own: float) -> int:
    """Return the MB that a job requests, in whole hundreds, since the start tests each different request."""
    return _MEGABYTES + 100 * round(own / 100)


def _paths_by_name(files: InputFiles | OutputFiles) -> dict[str, list[str]]:
    """Return name → paths for the files that have a name in the rule."""
    return {name: [paths] if isinstance(paths, str) else [*paths] for name, paths in files.items()}
