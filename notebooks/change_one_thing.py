# %% [markdown]
# # Change one thing
# Document 003 trains a linear net of two layers from tiny weights. It learns a tree one level after the other, so its
# loss falls in steps.

# %%
import deepnets

deepnets.draw("003-hierarchy/training_loss")

# %% [markdown]
# The document's own claim about it, judged from the workflow's runs.

# %%
claim = "003-hierarchy/strong_modes_come_first"
deepnets.judge(claim)[["statement", "ours", "verdict", "remark"]].to_dict()

# %% [markdown]
# Now with three layers, in the grid `plain`, whose runs this figure shows. All other settings are those of
# `config.yaml`. From weights as tiny as these, the net learns nothing in 250 updates, and `train` warns of it.

# %%
deeper = deepnets.train("hierarchy", "plain", depth=3, seeds=2)
deepnets.judge(claim, deeper)[["ours", "verdict", "remark"]].to_dict()

# %% [markdown]
# Three layers need larger weights at the start, and a lower rate: with 100, they diverge. The figure above shows the
# document's two layers, this one our three.

# %%
larger = deepnets.train("hierarchy", "plain", depth=3, scale=0.3, learning_rate=30, seeds=10)
deepnets.draw("003-hierarchy/training_loss", larger)

# %% [markdown]
# With these ten seeds, the claim holds again. With five, it is undecided: the modes' times differ more between seeds.

# %%
five = larger[larger["seed"] < 5]
[deepnets.judge(claim, runs)[["ours", "verdict", "remark"]].to_dict() for runs in (larger, five)]

# %% [markdown]
# Several values of an axis are several nets. The figure of the document's sliders shows the grid `sliders`: the larger
# the weights at the start, the earlier the steps, and the less there is between them.

# %%
starts = deepnets.train("hierarchy", "sliders", scale=[1e-9, 1e-6, 1e-3, 0.1], learning_rate=20, seeds=1)
deepnets.draw("003-hierarchy/sweep_loss", starts)
