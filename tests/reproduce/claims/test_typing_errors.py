import pytest

from deepnets.documents.arora_2019 import claims as module
from deepnets.documents.arora_2019.claims import SMALL_AND_FEW
from default_tables import FOLDER
from reproduce.claims.criteria import Every
from reproduce.claims.entries import Decisions
from reproduce.claims.measures import final
from reproduce.errors import UserError
from reproduce.jobs.job import Job
from reproduce.jobs.judge import main
from reproduce.tables.selection import Selection

NAME = "rank_falls_with_depth"
SPEC = '{"document": "arora-2019", "tables": ["matrix_completion"]}'
ENTRY = f"{module.__name__}:decisions"
METRIC = "'tests_loss' is no metric of matrix_completion, least_nuclear_norm (did you mean 'test_loss'?); allowed: "
TWO = Selection("matrix_completion", **{**SMALL_AND_FEW.wanted, "depth": 2})


def of_metric(metric, **runs):
    return final(TWO.but(**runs), metric)


@pytest.fixture
def judge(monkeypatch, tmp_path):
    """A function that judges one claim of arora-2019 by another measure of the default config's table."""

    def judge(measure):
        monkeypatch.setattr(module, "decisions", lambda: Decisions({NAME: (measure, Every())}))
        (tmp_path / "claims.md").write_text(f"# Toy\n## Here\n### {NAME} (bound)\nIt falls.\n- because: It must.")
        tables = [FOLDER / "matrix_completion.parquet"]
        job = Job(SPEC, ENTRY, tmp_path / "arora-2019.json")
        main(job, [tmp_path / "claims.md"], tables, tmp_path / "arora-2019.parquet")

    return judge


@pytest.mark.parametrize(
    ("measure", "told"),
    [
        (of_metric("tests_loss"), METRIC),
        (
            of_metric("test_loss", dephts=2),
            "'dephts' is no axis or setting of matrix_completion (did you mean 'depth'?); ",
        ),
        (
            final(Selection("matrix"), "test_loss") - of_metric("test_loss"),
            "'matrix' is no experiment in TABLES (did you mean 'matrix_completion'?); allowed: least_",
        ),
    ],
)
def test_the_error_for_a_wrong_name_contains_the_claim_and_what_is_allowed(judge, measure, told):
    with pytest.raises(UserError) as error:
        judge(measure)
    assert str(error.value).startswith(f"claim {NAME}: {told}")


def test_a_documented_metric_that_was_not_recorded_is_no_error(judge, tmp_path):
    judge(of_metric("diverged"))
    assert (tmp_path / "arora-2019.parquet").exists()
