"""In a locale other than UTF-8, results and outputs of programs are the same."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from conftest import ROOT
from deepnets.records.provenance import sha256_of
from deepnets.records.tables import metadata_of, read_table


@pytest.fixture(scope="module")
def locale(tmp_path_factory):
    """Environment variables that make Python read and write texts in Latin-1, which decodes all bytes of UTF-8."""
    if not shutil.which("localedef"):
        pytest.skip("localedef, which makes a locale with Latin-1, is not installed")
    folder, name = tmp_path_factory.mktemp("locale"), "en_US.ISO-8859-1"
    subprocess.run(["localedef", "-i", "en_US", "-f", "ISO-8859-1", folder / name], check=True)
    return {"LC_ALL": name, "LOCPATH": str(folder), "PYTHONUTF8": "0"}


def run_python(*arguments, locale):
    """Run Python in the repository and in a locale; return the finished process."""
    variables = {**os.environ, **locale}
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, env=variables, capture_output=True)


def test_python_uses_the_encoding_of_the_locale(locale):
    program = "import locale; print(locale.getpreferredencoding(False))"
    assert run_python("-c", program, locale=locale).stdout == b"ISO-8859-1\n"


def test_what_tools_print_is_the_same(locale):
    program = ("-m", "deepnets.tools.schema")
    in_locale, in_utf8 = (run_python(*program, locale=variables) for variables in (locale, {"PYTHONUTF8": "1"}))
    assert (in_locale.returncode, in_locale.stderr) == (0, b"")
    assert in_locale.stdout == in_utf8.stdout
    assert len(in_utf8.stdout) > 5000


def test_a_spec_is_ascii(config, planned):
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
        done = run_python("-m", "deepnets.jobs", "train", *params, locale=variables)
        assert done.returncode == 0, done.stderr
        made.append(output)
    assert metadata_of(read_table(made[0]))["spec"] == result.spec
    assert sha256_of(made[0]) == sha256_of(made[1])


def test_characters_that_a_locale_lacks_are_printed_as_escapes(locale):
    program = "from deepnets.errors import exit_plainly; exit_plainly(lambda: print('\\u0394'))"
    done = run_python("-c", program, locale=locale)
    assert (done.returncode, done.stdout) == (0, b"\\u0394\n")


@pytest.mark.parametrize(
    "pattern", ["Snakefile", "workflow/Snakefile", "workflow/rules/*", "*.yaml", "configs/*", "**/profile.yaml"]
)
def test_files_that_snakemake_reads_in_the_locale_are_ascii(pattern):
    # Snakemake reads profiles in the locale's encoding, and for a report also the config.
    paths = [path for path in ROOT.glob(pattern) if ".venv" not in path.parts]
    assert paths
    assert not [path for path in paths if not path.read_bytes().isascii()]
