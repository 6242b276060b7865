"""The rooms and modules that the refusals treat apart are those that there are."""

from conftest import ROOT

from workflow.deepnets.code.modules import (
    ASIDE,
    CALLS_BY_NAME,
    PACKAGE,
    PASSED,
    READERS,
    STEERS_IMPORTS,
    USES_ENVIRONMENT,
    Package,
)


def test_every_name_that_is_treated_apart_exists():
    paths = sorted((ROOT / "workflow/deepnets").rglob("*.py"))
    modules = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in paths]
    assert CALLS_BY_NAME in modules
    assert Package().path_of(STEERS_IMPORTS) == ROOT / "workflow/__init__.py"
    assert [module.removeprefix(f"{PACKAGE}.") for module in modules if USES_ENVIRONMENT.match(module)] == [
        "data.sources",
        "jobs.__main__",
    ]
    for name in ("_tell", "tell_cost"):
        assert Package().module(f"{PACKAGE}.jobs._cost").defined(name)
        assert ASIDE.match(f"{PACKAGE}.jobs._cost:{name}")
    rooms = {module.split(".")[2] for module in modules if READERS.match(module)}
    assert rooms == {"jobs", "records", "config", "code", "errors", "data"}
    passed = ("errors:UserError", "records.datasets:Dataset", "records.measurements:Measurements")
    for name in passed:
        module, _, definition = f"{PACKAGE}.{name}".partition(":")
        assert PASSED.match(f"{module}:{definition}")
        assert Package().module(module).defined(definition)
