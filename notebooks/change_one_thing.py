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
# Now with three layers. All other settings are those of `config.yaml`. From weights as tiny as these, the net learns
# nothing in 250 updates.

# %%
deeper = deepnets.train("hierarchy", depth=3, seeds=2)
deepnets.draw("003-hierarchy/training_loss", deeper)

# %%
deepnets.judge(claim, deeper)[["ours", "verdict", "remark"]].to_dict()

# %% [markdown]
# Three layers need larger weights at the start, and a lower rate: with 100, they diverge. Then the claim holds again.

# %%
larger = deepnets.train("hierarchy", depth=3, scale=0.3, learning_rate=30, seeds=2)
deepnets.draw("003-hierarchy/training_loss", larger)

# %%
deepnets.judge(claim, larger)[["ours", "verdict", "remark"]].to_dict()

# %% [markdown]
# Several values of an axis are several nets. The figure of the document's sliders shows the grid `sliders`: the larger
# the weights at the start, the earlier the steps, and the less there is between them.

# %%
starts = deepnets.train("hierarchy", "sliders", scale=[1e-9, 1e-6, 1e-3, 0.1], learning_rate=20, seeds=1)
deepnets.draw("003-hierarchy/sweep_loss", starts)
