"""Select the slow tests that run: everyday tests, and tiers whose subject changed since all tests last passed.

The file .ci/green contains the last commit at which all passed. The variable CI_TIERS overrides it: `all`, or a list of
tiers and jobs separated by commas. Tests that are named on the command line, or selected by -m or -k, always run.
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
# The code that starts jobs on Slurm, and its tests.
_CLUSTER = re.compile(
    r"(workflow/)?Snakefile|envs/|profiles/|workflow/(profiles|rules|deepnets/engine)/"
    r"|workflow/deepnets/(jobs/__main__|records/(atomic|job))\.py"
    r"|tests/(conftest\.py|tiny\.yaml|one_node_slurm\.py|workflow/test_(slurm|interruption|staleness)\.py)"
)
# Files, besides the code of jobs, that determine the full-size runs and their expected numbers.
_SCIENCE = re.compile(
    r"config\.yaml|workflow/deepnets/config/(plan|grids|points|seeds)\.py"
    r"|tests/(conftest|small_runs|experiments/test_(quoted_numbers|zero_init))\.py"
)


def chosen(root: Path) -> dict[str, str]:
    """Return the reason why tests run, by tier or by job whose numbers they check.

    If git does not have the recorded commit, cluster and science run.
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
    """Return whether a test runs. words: its tier and the jobs that it checks; wanted: the value of CI_TIERS."""
    return wanted == "all" or not set(words).isdisjoint(wanted.split(","))


def _git(root: Path, *arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def _stale_jobs(root: Path, commit: str) -> list[str]:
    # Imported here because most test runs compare no code.
    from deepnets.code.modules import Package
    from deepnets.errors import UserError
    from deepnets.tools.changed import compare, unpack_commit

    with tempfile.TemporaryDirectory() as folder, chdir(root):
        try:
            return list(compare(unpack_commit(commit, Path(folder)), Package(root / "workflow")))
        except UserError:
            return ["science"]


def pytest_configure(config: pytest.Config) -> None:
    """Select tiers once: workers inherit the variable CI_TIERS."""
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
    # Only jobs whose numbers some test checks.
    checked = re.compile(rf"({'|'.join(TIERS)}|all|whiten|train .*|judge .*)$")
    known = [f"{word} ({why})" for word, why in config.stash[_REASONS].items() if checked.match(word)]
    return [f"tiers: every day, {', '.join(known) or 'no other'}; CI_TIERS=all runs everything"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests of tiers that do not run."""
    marks = {item: [mark for tier in TIERS for mark in item.iter_markers(tier)] for item in items}
    left_out = [
        item
        for item, found in marks.items()
        if found and not runs([word for mark in found for word in (mark.name, *mark.args)], os.environ["CI_TIERS"])
    ]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in set(left_out)]
