"""A name in a claim that no config can contain stops the job that judges; the error lists what is allowed."""

from dataclasses import replace

import pytest

from deepnets.claims.criteria import Every
from deepnets.claims.old_measures import difference, final, setting
from deepnets.claims.section import combine_parts
from deepnets.documents.arora_2019.claims import ledger as module
from deepnets.documents.arora_2019.runs import SMALL_AND_FEW
from deepnets.errors import UserError
from deepnets.jobs.judge import main
from deepnets.records.job import Job
from default_tables import FOLDER, claims_of

MATRICES = "matrix_completion"
SPEC = '{"document": "arora-2019", "tables": ["matrix_completion"]}'
CODE = f"{module.__name__}:ledger@0"


def of_metric(metric, **runs):
    return final(MATRICES, metric, **SMALL_AND_FEW, depth=2, **runs)


PARTS, _ = combine_parts({"one": (of_metric("tests_loss"), Every()), "other": (of_metric("test_loss"), Every())})


@pytest.fixture
def judged(monkeypatch, tmp_path):
    """A function that judges one claim of arora-2019 with replaced parts by the default config's table."""
    claim = next(each for each in claims_of("arora-2019") if each.name == "rank_falls_with_depth")

    def judge(**parts):
        monkeypatch.setattr(module, "ledger", lambda: [replace(claim, **parts)])
        main(Job(SPEC, CODE), [FOLDER / f"{MATRICES}.parquet"], tmp_path / "arora-2019.parquet")

    return judge


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ({"figure": "completion_by_scales"}, "no figure is called 'completion_by_scales'; allowed: completion_by_"),
        ({"measure": of_metric("tests_loss")}, "no docstring of `run` lists the metric 'tests_loss'; recorded were "),
        ({"measure": PARTS}, "no docstring of `run` lists the metric 'tests_loss'; recorded were "),
        (
            {"measure": of_metric("test_loss", dephts=2)},
            "matrix_completion has no axis or setting 'dephts'; allowed: bl",
        ),
        ({"measure": setting(MATRICES, "rat")}, "matrix_completion has no axis or setting 'rat'; allowed: block, de"),
        (
            {"measure": setting(MATRICES, "rank", dephts=2)},
            "matrix_completion has no axis or setting 'dephts'; allowed",
        ),
        (
            {"measure": difference(final("matrix", "test_loss"), of_metric("test_loss"))},
            "TABLES does not contain 'matrix'; it contains matrix_completion",
        ),
    ],
)
def test_the_error_for_a_wrong_name_contains_the_claim_and_what_is_allowed(judged, parts, told):
    with pytest.raises(UserError) as error:
        judged(**parts)
    assert str(error.value).startswith(f"claim rank_falls_with_depth: {told}")


def test_a_documented_metric_that_was_not_recorded_is_no_error(judged, tmp_path):
    judged(measure=of_metric("diverged"))
    assert (tmp_path / "arora-2019.parquet").exists()
