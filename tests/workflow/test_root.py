"""Git tracks only sources: a fixed list of names at the root, and no large file."""

import subprocess

from conftest import ROOT

AT_ROOT = (
    ".ci .github .gitignore .snakemake-workflow-catalog.yml CHANGELOG.md CITATION.cff CONTRIBUTING.md LICENSE "
    "README.md Snakefile codemeta.json config.yaml configs docs envs notebooks profiles pyproject.toml results tests "
    "tools workflow"
)
# Files of more than 500 kB.
LARGE = ["workflow/deepnets/data/mnist-subset-idx3-ubyte.gz"]


def test_git_tracks_a_fixed_list_of_names_and_few_large_files():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert sorted({name.partition("/")[0] for name in listed}) == AT_ROOT.split()
    sizes = {name: (ROOT / name).stat().st_size for name in listed if (ROOT / name).exists()}
    assert [name for name, size in sizes.items() if size > 500_000] == LARGE
