"""How far apart two update rules of document 001 are."""

import pandas as pd


def relative_differences(ours: pd.DataFrame, others: pd.DataFrame) -> pd.DataFrame:
    """Return the largest difference between equal seeds at each step, relative to our largest value; steps × seeds.

    ours, others: rows of one metric, of runs that differ in the seed only; steps and seeds that either lacks are left
    out.
    """
    both = pd.DataFrame(
        {
            name: rows.set_index(["step", "seed", "index"])["value"]
            for name, rows in (("ours", ours), ("others", others))
        }
    ).dropna()
    differences, sizes = (
        values.abs().groupby(["step", "seed"]).max() for values in (both["others"] - both["ours"], both["ours"])
    )
    return (differences / sizes).unstack("seed")
