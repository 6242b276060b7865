"""Modules from elsewhere are refused wherever the path of modules names them, and old bytecode is no source."""

import sys
from importlib import import_module
from importlib.util import cache_from_source
from pathlib import Path
from py_compile import PycInvalidationMode, compile

import pytest

from reproduce.errors import UserError
from reproduce.jobs import isolation
from reproduce.jobs.job import Job
from reproduce.records.files import name_of, sha256_of


@pytest.fixture(params=[True, False])
def load(request, tmp_path, monkeypatch):
    """A function that imports a module from a folder, which was on the path of modules or which the job adds."""

    def run(name):
        path = [*sys.path, str(tmp_path)]
        monkeypatch.setattr(sys, "path", path if request.param else path[:-1])
        isolation._known.cache_clear()
        # Only code that reads sources of data may open files elsewhere. Modules are no data.
        with isolation._watched(job := Job("{}", "os:getcwd", Path()), strict=False):
            sys.path = path
            module = import_module(name)
        del sys.modules[name]
        return module, job.opened

    yield run
    isolation._known.cache_clear()


@pytest.mark.parametrize("kind", ["source", "bytecode"])
def test_a_module_from_elsewhere_is_refused_with_the_place_for_it(load, tmp_path, kind):
    (source := tmp_path / f"{kind}_elsewhere.py").write_text("A = 1")
    if kind == "bytecode":
        compile(source, source.with_suffix(".pyc"))
        source.unlink()
    with pytest.raises(UserError, match=f"opens {tmp_path}.*; put the file beside this code, or install it without -e"):
        load(source.stem)


def test_a_module_of_the_repository_is_a_file_that_the_job_opens_and_its_bytecode_is_not_read(
    load, tmp_path, monkeypatch
):
    monkeypatch.setattr(isolation, "REPOSITORY", tmp_path)
    source = tmp_path / "of_repository.py"
    source.write_text("A = 1")
    compile(source, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
    source.write_text("A = 2")
    module, opened = load(source.stem)
    assert module.A == 2 and opened[name_of(str(source))] == sha256_of(source)
    assert name_of(cache_from_source(str(source))) not in opened
