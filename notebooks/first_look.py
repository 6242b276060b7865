# %% [markdown]
# # A first look
# Load a table, draw a figure of a document, read the verdicts. The results are those of `snakemake --cores 8`, or of
# the quick config.

# %%
import deepnets

# %% [markdown]
# Document 000 trains classifiers of one to six layers. One row is one measured value; all columns before `seed` are
# the settings of its run.

# %%
classifier = deepnets.table("classifier")
list(classifier)

# %% [markdown]
# Nets are alike only if all their settings are. In the block `depths`, only the depth differs; other blocks differ in
# more, such as the initial weights or the rank. The last step of a run holds its final values: here the test accuracy,
# in per cent, in the mean over seeds.

# %%
depths = classifier[(classifier["metric"] == "test_accuracy") & (classifier["block"] == "depths")]
final = 100 * depths.groupby(["depth", "seed"])["value"].last()
final.groupby("depth").agg(["mean", "count"]).round(2)

# %% [markdown]
# The names of figures are those in `results/figures`.

# %%
deepnets.draw("000-classifier/accuracy_by_depth")

# %% [markdown]
# The statements of document 000, our values, and the verdicts. `judge` takes the name of a claim. Rows of settings,
# errata and coverage are not judged: their verdict is their kind.

# %%
verdicts = deepnets.verdicts("000-classifier")
verdicts["verdict"].value_counts()

# %%
verdicts[verdicts["weight"] == "main"].set_index("claim")[["statement", "printed", "ours", "verdict"]]
