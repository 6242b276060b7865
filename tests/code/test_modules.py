"""The rooms and modules that the refusals treat apart are those that there are."""

from conftest import ROOT

from workflow.deepnets.code.modules import ASIDE, ASKS_ENVIRONMENT, PACKAGE, PASSED, READERS, Package


def test_every_name_that_is_treated_apart_exists():
    paths = sorted((ROOT / "workflow/deepnets").rglob("*.py"))
    modules = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in paths]
    assert ASKS_ENVIRONMENT in modules
    for pattern, expected in (
        (READERS, {"jobs", "records", "config", "code", "errors", "data"}),
        (ASIDE, {"code", "jobs"}),
    ):
        found = {module.split(".")[2] for module in modules if pattern.match(module)}
        assert found == expected
    passed = ("errors:UserError", "records.datasets:Dataset", "records.measurements:Measurements")
    for name in passed:
        module, _, definition = f"{PACKAGE}.{name}".partition(":")
        assert PASSED.match(f"{module}:{definition}")
        assert Package().module(module).defined(definition)
