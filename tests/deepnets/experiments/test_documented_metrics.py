import pytest

from default_tables import default_tables
from reproduce.code.modules import Package
from reproduce.config.metrics import metrics_of


@pytest.mark.parametrize("experiment", default_tables())
def test_the_dictionary_explains_every_metric(experiment):
    rows = metrics_of(Package(), experiment)
    explained = [row["metric"] for row in rows]
    assert len(explained) == len(set(explained))
    assert set(default_tables()[experiment].frame["metric"]) <= set(explained)
    assert [row for row in rows if not (row["recorded"] and row["meaning"])] == []
