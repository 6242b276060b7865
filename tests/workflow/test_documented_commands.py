"""Every shell command in the documents runs as it is written, each in a fresh copy of the tree."""

import fnmatch
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from filelock import FileLock

from conftest import HANGS, NIGHTLY, ROOT, sources
from reproduce.config import files

# The tiers of commands; any other tier says why they cannot run here, or which test runs them (FILE::TEST).
FAST, SLOW, NIGHT = "fast", "slow", "nightly"
# CI's file contains these commands as they are written.
CI = ".ci/run"
CLUSTER = "tests/workflow/test_slurm.py::test_"
SMALL_ARCHIVE = "tests/workflow/test_archive.py::test_the_page_is_current_after_unpacking_the_small_archive"
# Placeholder of the documents → the value that the test writes in its place.
WORDS = {
    **{"FOLDER": ".", "OTHER": ".", "A": ".", "B": ".", "NAME": "own_document", "ID": "own-document"},
    "FILE": "results/tables/regression.parquet",
}
# Programs of others, of which a stand-in prints how it was called. sbatch also runs the command that it gets.
STAND_INS = {"sbatch": 'while [ "$1" != --wrap ]; do shift; done; bash -c "$2"'}
if CHROMIUM := shutil.which("chromium"):
    # Root also needs the option that CONTRIBUTING.md names.
    STAND_INS["chromium"] = f'exec {CHROMIUM} {"--no-sandbox" if os.geteuid() == 0 else ""} "$@"'
# Before a command: an environment of its own that sees all packages, so that pip changes no other.
OWN_PACKAGES = f"""\
python3 -m venv .venv && . .venv/bin/activate
packages=$(python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
echo "import site; site.addsitedir('{sysconfig.get_path("purelib")}')" > $packages/seen.pth"""


@dataclass(frozen=True)
class Known:
    """Commands that follow each other in a document.

    commands: a pattern of each command, with * as in a shell.
    tier: how often they run, or why they do not.
    results: whether the copy of the tree contains all results of its config. This config is tests/tiny.yaml, and at
        night the default config.
    before: shell commands that run first.
    prints: a pattern in the output, where the exit status says little.
    makes: a file that the commands make.
    """

    commands: tuple[str, ...]
    tier: str
    results: bool = False
    before: str = "true"
    prints: str = ""
    makes: str = "Snakefile"


def known(tier: str, *commands: str, **options: Any) -> Known:
    return Known(commands, tier, **options)


with_results = partial(known, results=True)


KNOWN = [
    # README.md
    # The fixture has run it in a fresh copy.
    with_results(NIGHT, "python3 -m venv .venv && * && snakemake --cores 8", prints="Nothing to be done"),
    known(CI, "python3 -m venv .venv && * && pytest"),
    known("it needs PyTorch's own index", "python3 -m venv .venv && * --torch-backend cpu *"),
    # CONTRIBUTING.md
    known(
        NIGHT, "*.new document my_document", "snakemake --cores 8 my-document", makes="results/report-my-document.html"
    ),
    known(CI, 'pytest -m "not slow"'),
    known(CI, "pytest"),
    known("it would start itself", "CI_TIERS=all pytest"),
    known("it takes hours, and starts these tests", "python tools/mutants"),
    with_results(NIGHT, "python tools/record.py"),
    known("it takes hours, and repeats other tests", "pytest tools/soak.py"),
    known(CI, "ruff check *"),
    known(CI, "zizmor *"),
    known(CI, "reuse *"),
    with_results(SLOW, "*.verdicts --record"),
    with_results(SLOW, "chromium *", before="rm workflow/report/page.png", makes="workflow/report/page.png"),
    known(
        NIGHT, "python3 -m venv .cff && *", ".cff/bin/cffconvert *", before="rm codemeta.json", makes="codemeta.json"
    ),
    # docs/adding.md
    known(
        NIGHT, "*.new document NAME", "snakemake * ID", "* --quiet rules", "pytest *", "rm -rf *", prints=r"\d passed"
    ),
    known(
        *(NIGHT, "snakemake * ID", "python tools/record.py ID", "pytest -k *"),
        **{
            "before": "git init -q && git add . && python -m reproduce.tools.new document own_document",
            "prints": r"\d passed",
        },
    ),
    # docs/claims.md
    with_results(NIGHT, "snakemake --cores 8 verdicts", prints="verdicts, all as recorded"),
    # docs/running.md. test_whole_plans.py plans the default config and all of configs/.
    with_results(SLOW, "snakemake --cores 8 --config *"),
    known(
        *(SLOW, "snakemake --cores 8 --directory ../study *"),
        before="mkdir ../study; echo 'only: [regression]' > ../study/study.yaml",
        makes="../study/results/claims.md",
    ),
    known(NIGHT, "snakemake --cores 8 --configfile tests/tiny.yaml", makes="results/report.html"),
    known("it computes for hours on a GPU", "snakemake * --configfile configs/paper_size.yaml"),
    known("it computes for 20 minutes", "snakemake * --configfile configs/paper_size_cpu.yaml"),
    with_results(SLOW, "snakemake * results/figures/000-classifier/*", prints="Nothing to be done"),
    with_results(SLOW, "snakemake --cores 8 000-classifier", makes="results/report-000-classifier.html"),
    with_results(SLOW, "snakemake * --force FILE", prints="launch.py aggregate"),
    known(
        "tests/workflow/test_workflow.py::test_notebooks_become_pages_on_request",
        *("pip install -r envs/requirements-notebook.txt", "snakemake --cores 8 notebooks"),
    ),
    known("the tests at night include it", "CI_TIERS=all pytest *test_peers.py"),
    with_results(NIGHT, "pip install -r envs/requirements-rich.txt", "snakemake * --logger rich", before=OWN_PACKAGES),
    with_results(
        *(SLOW, "snakemake * --forcerun $(*)"),
        **{"before": "rm results/tables/regression.parquet", "makes": "results/tables/regression.parquet"},
    ),
    known(SMALL_ARCHIVE, "tar *"),
    known("it needs an account at Zenodo", "curl *"),
    with_results(SLOW, "diff * A/results B/results", prints="^$"),
    known("it needs Docker, and fetches an image", "docker build *"),
    known("it needs a bucket; test_workflow.py uses a folder instead", "pip install *-s3", "snakemake * s3://BUCKET *"),
    # docs/running.md and workflow/profiles/slurm/README.md
    known(
        f"{CLUSTER}the_whole_tiny_config_gives_the_bytes_of_a_local_run_despite_failed_jobs",
        *("snakemake * --until data", "snakemake --workflow-profile *"),
    ),
    known(f"{CLUSTER}orphans_of_a_killed_workflow_damage_no_result", "squeue *", "snakemake --unlock"),
    with_results(SLOW, "snakemake * --until data", "sbatch *"),
    # docs/staleness.md. test_staleness.py tries the first command with stale results.
    with_results(SLOW, "*.why *", prints="classifier.parquet is current"),
    with_results(SLOW, "snakemake * --summary", "*.audit", prints=r"(?m)^\d+ current$"),
]


def shell_blocks() -> Iterator[tuple[str, list[str]]]:
    """Yield PAGE:LINE and the commands of each fenced block; a command may go on after a backslash."""
    for page in fnmatch.filter(sources(), "*.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        for found in re.finditer(r"^( *)(```|~~~)(\w*)\n(.*?)^\1\2$", text, re.MULTILINE | re.DOTALL):
            if found[3] in ("python", "yaml", "markdown", "text"):
                continue
            lines = found[4].replace("\\\n", " ").splitlines()
            commands = [re.sub(r"\s+#.*|(?<=\s)\s+", "", line).strip() for line in lines]
            yield f"{page}:{text[: found.start()].count(chr(10)) + 1}", [each for each in commands if each]


def split_block(commands: list[str]) -> Iterator[tuple[tuple[str, ...], Known | None]]:
    """Yield consecutive commands with what is known of them, the longest sequence first."""
    while commands:
        fitting = [each for each in KNOWN if _begins(commands, each.commands)]
        best = max(fitting, key=lambda each: (len(each.commands), len("".join(each.commands))), default=None)
        count = len(best.commands) if best else 1
        yield tuple(commands[:count]), best
        commands = commands[count:]


def _begins(commands: list[str], patterns: tuple[str, ...]) -> bool:
    return len(commands) >= len(patterns) and all(map(fnmatch.fnmatchcase, commands, patterns))


DOCUMENTED = [(place, commands, each) for place, block in shell_blocks() for commands, each in split_block(block)]
IN_CI = {line.strip().removesuffix(" || exit 1") for line in (ROOT / CI).read_text(encoding="utf-8").splitlines()}


def test_every_command_has_a_mark_and_every_mark_a_command():
    unknown = [f"{place}: {commands[0]}" for place, commands, each in DOCUMENTED if each is None]
    assert not unknown, f"add these to KNOWN, with the tier in which they run or the reason why they do not: {unknown}"
    used = [each for _, _, each in DOCUMENTED]
    assert [each.commands for each in KNOWN if each not in used] == []


def test_commands_that_run_elsewhere_are_there():
    for _, commands, each in DOCUMENTED:
        file, _, test = each.tier.partition("::")
        if each.tier == CI:
            assert any(f"&& {line}".endswith(f"&& {commands[0]}") for line in IN_CI), commands
        elif test:
            assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def tree_with_results(shared_folder, request):
    """A copy of the tree with all results of its config: the tiny config, and at night the default config."""
    folder, log = shared_folder / "documented", shared_folder / "documented.log"
    with FileLock(shared_folder / "documented.lock"):
        if not folder.exists() and NIGHTLY:
            copy_sources(folder)
            (first,) = (commands for _, commands, _ in DOCUMENTED if commands[0].endswith("&& snakemake --cores 8"))
            log.write_text(str(run_in(folder, *first)), encoding="utf-8")
            # Gigabytes, which each copy would contain.
            shutil.rmtree(folder / ".venv", ignore_errors=True)
        elif not folder.exists():
            # This run draws few figures, so its own sources stay.
            request.getfixturevalue("finished").copy(folder)
            copy_sources(folder)
            text = yaml.safe_dump(files.read([Path("tests/tiny.yaml")]), sort_keys=False)
            (folder / "config.yaml").write_text(text, encoding="utf-8")
    assert (folder / "results/report.html").exists(), log.read_text(encoding="utf-8")
    return folder


def copy_sources(folder: Path) -> None:
    for path in sources("--cached", "--others", "--exclude-standard"):
        copy = folder / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        if not os.path.lexists(copy):
            shutil.copy2(ROOT / path, copy, follow_symlinks=False)


def run_in(folder: Path, *commands: str) -> subprocess.CompletedProcess:
    programs = folder / "stand_ins"
    programs.mkdir(exist_ok=True)
    for name, text in STAND_INS.items():
        (programs / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    variables = {
        **os.environ,
        "PATH": os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": str(folder / "workflow"),
        # For git, as any user has them.
        **{f"GIT_{role}_{what}": "t@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    script = ["bash", "-e", "-c", "\n".join(commands)]
    return subprocess.run(script, cwd=folder, env=variables, capture_output=True, text=True, timeout=HANGS)


def parameters() -> Iterator:
    """Yield the commands that run here, once each, as parameters of a test."""
    marks = {FAST: [], SLOW: [pytest.mark.slow], NIGHT: [pytest.mark.slow, pytest.mark.nightly]}
    for place, commands, each in DOCUMENTED:
        if each and each.tier in marks:
            yield pytest.param(commands, each, marks=marks[each.tier], id=f"{place}-{commands[0][:60]}")


@pytest.mark.parametrize(("commands", "mark"), [*parameters()])
def test_a_documented_command_runs_as_it_is_written(commands, mark, tmp_path, request):
    if commands[0].startswith("chromium") and not CHROMIUM:
        pytest.skip("chromium is not installed")
    if mark.results:
        shutil.copytree(request.getfixturevalue("tree_with_results"), tmp_path, dirs_exist_ok=True, symlinks=True)
    else:
        copy_sources(tmp_path)
    words = re.compile(rf"\b({'|'.join(WORDS)})\b")
    written = [words.sub(lambda found: WORDS[found[0]], each) for each in commands]
    done = run_in(tmp_path, mark.before, *written)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(mark.prints, done.stdout + done.stderr), done.stdout + done.stderr
    assert (tmp_path / mark.makes).exists()
