# %% [markdown]
# # A first look
# Load a table, draw a figure of a document, read the verdicts. The results are those of `snakemake --cores 8`, or of
# the quick config.

# %%
import deepnets

# %% [markdown]
# Document 000 trains classifiers of one to six layers. One row is one measured value; the last step of a run holds its
# final values.

# %%
classifier = deepnets.table("classifier")
accuracy = classifier[classifier["metric"] == "test_accuracy"]
accuracy.tail()

# %%
final = accuracy.groupby(["block", "depth", "seed"], observed=True)["value"].last()
final.groupby(["block", "depth"], observed=True).agg(["mean", "sem", "count"])

# %% [markdown]
# The names of figures are those in `results/figures`.

# %%
deepnets.draw("000-classifier/accuracy_by_depth")

# %% [markdown]
# The statements of document 000, our values, and the verdicts. `judge` takes the name of a claim.

# %%
verdicts = deepnets.verdicts("000-classifier")
verdicts["verdict"].value_counts()

# %%
verdicts[verdicts["weight"] == "main"][["claim", "statement", "printed", "ours", "verdict"]]
