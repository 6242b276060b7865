"""The pathologies of document 002: their measures, the statements of the slides, and the pictures of points."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba
from propagation_table import net, table

from deepnets.documents.propagation.diagnosis import (
    alternative_pathologies,
    diagnose,
    severities,
    stated_pathologies,
)
from deepnets.documents.propagation.figures import pathologies
from deepnets.documents.propagation.nets import name_of, nets_by_size

pytestmark = pytest.mark.usefixtures("off_screen")


def net_with_symptoms(chi=(1.0, 1.0, 1.0), rank=5.0, share=0.5, growth=1.0, **axes):
    """Return a net of 100 layers with χ at layers 0, 50 and 100, and r_eff, μ₂/ν₂ and the growth of ν₂ at the end.

    Two of the five simulations are outliers on one side, so medians and means differ.
    """
    chi = {layer: [value] * 3 + [1e6 * value * layer] * 2 for layer, value in zip((0, 50, 100), chi, strict=True)}
    chi[0][3:] = [1.0, 1.0]
    nu2 = {layer: [layer * np.log(growth)] * 3 + [9.0 * layer] * 2 for layer in (0, 50, 100)}
    mu2 = {layer: [values[0] + np.log(share)] * 3 + [values[3]] * 2 for layer, values in nu2.items()}
    ranks = {layer: [100.0] * 5 for layer in (0, 50)} | {100: [rank] * 3 + [1000.0] * 2}
    metrics = {"chi": chi, "log_nu2_signal": nu2, "log_mu2_signal": mu2, "effective_rank_signal": ranks}
    return table(net(metrics, depth=100, **axes))


def test_a_healthy_net_has_no_symptom():
    symptoms = diagnose(net_with_symptoms(chi=(1.0, 10.0, 11.0)))
    assert [symptom.pathology for symptom in symptoms] == ["noise", "line", "point", "activations"]
    assert not any(symptom.present for symptom in symptoms)
    # χ grows by 1.1 from layer 50 to layer 100: the factor is 1.1^(1/50), the exponent ln 1.1/ln 2.
    assert symptoms[0].text == "× 1.002  ($l^{0.1}$)"
    assert [symptom.text for symptom in symptoms[1:]] == ["5.00", "50.00 %", "× 1.000"]


@pytest.mark.parametrize(
    ("change", "place", "text"),
    [
        # An exponent of 2.1 is exploding, one of 1.9 is not.
        ({"chi": (1.0, 1.0, 2**2.1)}, 0, "× 1.030  ($l^{2.1}$)"),
        ({"rank": 1.49}, 1, "1.49"),
        ({"share": 0.009}, 2, "0.90 %"),
        ({"share": 1e-7}, 2, "< 0.01 %"),
        ({"growth": 1.21}, 3, "× 1.210"),
    ],
)
def test_each_symptom_depends_on_its_own_number(change, place, text):
    symptoms = diagnose(net_with_symptoms(**change))
    assert [symptom.present for symptom in symptoms] == [position == place for position in range(4)]
    assert symptoms[place].text == text


@pytest.mark.parametrize("change", [{"chi": (1.0, 1.0, 2**1.9)}, {"rank": 1.51}, {"share": 0.011}, {"growth": 1.19}])
def test_a_number_below_its_threshold_is_no_symptom(change):
    assert not any(symptom.present for symptom in diagnose(net_with_symptoms(**change)))


@pytest.mark.parametrize(
    ("healthy", "ill"),
    [
        ({"chi": (1.0, 1.0, 1.049**50)}, {"chi": (1.0, 1.0, 1.051**50)}),
        ({"rank": 1.51}, {"rank": 1.49}),
        ({"share": 0.011}, {"share": 0.009}),
    ],
)
def test_a_severity_is_1_at_the_limit_of_a_pathology(healthy, ill):
    worst = [max(each[0] for each in severities(net_with_symptoms(**one)).values()) for one in (healthy, ill)]
    assert 0.9 < worst[0] < 1 < worst[1] < 1.2


KINDS = [
    ({}, ("line",), ()),
    ({"norm": "batch"}, ("noise",), ()),
    ({"norm": "batch", "activation": "tanh"}, ("noise",), ()),
    ({"norm": "batch", "init": "hyperball"}, ("noise",), ()),
    ({"norm": "instance"}, ("noise",), ()),
    ({"norm": "group"}, (), ()),
    ({"norm": "layer"}, ("point",), ()),
    ({"arch": "residual"}, ("line", "activations"), ()),
    ({"arch": "residual", "norm": "batch"}, (), ()),
    ({"arch": "residual", "norm": "layer"}, (), ()),
    ({"activation": "tanh"}, (), ("point", "noise")),
    ({"init": "hyperball"}, (), ("point", "line")),
    ({"init": "hyperball", "bias": 0.5}, (), ("point", "line")),
]


@pytest.mark.parametrize(("axes", "certain", "open_"), KINDS)
def test_the_slides_state_these_pathologies(axes, certain, open_):
    described = net_with_symptoms(**axes)
    assert (stated_pathologies(described), alternative_pathologies(described)) == (certain, open_)


def test_nets_are_grouped_by_size():
    tables = [
        net_with_symptoms(kernel=3, width=64, norm="instance", block="normalized_feedforward", batch=1024),
        net_with_symptoms(norm="batch", activation="tanh", gain=1.0, block="tanh"),
        net_with_symptoms(block="vanilla"),
        # This is the same net in a different block.
        net_with_symptoms(block="normalized_feedforward"),
        net_with_symptoms(width=256, arch="residual", norm="batch", block="bn_res"),
    ]
    sizes = nets_by_size(table(*tables))
    names = {size: [name_of(described) for described in nets] for size, nets in sizes.items()}
    assert names == {
        "fully connected, 512 channels": [
            "vanilla, 100 layers, batch 64",
            "batch norm feedforward, tanh, gain 1, 100 layers, batch 64",
        ],
        "fully connected, 256 channels": ["batch norm resnet, 100 units, batch 64"],
        "3 × 3 convolutions, 64 channels": ["instance norm feedforward, 100 layers, batch 1,024"],
    }
    assert list(names) == [
        "fully connected, 512 channels",
        "fully connected, 256 channels",
        "3 × 3 convolutions, 64 channels",
    ]


def test_cells_are_shaded_if_measured_and_framed_if_stated():
    tables = [
        net_with_symptoms(rank=1.0, block="vanilla"),
        net_with_symptoms(share=0.001, activation="tanh", block="tanh"),
        net_with_symptoms(width=64, block="widths"),
        net_with_symptoms(width=128, block="vanilla_histograms"),
    ]
    figure = pathologies.pathologies(table(*tables))
    (axis,) = figure.axes
    cells = {(patch.get_x(), round(patch.get_y(), 2)): patch for patch in axis.patches}
    shaded = {place for place, patch in cells.items() if patch.get_facecolor() == to_rgba("C4")}
    # Rows 1 and 2 are below the name of the size. The columns are noise, line, point, activations.
    assert shaded == {(1, 1.05), (2, 2.05)}
    frames = {place: patch.get_linestyle() for place, patch in cells.items() if not patch.get_fill()}
    assert {place: style == "-" or style == "solid" for place, style in frames.items()} == {
        (1.01, 1.09): True,
        (0.01, 2.09): False,
        (2.01, 2.09): False,
    }
    assert [label.get_text() for label in axis.get_yticklabels()] == [
        "fully connected, 512 channels",
        "vanilla, 100 layers, batch 64",
        "vanilla, tanh, 100 layers, batch 64",
    ]
    assert figure.get_suptitle() == "images of MNIST, 5 simulations of each net"


# Pictures of points

POINTS = {
    "cloud_signal_1": {0: [1.0, 2.0, 3.0], 20: [1.0, 1.0, -8.0]},
    "cloud_signal_2": {0: [0.5, 0.0, -0.5], 20: [0.0, 0.1, 0.0]},
    "cloud_noise_1": {0: [1.0, 0.0, 0.0], 20: [20.0, 40.0, 60.0]},
    "cloud_noise_2": {0: [0.0, 1.0, 0.0], 20: [200.0, 0.0, 0.0]},
    "chi": {0: [1.0], 1: [1.0]},
}


def points_of(line):
    return sorted(map(tuple, line.get_xydata().round(9)))


@pytest.mark.parametrize(
    ("draw", "axes"),
    [
        (pathologies.one_dimensional_signal, {"kernel": 3}),
        (pathologies.zero_dimensional_signal, {"block": "layer_norm", "norm": "layer"}),
        (pathologies.exploding_sensitivity, {"block": "bn_ff", "norm": "batch", "kernel": 3}),
    ],
)
def test_all_panels_of_points_have_the_same_limits(draw, axes):
    other_seed = {metric: {layer: [99.0] * 3 for layer in layers} for metric, layers in POINTS.items()}
    figure = draw(table(net(POINTS, **axes, seed=3), net(other_seed, **axes, seed=4)))
    assert [axis.get_title() for axis in figure.axes] == ["layer 0", "layer 20"]
    clouds = [[line for line in axis.lines if line.get_marker() == "o"] for axis in figure.axes]
    assert points_of(clouds[0][-1]) == [(1.0, 0.5), (2.0, 0.0), (3.0, -0.5)]
    assert points_of(clouds[1][-1]) == [(-8.0, 0.0), (1.0, 0.0), (1.0, 0.1)]
    if axes.get("norm") == "batch":
        # The noise is 5 %.
        assert points_of(clouds[1][0]) == [(-5.0, 0.0), (2.0, 10.0), (3.0, 0.1)]
    limits = {(axis.get_xlim(), axis.get_ylim()) for axis in figure.axes}
    ((xlim, ylim),) = limits
    for cloud in (cloud for panel in clouds for cloud in panel):
        x, y = cloud.get_data()
        assert xlim[0] < x.min() <= x.max() < xlim[1]
        assert ylim[0] < y.min() <= y.max() < ylim[1]
    assert figure.get_suptitle().endswith(", 512 channels, 64 images of MNIST, one simulation, 3 points")


def test_a_picture_of_noise_has_the_error_of_linear_noise_in_its_title():
    shown = table(net({**POINTS, "finite_noise_error": {20: [0.14]}}, block="bn_ff", norm="batch"))
    titles = [axis.get_title() for axis in pathologies.exploding_sensitivity(shown).axes]
    assert titles == ["layer 0", "layer 20\nlinear within 14 %"]


def test_the_height_of_a_picture_follows_its_points():
    flat, tall = (
        pathologies.one_dimensional_signal(
            table(
                net({**POINTS, "cloud_signal_2": {layer: [height, 0.0, -height] for layer in (0, 20)}}, block="vanilla")
            )
        )
        for height in (0.1, 9.0)
    )
    assert flat.get_figheight() < tall.get_figheight()


def test_a_picture_without_recorded_points_has_a_message():
    figure = pathologies.one_dimensional_signal(table(net({"chi": {0: [1.0], 1: [1.0]}})))
    assert "the config records no points of this net" in figure.axes[0].texts[0].get_text().replace("\n", " ")


def test_a_frame_is_within_its_cell():
    # The second net has a different size and so its own heading: the rows are 1 and 3.
    figure = pathologies.pathologies(
        table(net_with_symptoms(block="vanilla"), net_with_symptoms(activation="tanh", block="tanh", width=64))
    )
    boxes = [(patch.get_fill(), patch.get_bbox()) for patch in figure.axes[0].patches]
    cells = [box for filled, box in boxes if filled]
    frames = [box for filled, box in boxes if not filled]
    assert (len(cells), len(frames)) == (8, 3)
    assert [int(cell.y0) for cell in cells] == [1] * 4 + [3] * 4
    assert not any(one.overlaps(other) for one in cells for other in cells if one is not other)
    for frame in frames:
        around = [cell for cell in cells if cell.x0 < frame.x0 < frame.x1 < cell.x1 and cell.y0 < frame.y0 < cell.y1]
        assert len(around) == 1
        assert frame.y1 < around[0].y1
    # Each number is in the middle of its cell, row by row.
    for text, cell in zip(figure.axes[0].texts, cells, strict=True):
        assert text.get_position() == pytest.approx(((cell.x0 + cell.x1) / 2, (cell.y0 + cell.y1) / 2))


def test_within_a_size_standard_nets_come_first_then_feedforward_ones_by_their_norm():
    expected = [
        {"arch": arch, "norm": norm}
        for arch in ("feedforward", "residual")
        for norm in ("none", "batch", "instance", "group", "layer")
    ]
    expected += [{"activation": "tanh"}, {"init": "hyperball"}]
    nets = [net_with_symptoms(block=f"block {place}", **axes) for place, axes in enumerate(expected)]
    ((_, found),) = nets_by_size(table(*nets[::-1])).items()
    axes = ["arch", "norm", "activation", "init"]
    standard = {"arch": "feedforward", "norm": "none", "activation": "relu", "init": "normal"}
    assert [dict(described.iloc[0][axes]) for described in found] == [{**standard, **each} for each in expected]


def test_the_growth_over_a_single_layer_is_that_of_the_layer():
    grown = {0: [0.0], 1: [np.log(1.3)]}
    metrics = {"chi": {0: [1.0], 1: [1.1]}, "log_nu2_signal": grown, "log_mu2_signal": grown}
    symptoms = diagnose(table(net({**metrics, "effective_rank_signal": {0: [5.0], 1: [4.0]}}, depth=1)))
    assert [symptom.text for symptom in symptoms] == ["× 1.100  ($l^{0.0}$)", "4.00", "100.00 %", "× 1.300"]


def test_grey_lines_cross_at_the_origin_of_each_picture():
    for axis in pathologies.one_dimensional_signal(table(net(POINTS))).axes:
        across, along = (drawn.get_xydata() for drawn in axis.lines if drawn.get_marker() != "o")
        assert set(across[:, 1]) == set(along[:, 0]) == {0}
        assert set(across[:, 0]) == set(along[:, 1]) == {0, 1}


def test_a_net_without_layers_has_a_dash_for_each_pathology():
    symptoms = diagnose(table(net({"diverged": {0: [1.0]}})))
    assert [(symptom.pathology, symptom.text, symptom.present) for symptom in symptoms] == [
        (pathology, "–", False) for pathology in ("noise", "line", "point", "activations")
    ]
