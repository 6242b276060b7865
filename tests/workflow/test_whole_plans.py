import re
import subprocess
import sys

import pytest

from conftest import ROOT

CONFIGS = [(), *((str(path.relative_to(ROOT)),) for path in [*ROOT.glob("configs/*.yaml"), ROOT / "tests/tiny.yaml"])]


def count_jobs(config, *options):
    """Return rule → number of jobs that a dry run announces. All plans share the cached fingerprints."""
    command = [sys.executable, "-m", "snakemake", "--dry-run", *options, *(["--configfile", *config] if config else [])]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return dict(re.findall(r"^(\w+) +(\d+)\b", done.stdout + done.stderr, re.MULTILINE))


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config[0] if config else "default")
def test_a_whole_config_is_planned_here_and_for_a_cluster(config):
    # Without a GPU, only the start of a run is refused.
    counts = count_jobs(config, "--cores", "8")
    assert counts["page"] == "1" and int(counts["train"]) > 70
    # In bundles: a document and an experiment may share a name.
    assert count_jobs(config, "--workflow-profile", "workflow/profiles/slurm") == counts
