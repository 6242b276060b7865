import re
import subprocess
import sys

import pytest

from conftest import ROOT, count_jobs

CONFIGS = [(), *((str(path.relative_to(ROOT)),) for path in [*ROOT.glob("configs/*.yaml"), ROOT / "tests/tiny.yaml"])]


def plan(config, *options):
    """Return the jobs that a dry run announces. All plans share the cached fingerprints."""
    command = [sys.executable, "-m", "snakemake", "--dry-run", *options, *(["--configfile", *config] if config else [])]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return count_jobs(done.stdout + done.stderr)


# Plans of the largest config take longer than fast tests may.
@pytest.mark.slow
@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config[0] if config else "default")
def test_a_whole_config_is_planned_and_the_default_one_also_for_a_cluster(config):
    # Without a GPU, only the start of a run is refused.
    counts = plan(config, "--cores", "8")
    assert counts["page"] == 1 and counts["train"] > 70
    if not config:
        (jobs,) = re.findall("the (.+) or so jobs of", (ROOT / "README.md").read_text(encoding="utf-8"))
        assert sum(counts.values()) == pytest.approx(int(jobs.replace(",", "")), rel=0.05)
        # In bundles: a document and an experiment may share a name.
        assert plan(config, "--workflow-profile", "workflow/profiles/slurm") == counts
