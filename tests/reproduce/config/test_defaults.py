import pytest
from snakemake.utils import update_config

from reproduce.config.check import resolve
from reproduce.errors import UserError


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ({"axes": {"scale": 0}}, "axes.scale: 0: "),
        ({"axes": {"rnk": 0}}, "axes.rnk: is not a known key (did you mean 'rank'?)"),
        ({"record_evry": 1}, "record_evry: is not a known key (did you mean 'record_every'?)"),
    ],
)
def test_a_fault_of_the_defaults_is_reported_once(config, written, place):
    update_config(config["experiments"]["classifier"]["defaults"], written)
    with pytest.raises(UserError) as error:
        resolve(config)
    (line,) = str(error.value).splitlines()
    assert line.startswith(f"config: experiments.classifier.defaults.{place}")


def test_a_contradiction_to_a_default_is_reported(config, planned):
    config["experiments"]["hierarchy"]["defaults"]["data"]["illusory_item"] = 7
    with pytest.raises(UserError, match=r"hierarchy\.grids\.plain: data has only illusory_item; allowed: "):
        planned(config)


def test_a_grid_overrides_defaults_key_by_key(config):
    block = config["experiments"]["classifier"]
    block["defaults"] |= {"replay": {"depths": [3, 1], "repetitions": 7}, "record_every": 5}
    block["grids"] = {
        "a": {"axes": {"block": "a", "depth": 1, "learning_rate": 1, "seeds": [4]}, "replay": {"repetitions": 2}},
        "b": {"axes": {"block": "b", "depth": 1, "learning_rate": [1, 2]}, "record_every": 9},
        "linear": None,
    }
    resolved = resolve(config)["classifier"]
    assert "defaults" not in resolved
    one, other = resolved["grids"]["a"], resolved["grids"]["b"]
    assert resolved["grids"].keys() == {"a", "b"}
    assert (one["replay"], one["record_every"]) == ({"depths": [3, 1], "repetitions": 2}, 5)
    assert (other["replay"], other["record_every"]) == ({"depths": [3, 1], "repetitions": 7}, 9)
    assert one["axes"] == {**block["defaults"]["axes"], "block": "a", "depth": 1, "learning_rate": 1, "seeds": [4]}
    assert other["axes"]["seeds"] == block["defaults"]["axes"]["seeds"]


def test_writing_defaults_into_the_grids_changes_no_spec(config, default_plan, planned):
    config["experiments"] = resolve(config)
    assert planned(config).points == default_plan.points


def test_only_drops_all_other_experiments_and_changes_no_spec(config, default_plan, planned):
    some = planned(config | {"only": "mnist_modes,regression"})
    # In the order of their blocks, however `only` lists them.
    assert some.experiments == ["regression", "mnist_modes"]
    asked = {path: point for path, point in default_plan.points.items() if point.axes["experiment"] in some.experiments}
    assert some.points == asked
    assert all(some.table_spec(experiment) == default_plan.table_spec(experiment) for experiment in some.experiments)
    assert {document for document, _ in some.figures} == {"003-hierarchy", "saxe-2013"}


def test_only_names_experiments_that_have_a_block(config):
    config["experiments"]["classifier"] = None
    with pytest.raises(UserError, match=r"^config: only: 'classifier' has no block below experiments; allowed: mnist_"):
        resolve(config | {"only": ["regression", "classifier"]})
