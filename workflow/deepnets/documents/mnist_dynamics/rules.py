import pandas as pd


def relative_differences(ours: pd.DataFrame, others: pd.DataFrame) -> pd.DataFrame:
    """Return, for each step and seed, the largest difference between two rules, divided by our largest value.

    ours, others: rows of one metric; each contains runs that differ only in the seed.
    Returns: steps × seeds; only the steps and seeds that both rules have.
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
