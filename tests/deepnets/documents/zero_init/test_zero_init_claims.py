import pytest

from deepnets.documents.zero_init.claims import _least_share_of_full_rank
from evidence import table
from reproduce.tables.selection import Selection
from reproduce.tables.table import Table


def test_the_least_share_of_full_rank_is_computed_for_each_run():
    ends = [(1024, 1000, 1), (1024, 1024, 101), (2048, 2048, 1)]
    nets = [({"width": width, "seed": seed}, {"rank": {(0, 0): width, (901, 0): rank}}) for width, rank, seed in ends]
    runs = {"zero_init": Table.by_hand(table(nets))}
    share = _least_share_of_full_rank(Selection("zero_init", width=[1024, 2048]))
    assert share(runs) == pytest.approx([1000 / 1024, 1, 1])
