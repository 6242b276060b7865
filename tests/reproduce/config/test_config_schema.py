from config_schema import SCHEMA
from reproduce.config.check import axis_types


def test_the_schema_is_closed_and_describes_every_key():
    models = [part for part in SCHEMA["$defs"].values() if part["type"] == "object"]
    assert len(models) > 20 and all(model["additionalProperties"] is False for model in models)
    keys = [(name, part) for model in models for name, part in model["properties"].items()]
    assert [name for name, part in keys if not {"description", "$ref"} & part.keys()] == []


def test_axes_in_the_schema_have_the_type_of_one_value():
    types = {"depth": "integer", "init": "string", "seed": "integer"}
    assert axis_types("regression") == types
    types |= {"block": "string"} | dict.fromkeys(("data_seed", "rank", "class_rank"), "integer")
    assert axis_types("classifier") == types | dict.fromkeys(("learning_rate", "scale", "target_loss"), "number")
