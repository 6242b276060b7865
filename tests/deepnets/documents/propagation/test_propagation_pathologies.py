import numpy as np
import pytest
from propagation_table import net, table

from deepnets.documents.propagation.diagnosis import diagnose, severities
from deepnets.documents.propagation.figures import pathologies
from drawn_tables import numbers_of_figure, table_of
from reproduce.tables.table import Table

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


@pytest.mark.parametrize(
    ("healthy", "ill", "place", "text"),
    [
        # An exponent of 2.1 is exploding, one of 1.9 is not.
        ({"chi": (1.0, 1.0, 2**1.9)}, {"chi": (1.0, 1.0, 2**2.1)}, 0, "× 1.030  ($l^{2.1}$)"),
        ({"rank": 1.51}, {"rank": 1.49}, 1, "1.49"),
        ({"share": 0.011}, {"share": 0.009}, 2, "0.90 %"),
        ({"share": 0.011}, {"share": 1e-7}, 2, "< 0.01 %"),
        ({"growth": 1.19}, {"growth": 1.21}, 3, "× 1.210"),
    ],
)
def test_each_symptom_depends_on_its_own_number(healthy, ill, place, text):
    assert not any(symptom.present for symptom in diagnose(net_with_symptoms(**healthy)))
    symptoms = diagnose(net_with_symptoms(**ill))
    assert [symptom.present for symptom in symptoms] == [position == place for position in range(4)]
    assert symptoms[place].text == text


@pytest.mark.parametrize(
    ("name", "healthy", "ill"),
    [("chi", (1.0, 1.0, 1.049**50), (1.0, 1.0, 1.051**50)), ("rank", 1.51, 1.49), ("share", 0.011, 0.009)],
)
def test_a_severity_is_1_at_the_limit_of_a_pathology(name, healthy, ill):
    worst = [max(each[0] for each in severities(net_with_symptoms(**{name: one})).values()) for one in (healthy, ill)]
    assert 0.9 < worst[0] < 1 < worst[1] < 1.2


def test_the_growth_over_a_single_layer_is_that_of_the_layer():
    grown = {0: [0.0], 1: [np.log(1.3)]}
    metrics = {"chi": {0: [1.0], 1: [1.1]}, "log_nu2_signal": grown, "log_mu2_signal": grown}
    symptoms = diagnose(table(net({**metrics, "effective_rank_signal": {0: [5.0], 1: [4.0]}}, depth=1)))
    assert [symptom.text for symptom in symptoms] == ["× 1.100  ($l^{0.0}$)", "4.00", "100.00 %", "× 1.300"]


def test_clouds_are_drawn_alike_whatever_the_sign_of_their_second_axis():
    own = table_of("propagation", "whole")
    second = own.frame["metric"].isin(["cloud_signal_2", "cloud_noise_2"])
    other = Table(own.frame.assign(value=own.frame["value"].where(~second, -own.frame["value"])), own.grids)
    drawn, turned = (numbers_of_figure(pathologies.clouds, [each]) for each in (own, other))
    assert drawn.equals(turned)
