import subprocess

from workflow.deepnets.config.commit import last_commit


def git(folder, *arguments):
    settings = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    return subprocess.run(["git", *settings, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def test_the_commit_is_the_last_one_that_could_change_a_result(tmp_path):
    assert last_commit(tmp_path) == ""
    git(tmp_path, "init", "-q")
    for name in ("config.yaml", "README.md"):
        (tmp_path / name).write_text("first")
        git(tmp_path, "add", name)
        git(tmp_path, "commit", "-q", "-m", name, "--date", "2026-01-02T00:00:00")
    first = git(tmp_path, "rev-parse", "HEAD~1").strip()
    assert last_commit(tmp_path).startswith(f"{first} of 20")
    (tmp_path / "config.yaml").write_text("not committed")
    assert last_commit(tmp_path).startswith(first)
