# %% [markdown]
# # Your own claim
# A claim is a statement, a measure (a number of each run) and a criterion. We claim: *the first mode is learned within
# 100 updates.*

# %%
import deepnets
from deepnets.documents.hierarchy.runs import MAIN
from reproduce import api

# %% [markdown]
# `MAIN` selects the runs that document 003 describes. The measure gets all rows of these runs, and returns one value
# for each run.


# %%
def half_time_of_first_mode(rows):
    """Return the update after which the first mode has half of its final strength, for each run."""
    return rows[(rows["metric"] == "half_time") & (rows["index"] == 0)]["value"].to_numpy()


claim = api.Claim(
    name="first_mode_within_100_updates",
    place="a notebook",
    kind="bound",
    statement="The first mode is learned within 100 updates.",
    quantity="half time, updates",
    measure=api.measure(half_time_of_first_mode, MAIN),
    criterion=api.Every(0, 100),
    because="100 updates are less than half of the training.",
)

# %%
print(str(MAIN))
deepnets.judge(claim)[["statement", "ours", "verdict"]].to_dict()

# %% [markdown]
# The claim can fail: from even smaller weights, the first mode takes longer.

# %%
smaller = deepnets.train("hierarchy", scale=1e-15, seeds=2)
deepnets.judge(claim, smaller)[["statement", "ours", "verdict", "remark"]].to_dict()

# %%
deepnets.draw("003-hierarchy/training_loss", smaller)
