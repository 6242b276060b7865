"""Which slow tests run: those of every day, and those of a tier whose subject changed since all tests passed.

The file .ci/green holds that commit. The variable CI_TIERS overrides it: `all`, or what to run beside the everyday
tests, separated by commas. Tests that are named on the command line, or chosen by -m or -k, always run.
"""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterable
from contextlib import chdir
from pathlib import Path

import pytest

TIERS = ("cluster", "science", "nightly")
GREEN = ".ci/green"
_ROOT = Path(__file__).parents[1]
# The code that starts a job on Slurm, and its tests.
_CLUSTER = re.compile(
    r"(workflow/)?Snakefile|envs/|profiles/|workflow/(profiles|rules|deepnets/engine)/"
    r"|workflow/deepnets/(jobs/__main__|records/(atomic|job))\.py"
    r"|tests/(conftest\.py|tiny\.yaml|one_node_slurm\.py|workflow/test_(slurm|interruption|staleness)\.py)"
)
# Files that determine the runs at full size and their expected numbers, besides the code of the jobs.
_SCIENCE = re.compile(
    r"config\.yaml|workflow/deepnets/config/(plan|grids|points|seeds)\.py"
    r"|tests/(conftest|small_runs|experiments/test_(quoted_numbers|zero_init))\.py"
)


def chosen(root: Path) -> dict[str, str]:
    """Return why tests run, by the word that names them: a tier, or a job whose numbers they check.

    If git knows no such commit, cluster and science run.
    """
    try:
        commit = (root / GREEN).read_text().strip()
        paths = [
            *_git(root, "diff", "--no-renames", "--name-only", commit),
            *_git(root, "ls-files", "-o", "--exclude-standard"),
        ]
    except (OSError, subprocess.CalledProcessError):
        return dict.fromkeys(("cluster", "science"), f"{GREEN} names no commit that git knows")
    since = f"changed since {commit[:7]}"
    reasons = {}
    for tier, pattern in (("cluster", _CLUSTER), ("science", _SCIENCE)):
        if found := [path for path in paths if pattern.match(path)]:
            reasons[tier] = f"{', '.join(found[:3])} {since}"
    if "science" not in reasons and any(path.startswith(("workflow/", "envs/")) for path in paths):
        reasons |= dict.fromkeys(_stale_jobs(root, commit), f"code {since}")
    return reasons


def runs(words: Iterable[str], wanted: str) -> bool:
    """Return whether a test runs: words name its tier and the jobs that it checks, wanted is the value of CI_TIERS."""
    return wanted == "all" or not set(words).isdisjoint(wanted.split(","))


def _git(root: Path, *arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def _stale_jobs(root: Path, commit: str) -> list[str]:
    # Imported here because most runs of tests compare no code.
    from workflow.deepnets.code.modules import Package
    from workflow.deepnets.errors import UserError
    from workflow.deepnets.tools.changed import compare, unpack_commit

    with tempfile.TemporaryDirectory() as folder, chdir(root):
        try:
            return list(compare(unpack_commit(commit, Path(folder)), Package(root)))
        except UserError:
            return ["science"]


def pytest_configure(config: pytest.Config) -> None:
    """Choose once: the workers inherit the variable."""
    named = config.option.markexpr or config.option.keyword or config.args_source is config.ArgsSource.ARGS
    if "CI_TIERS" in os.environ:
        reasons = dict.fromkeys(os.environ["CI_TIERS"].split(","), "CI_TIERS")
    elif named:
        reasons = dict.fromkeys(TIERS, "asked for by name")
    else:
        reasons = chosen(_ROOT)
    os.environ["CI_TIERS"] = ",".join(reasons)
    config.stash[_REASONS] = reasons


_REASONS = pytest.StashKey[dict[str, str]]()


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Return which tiers run and why."""
    if config.option.markexpr or config.option.keyword:
        return []
    # Of jobs, those whose numbers some test checks.
    checked = re.compile(rf"({'|'.join(TIERS)}|all|whiten|train .*|judge .*)$")
    known = [f"{word} ({why})" for word, why in config.stash[_REASONS].items() if checked.match(word)]
    return [f"tiers: every day, {', '.join(known) or 'no other'}; CI_TIERS=all runs everything"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests of a tier that does not run."""
    marks = {item: [mark for tier in TIERS for mark in item.iter_markers(tier)] for item in items}
    left_out = [
        item
        for item, found in marks.items()
        if found and not runs([word for mark in found for word in (mark.name, *mark.args)], os.environ["CI_TIERS"])
    ]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in set(left_out)]
