from collections.abc import Callable
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deepnets.documents.propagation import curves, runs
from deepnets.documents.propagation.nets import count_simulations, describe_net, has_layers, require_layers
from deepnets.documents.propagation.quantities import CHI, LOG_CHI, branch_increments, every_layer, fitted_layers
from deepnets.looks import ARCHITECTURES, LAYERS, NORMS
from deepnets.theory.sensitivity import power_law_exponent, residual_increment
from reproduce import api

# The document's nets, and the authors' fully connected nets.
_OPERATORS = {
    "vanilla": (runs.VANILLA, runs.CONNECTED_VANILLA),
    "BN feedforward": (runs.BN_FF, runs.CONNECTED_BN_FF),
    "BN resnet": (runs.BN_RES, runs.CONNECTED_BN_RES),
}
# Of convolutions of 512, 256, 128 and 64 channels, whose bands overlap.
_OF_WIDTHS = (LAYERS["convolutional"].color, "C5", "C2", "C4")
# Letters per line of a legend, lines for which the figure has room, and the height of a further line in inches.
_LETTERS, _LINES, _LINE_HEIGHT = 40, 7, 0.14
_BLOCKS = ("vanilla", "bn_ff", "bn_res", "fully_connected", "widths", "normalized_feedforward", "normalized_resnets")


class _Law(NamedTuple):
    """A law of growth in which ln χ is a linear function of against(layer).

    text: returns the law as text, from the slope.
    """

    against: Callable[[np.ndarray], np.ndarray]
    text: Callable[[float], str]


_EXPONENTIAL = _Law(np.asarray, lambda rate: rf"${np.exp(rate):.3f}^{{\,l}}$")
_POWER = _Law(np.log, lambda exponent: rf"$l^{{\,{exponent:.2f}}}$")


def logarithmic_version(propagation: api.Table) -> Figure:
    """Batch-normalised resnets (b, c) are logarithmic versions of batch-normalised feedforward nets (a).

    The sensitivity χ is the growth of the ratio of noise to signal since the input. Lines: median over simulations;
    bands: 16th to 84th percentile. A straight line is an exponential in depth in a, and a power of depth in b. Dashes:
    least-squares fits to all layers from a tenth of the depth on; dots: the fits at earlier layers. c: the exponent
    between units l and 2l; theory: from the product of √(1 + 2τ/(l + 1)), with τ from the growth in the branches.
    """
    sheet = api.Sheet()
    axes = sheet.panels(1, 3, figsize=(6.9, 2.7))
    axes[0].set(title="feedforward", xlabel="layer $l$", ylabel=r"normalised sensitivity $\chi^l$")
    axes[1].set(title="resnet", xlabel="unit $l$", ylabel=r"normalised sensitivity $\chi^l$")
    axes[2].set(title="resnet", xlabel="unit $l$", ylabel=r"exponent between $l$ and $2l$")
    notes = []
    with sheet.part(axes[0]):
        net, note = curves.rows_shown(runs.BN_FF, propagation)
        notes.append(_name_panels("a", describe_net(net), note))
        _draw_with_fit(axes[0], net, _EXPONENTIAL)
    with sheet.part(*axes[1:]):
        net, note = curves.rows_shown(runs.BN_RES, propagation)
        notes.append(_name_panels("b, c", describe_net(net), note))
        _draw_with_fit(axes[1], net, _POWER)
        axes[1].set_xscale("log")
        curves.label_plainly(axes[1])
        _draw_exponents(axes[2], net)
    curves.write_notes(sheet, *notes)
    return sheet.finish()


def normalized_resnets(propagation: api.Table) -> Figure:
    """With each of four normalisations, noise grows far more in feedforward nets (a) than in resnets (b).

    The sensitivity χ is the growth of the ratio of noise to signal since the input. Lines: median over simulations;
    bands: 16th to 84th percentile. The legends give factor per layer and power, from least-squares fits to all layers
    from a tenth of the depth on. The pictures' nets have 512 channels; with few channels, χ grows in feedforward nets
    with layer normalisation too.
    """
    sheet = api.Sheet()
    axes = sheet.panels(1, 2, figsize=(6.9, 2.9))
    axes[0].set(title="feedforward", xlabel="layer $l$", ylabel=r"normalised sensitivity $\chi^l$")
    axes[1].set(title="resnets", xlabel="unit $l$", ylabel=r"normalised sensitivity $\chi^l$")
    notes = []
    with sheet.part(axes[0]):
        shown, note = curves.rows_shown(runs.NORMALIZED_FF, propagation, "norm")
        notes.append(_name_panels("a", describe_net(shown, drawn=("norm",)), note))
        _draw_norms(axes[0], shown, _EXPONENTIAL)
    with sheet.part(axes[1]):
        shown, note = curves.rows_shown(runs.NORMALIZED_RES, propagation, "norm")
        notes.append(_name_panels("b", describe_net(shown, drawn=("norm",)), note))
        _draw_norms(axes[1], shown, _POWER)
        axes[1].set_xscale("log")
        curves.label_plainly(axes[1])
    curves.write_notes(sheet, *notes)
    return sheet.finish()


def convolutional_and_fully_connected(propagation: api.Table) -> Figure:
    """The larger the width of a vanilla net, the less noise grows (a), and the fewer directions the signal keeps (d).

    The sensitivity χ is the growth of the ratio of noise to signal since the input; the effective rank is the sum of
    the variances in all directions divided by the largest. Lines: median over simulations; bands: 16th to 84th
    percentile. The pictures have convolutions of 512 channels; "full", dashed: fully connected nets, which the authors
    compare with them.
    """
    sheet = api.Sheet()
    notes, lines = [], 0
    axes = sheet.panels(2, 3, figsize=(6.9, 4.8), sharex="col")
    for column, (title, nets) in zip(axes.T, _OPERATORS.items(), strict=True):
        residual = title == "BN resnet"
        column[0].set(title=title)
        column[1].set(xlabel="unit $l$" if residual else "layer $l$")
        with sheet.part(*column):
            kind = propagation.pipe(api.runs_of, block=_BLOCKS, **nets[0].only("arch", "norm").wanted)
            axes_of_lines = ("kernel", "width", "batch", "depth")
            shown, note = api.shown_of(kind.pipe(api.merge_blocks), nets, *axes_of_lines, instead=False)
            notes.append(_name_panels(title, note))
            named = _name_nets(require_layers(shown))
            lines = max(lines, sum(1 + name.count("\n") for name, _ in named))
            for name, net in named:
                width, full = net["width"].iloc[0], net["kernel"].iloc[0] == 1
                colour = LAYERS["full"].color if full else _OF_WIDTHS[round(np.log2(512 / width)) % 4]
                style = {"colour": colour, "label": name, "ls": "--" if full else "-"}
                curves.draw_metric(column[0], net, "chi", **style)
                curves.draw_metric(column[1], net, "effective_rank_signal", **style)
            for axis in column:
                axis.set_yscale("log")
            if residual:
                column[0].set_xscale("log")
                curves.label_plainly(column[0])
            column[1].set_ylim(0.9, max(10, column[1].get_ylim()[1]))
            curves.label_plainly(column[1])
            column[1].legend(loc="upper center", bbox_to_anchor=(0.5, -0.28))
    sheet.figure.set_figheight(4.8 + _LINE_HEIGHT * max(0, lines - _LINES))
    curves.write_notes(sheet, "images of CIFAR-10; n: simulations", *notes)
    axes[0, 0].set_ylabel(r"normalised sensitivity $\chi^l$")
    axes[1, 0].set_ylabel(r"effective rank $r_\mathrm{eff}(x^l)$")
    return sheet.finish()


def data_sets(propagation: api.Table) -> Figure:
    """In a resnet, noise grows more on photographs (CIFAR-10) than on digits (MNIST).

    The sensitivity χ is the growth of the ratio of noise to signal since the input, δ_BN its growth by the
    normalisation in unit l. Lines: median over simulations; bands: 16th to 84th percentile; dashed: closed form for
    many channels, from the covariance of 3 × 3 patches of the images.
    """
    sheet = api.Sheet()
    labels = (r"normalised sensitivity $\chi^l$", r"increment $\delta_\mathrm{BN}\chi^{l,1}$")
    axes = sheet.panels(1, 2, figsize=(6.9, 2.7), x="unit $l$", y=labels)
    notes = []
    for colour, name, described in (("C0", "CIFAR-10", runs.PHOTOGRAPHS), ("C1", "MNIST", runs.DIGITS)):
        net, note = curves.rows_shown(described, propagation)
        notes += [describe_net(net), note]
        for axis, metric in zip(axes, ("chi", "delta_chi_bn"), strict=True):
            curves.draw_metric(axis, net, metric, colour, name)
        theory = api.require_rows(net, "delta_chi_bn_in_theory")["value"].mean()
        curves.draw_reference(axes[1], theory, f"{name}, first normalisation in theory")
    axes[0].legend()
    curves.write_notes(sheet, *notes)
    return sheet.finish()


def _name_panels(panels: str, *words: str) -> str:
    """Return words about nets after the names of their panels, "" if there are no words."""
    found = "; ".join(filter(None, words))
    return f"{panels}: {found}" if found else ""


def _name_nets(shown: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return the nets with their names: wide nets first, convolutions before fully connected nets."""
    nets = [net for _, net in api.group_by_setting(shown)]
    nets.sort(key=lambda net: (-net["width"].iloc[0], -net["kernel"].iloc[0]))
    names = [_join_name(net.iloc[0]) for net in nets]
    # The end of a line shows the net's depth. Name the depth only if two nets differ in nothing else.
    if len(set(names)) < len(names):
        names = [
            f"{name}, {api.label_of('depth', net['depth'].iloc[0])}" for name, net in zip(names, nets, strict=True)
        ]
    return [
        (fill(f"{name}, n = {count_simulations(net)}", _LETTERS), net) for name, net in zip(names, nets, strict=True)
    ]


def _join_name(net: pd.Series) -> str:
    kind = "full" if net["kernel"] == 1 else f"{net['kernel']} × {net['kernel']}"
    return f"{kind}, {net['width']} channels, batch {net['batch']:,}"


def _draw_norms(axis: Axes, shown: pd.DataFrame, law: _Law) -> None:
    for place, (norm, look) in enumerate(NORMS.items()):
        net = api.runs_of(shown, norm=norm)
        if has_layers(net):
            slope, *_ = _fit(net, law)
            label, sparse = f"{norm}: {law.text(slope)}", (0.02 * place, 0.15)
            curves.draw_metric(axis, net, "chi", label=label, marker=look.marker, markevery=sparse, **_style_of(net))
    axis.set_yscale("log")
    axis.legend(loc="upper left")


def _style_of(net: pd.DataFrame) -> dict[str, Any]:
    return {"colour": NORMS[net["norm"].iloc[0]].color, "ls": ARCHITECTURES[net["arch"].iloc[0]]}


def _draw_with_fit(axis: Axes, net: pd.DataFrame, law: _Law) -> None:
    curves.draw_metric(axis, net, "chi", label="simulated", colour=_style_of(net)["colour"])
    slope, offset, fitted = _fit(net, law)
    label = f"{law.text(slope)}, fitted to $l$ ≥ {fitted[0]}"
    for layers, style, name in ((np.arange(1, fitted[0] + 1), ":", None), (fitted, "--", label)):
        chi = np.exp(offset + slope * law.against(layers))
        axis.plot(layers, chi, color="k", ls=style, lw=0.8, label=name)
    axis.set_yscale("log")
    axis.legend(loc="upper left")


def _fit(net: pd.DataFrame, law: _Law) -> tuple[float, float, np.ndarray]:
    """Fit a law to ln χ from a tenth of the depth on. Return slope, offset and the fitted layers.

    raises: NotRecordedError if there is only one such layer.
    """
    chi = CHI(net).median(axis=1)
    logs = every_layer(np.log(chi.loc[1:]), against=law.against)
    logs = logs.loc[fitted_layers(logs.index)]
    layers = logs.index.to_numpy()
    slope, offset = api.fit_line(law.against(layers), logs)
    return slope, offset, layers


def _draw_exponents(axis: Axes, net: pd.DataFrame) -> None:
    logs = LOG_CHI(net).loc[1:]
    units = logs.index[2 * logs.index <= logs.index.max()].to_numpy()
    if not len(units):
        raise api.NotRecordedError("no unit l has a unit 2l")
    # Interpolate as a power law.
    doubled = logs.apply(lambda chi: np.interp(np.log(2 * units), np.log(logs.index), chi)).set_axis(units)
    curves.draw_band(axis, (doubled - logs.loc[units]) / np.log(2), label="simulated", colour=_style_of(net)["colour"])
    exponent = float(power_law_exponent(every_layer(branch_increments(net)).mean()))
    theory = np.cumsum(np.log(residual_increment(np.arange(1, 2 * units.max() + 1), exponent)))
    axis.plot(units, (theory[2 * units - 1] - theory[units - 1]) / np.log(2), color="k", lw=0.8, label="theory")
    axis.axhline(exponent, color="0.5", lw=0.8, label=rf"$\tau = {exponent:.2f}$")
    axis.set_xscale("log")
    axis.set_ylim(bottom=0)
    axis.legend(loc="lower right")
