# %% [markdown]
# # Your own claim
# A claim is a statement, a measure (a number of each run) and a criterion. We claim: *each net comes to believe that
# sharks have bones, by more than 0.25.* Its prediction is 1 for yes, -1 for no and 0 if it is undecided.

# %%
import deepnets
from deepnets.documents.hierarchy.runs import SHARK
from reproduce import api

# %% [markdown]
# `SHARK` selects the runs that document 003 describes. The measure gets all rows of these runs, and returns one value
# for each run.


# %%
def greatest_belief(rows):
    """Return the greatest prediction during training that sharks have bones, for each run."""
    return rows[rows["metric"] == "illusory_prediction"].groupby("seed")["value"].max().to_numpy()


claim = api.Claim(
    name="each_net_believes_in_bones_of_sharks",
    place="a notebook",
    kind="bound",
    statement="Each net comes to believe that sharks have bones.",
    quantity="greatest prediction, -1 to 1",
    measure=api.measure(greatest_belief, SHARK),
    criterion=api.Every(0.25, 1),
    because="0 is undecided; 0.25 is more than the noise of a feature.",
)

# %%
print(str(SHARK))
deepnets.judge(claim)[["statement", "ours", "verdict"]].to_dict()

# %% [markdown]
# The claim can fail: from larger weights the modes are learned together, so the net has less time for a false belief.

# %%
larger = deepnets.train("hierarchy", "shark", scale=0.1, seeds=2)
deepnets.judge(claim, larger)[["statement", "ours", "verdict", "remark"]].to_dict()

# %%
deepnets.draw("003-hierarchy/illusions", larger)
