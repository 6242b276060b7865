import numpy as np
from matplotlib.figure import Figure

from deepnets.documents.sharpness.claims import NETS, matrix
from reproduce import api


def largest_eigenvalues(sharpness: api.Table) -> Figure:
    """The largest eigenvalues of the Hessian dip in two layers, rise in more, and end where depth and modes set them.

    Above: colours, the three eigenvalues, with the last value of the largest; dashed: those of the Gauss–Newton matrix in theory,
    without residuals. Below: loss.
    """
    sheet = api.Sheet()
    runs = sheet.take_counted(NETS.shown(sharpness.pipe(api.first_seed), "depth")).groupby("depth", observed=True)
    panels = sheet.panels(
        2, runs.ngroups, figsize=(6.9, 3.6), sharex="col", y=["eigenvalue", "loss"], height_ratios=(2, 1)
    )
    for (depth, run), (above, below) in zip(runs, panels.reshape(2, -1).T, strict=True):
        losses, ours = api.by_index(api.require_rows(run, "train_loss"))[0], matrix(run, "hessian")
        shown = losses[losses > 1e-3 * losses.iloc[0]].index
        theory = np.sort(matrix(run, "theory"))[:, :-4:-1]
        for rank in range(3):
            above.plot(shown, ours[: len(shown), rank], f"C{rank}", label=f"eigenvalue {rank + 1}")
            label = f"{'_' * (2 - rank)}theory, without residuals"
            above.plot(shown, theory[: len(shown), rank], "k--", lw=0.8, label=label)
        above.text(shown[-1], 1.02 * ours[-1, 0], f"{ours[-1, 0]:.4g}", ha="right", va="bottom")
        above.set(title=api.label_of("depth", depth), ylim=(0, 1.2 * ours.max()))
        below.plot(losses[shown], "k", label="_loss")
        below.set(xlabel="updates")
    sheet.add_legend(columns=4)
    return sheet.finish()


def eigenvalues_by_kind(sharpness: api.Table) -> Figure:
    """All nonzero eigenvalues of the Gauss–Newton matrix are those of the formula, here at 11 times. Line: equality."""
    sheet = api.Sheet()
    runs = sheet.take_counted(NETS.shown(sharpness.pipe(api.first_seed), "depth")).groupby("depth", observed=True)
    panels = sheet.panels(1, runs.ngroups, figsize=(6.9, 2.5), x="formula", y="eigenvalue", sharey=True)
    for (depth, run), axis in zip(runs, panels, strict=True):
        ends = np.cumsum([0, *matrix(run, "kind_count")[0].round().astype(int)])
        for kind, name in enumerate(("of a mode", "of a pair of modes", "of a mode and a direction without one")):
            shown = np.s_[::40, ends[kind] : ends[kind + 1]]
            x, y = (matrix(run, metric)[shown].ravel() for metric in ("theory", "gauss_newton"))
            label = f"{ends[kind + 1] - ends[kind]} {name}"
            axis.loglog(x, y, f"C{kind}{'os^'[kind]}", ms=4, mfc="none", label=label)
        axis.axline((1, 1), (2, 2), color="0.7", lw=1, zorder=0)
        axis.set(title=api.label_of("depth", depth))
    sheet.add_legend(columns=4)
    return sheet.finish()
