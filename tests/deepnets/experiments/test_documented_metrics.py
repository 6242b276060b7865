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


def test_each_part_of_a_line_has_its_column():
    rows = {row["metric"]: row for row in metrics_of(Package(), "mnist_modes")}
    assert list(rows["predicted_half_time"].values()) == [
        *("mnist_modes", "predicted_half_time", "mode", "updates", "at step 0"),
        "half time computed from the mode's initial vectors in this net, depth 2",
        "eq. 26",
    ]
    rows = {row["metric"]: row for row in metrics_of(Package(), "spectra")}
    assert rows["eigenvalue_imag"]["index"] == "size · net + i"
    assert rows["eigenvalue_imag"]["recorded"] == 'last layer, for "spectrum"'
