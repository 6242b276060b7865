"""A locale that is not UTF-8 changes neither what is planned nor what is made, and stops no program."""

import functools
import json
import os
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

from workflow.deepnets.records.provenance import sha256_of
from workflow.deepnets.records.tables import metadata_of, read_table

# What is said in UTF-8 is asked once for all.
pytestmark = pytest.mark.xdist_group("locale")

# Python itself turns to UTF-8 in the locale C, unless it is told not to.
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
PLANNED = """
import sys
from pathlib import Path
from workflow.deepnets.config.files import read
from workflow.deepnets.config.plan import Plan
for path, result in Plan(read([Path("tests/tiny.yaml")])).results.items():
    print(path, ascii(result))
"""


@pytest.fixture(params=["ascii", "latin-1"])
def locale(request, tmp_path):
    """The variables of a locale in which Python reads and writes texts in another encoding than UTF-8."""
    if request.param == "ascii":
        return ASCII
    if not shutil.which("localedef"):
        pytest.skip("localedef, which makes a locale of Latin-1, is not here")
    name = "en_US.ISO-8859-1"
    subprocess.run(["localedef", "-i", "en_US", "-f", "ISO-8859-1", tmp_path / name], check=True)
    return {"LC_ALL": name, "LOCPATH": str(tmp_path), "PYTHONUTF8": "0"}


def run(*arguments, locale):
    """What Python says, run on the sources in a locale."""
    variables = {**os.environ, **locale}
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, env=variables, capture_output=True)


@functools.cache
def run_in_utf8(*arguments):
    """What it says in UTF-8, to be compared with any other locale."""
    return run(*arguments, locale={"PYTHONUTF8": "1"})


def test_a_locale_is_what_it_says(locale):
    asked = "import locale; print(locale.getpreferredencoding(False))"
    assert run("-c", asked, locale=locale).stdout.decode().strip() in ("ANSI_X3.4-1968", "US-ASCII", "ISO-8859-1")


def test_plans_are_the_same(locale):
    there, here = run("-c", PLANNED, locale=locale), run_in_utf8("-c", PLANNED)
    assert there.returncode == 0, there.stderr
    assert there.stdout == here.stdout
    assert here.stdout.count(b"results/figures/") > 20


def test_a_spec_says_the_same_in_every_locale(config, planned):
    config["mnist"]["directory"] = "/data/Größe"
    spec = planned(config).data_spec("mnist")
    assert spec.isascii()
    assert json.loads(spec)["directory"] == "/data/Größe"


def test_a_job_makes_the_same_bytes(locale, default_plan, tmp_path):
    path = next(path for path in default_plan.points if "experiment=regression" in path)
    result = default_plan.results[path]
    made = []
    for variables in ({"PYTHONUTF8": "1"}, locale):
        output = tmp_path / f"{len(made)}.parquet"
        params = ("--spec", result.spec, "--code", result.code, "--output", output)
        done = run("-m", "workflow.deepnets.jobs", "train", *params, locale=variables)
        assert done.returncode == 0, done.stderr
        made.append(output)
    assert metadata_of(read_table(made[0]))["spec"] == result.spec
    assert sha256_of(made[0]) == sha256_of(made[1])


@pytest.mark.parametrize("tool", ["schema", "reached workflow.deepnets.experiments.classifier.run:run"])
def test_a_tool_says_the_same(locale, tool):
    program = ("-m", *f"workflow.deepnets.tools.{tool}".split())
    there, here = run(*program, locale=locale), run_in_utf8(*program)
    assert (there.returncode, there.stderr) == (0, b"")
    assert there.stdout == here.stdout


def test_letters_that_a_locale_lacks_stop_no_program(locale):
    program = "from workflow.deepnets.errors import exit_plainly; exit_plainly(lambda: print('\\u0394'))"
    done = run("-c", program, locale=locale)
    assert (done.returncode, done.stdout) == (0, b"\\u0394\n")


@pytest.mark.parametrize(
    "pattern", ["Snakefile", "workflow/Snakefile", "workflow/rules/*", "*.yaml", "configs/*", "**/profile.yaml"]
)
def test_what_snakemake_reads_in_the_locale_is_ascii(pattern):
    # It reads profiles so, and for a report the config.
    paths = [path for path in ROOT.glob(pattern) if ".venv" not in path.parts]
    assert paths
    assert not [path for path in paths if not path.read_bytes().isascii()]
