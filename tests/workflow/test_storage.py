"""Results may lie on a storage of Snakemake; here it is another folder."""

import os
import sys
import tarfile
from pathlib import Path

import pytest

# Snakemake's plugin for folders calls rsync, which few machines have: copy its last argument but one to the last.
RSYNC = '#!/bin/sh\nshift $(($# - 2))\nexec cp -pL "$1" "$2"\n'
SHARED = ("persistence", "software-deployment", "sources", "source-cache", "storage-local-copies")


@pytest.mark.slow
def test_results_may_lie_on_a_storage(smallest_project, tmp_path_factory):
    project, storage = smallest_project, tmp_path_factory.mktemp("s")
    rsync = project.folder / "bin/rsync"
    rsync.parent.mkdir()
    rsync.write_text(RSYNC)
    rsync.chmod(0o755)
    paths = os.pathsep.join([str(rsync.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    options = ["--default-storage-provider", "fs", "--default-storage-prefix", str(storage)]
    options += ["--shared-fs-usage", *SHARED]
    done = project.snakemake("archive", *options, PATH=paths)
    assert done.returncode == 0, done.stderr
    results = project.folder / "results"
    assert not results.exists()
    with tarfile.open(storage / "results/archive.tar.gz") as archive:
        assert "results/figures/001-mnist-dynamics/loss_and_accuracy.pdf" in archive.getnames()
        assert archive.extractfile("results/report.html").read() == (storage / "results/report.html").read_bytes()
    # Files in the folder of local results do not count.
    for path in storage.glob("results/tables/*"):
        (results / "tables").mkdir(parents=True)
        (results / "tables" / path.name).write_text("another")
    assert "Nothing to be done" in project.snakemake("archive", *options, PATH=paths).stderr
