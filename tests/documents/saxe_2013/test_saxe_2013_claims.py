"""What the claims of Saxe et al. 2013 ask of tables, on runs made by hand."""

import numpy as np
import pytest
from evidence import table

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.documents.saxe_2013.claims.ledger import ledger
from workflow.deepnets.documents.saxe_2013.runs import CURVES, DECOUPLED, TREE
from workflow.deepnets.jobs.judge import row_of
from workflow.deepnets.tables.axes import axes_of
from workflow.deepnets.theory import tanh_variance

CLAIMS = {each.name: each for each in ledger() if isinstance(each, Claim)}


def evidence(experiment, runs, **settings):
    """Evidence of the runs of one experiment, each (axes, metrics), of one grid with these settings."""
    frame = table(runs).assign(experiment=experiment)
    axes = {name: frame[name].unique().tolist() for name in axes_of(frame, "experiment")}
    return Evidence({experiment: frame}, {experiment: [{"axes": axes, "settings": settings}]})


def verdict(name, found):
    return row_of(CLAIMS[name], found, "full")["verdict"]


def series(values, index=0):
    return {(step, index): value for step, value in enumerate(values)}


def listed(values, step=0):
    return {(step, index): value for index, value in enumerate(values)}


def plane(singular_value=1, **changes):
    first = {**series([-1.5, 0.002], 0), **series([1.0, 2.0], 1)}
    second = {**series([1.5, -0.001], 0), **series([0.5, 0.501], 1)}
    metrics = {"first_layer": first, "second_layer": second, "theory_first_layer": first, "theory_second_layer": second}
    metrics |= {"half_time": {(0, 1): 100.0}, "theory_half_time": {(0, 1): 100.5}}
    runs = [({"depth": 2, "init": "given", "seed": 0}, {**metrics, **changes})]
    return evidence("phase_portrait", runs, singular_value=singular_value, learning_rate=0.002, steps=4000)


def test_a_mode_keeps_its_hyperbola_and_ends_where_it_must():
    found = plane()
    changes = CLAIMS["hyperbola_is_conserved"].measure(found)
    assert changes == pytest.approx([0.002**2 - 0.001**2, 4 - 0.501**2 - 0.75])
    # The first start lies on the line a = −b, the second does not.
    assert CLAIMS["stable_manifold"].measure(found) == pytest.approx([np.hypot(0.002, 0.001)])
    assert CLAIMS["learning_ends_where_ab_is_s"].measure(found) == pytest.approx([0.002])
    assert verdict("hyperbola_is_conserved", found) == NOT_REPRODUCED
    assert verdict("stable_manifold", found) == verdict("learning_ends_where_ab_is_s", found) == REPRODUCED
    assert verdict("learning_ends_where_ab_is_s", plane(singular_value=2)) == NOT_TESTABLE


def test_distance_from_the_closed_form_is_the_largest_on_the_way():
    off = {**series([-1.5 + 0.03, 0.002], 0), **series([1.0, 2.0], 1)}
    other = {**series([1.5 - 0.04, -0.001], 0), **series([0.5, 0.501], 1)}
    found = plane(theory_first_layer=off, theory_second_layer=other)
    assert CLAIMS["unequal_layers"].measure(found) == pytest.approx([0.05, 0])
    assert CLAIMS["unequal_half_times"].measure(found) == pytest.approx([100 / 100.5])
    assert verdict("unequal_half_times", found) == REPRODUCED
    late = plane(half_time={(0, 0): 3.0})
    assert verdict("unequal_half_times", late) == NOT_REPRODUCED


def tree_run(times, block="small_random", init="normal", activation="linear", seed=0):
    """Two modes, of s = 40 and s = 20; times: of the modes of one net, then of the next."""
    metrics = {
        "data_singular_value": listed([40.0, 20.0]),
        "theory_half_time": listed([100.0, 200.0]),
        "half_time": listed(times),
    }
    return {"block": block, "depth": 2, "init": init, "activation": activation, "seed": seed}, metrics


def test_delays_are_told_apart_by_mode_and_by_net():
    runs = [tree_run([110, 240, 120, 260]), tree_run([130, 280, 140, 300], seed=1)]
    runs.append(tree_run([130, 280, 130, 280], activation="tanh"))
    runs.append(tree_run([130, 280, 130, 280], activation="tanh", seed=1))
    found = evidence("mode_dynamics", runs, **TREE, simulations=3)
    assert CLAIMS["small_random_starts_follow_theory"].measure(found) == pytest.approx([0.25, 0.35])
    assert CLAIMS["competition_delays"].measure(found) == pytest.approx([0.15, 0.25, 0.35, 0.45])
    assert CLAIMS["saturation_delays"].measure(found) == pytest.approx([0.2, 0.1, 0, -0.1])
    assert CLAIMS["time_is_inverse_in_strength"].measure(found)[0] == pytest.approx(np.log2(110 / 240))
    assert CLAIMS["simulations"].measure(found) == pytest.approx([6])
    assert verdict("competition_delays", evidence("mode_dynamics", runs, **{**TREE, "hidden": 16})) == NOT_TESTABLE


def test_a_net_that_does_not_learn_a_mode_reproduces_nothing():
    axes, metrics = tree_run([101, 202, 101, 202])
    del metrics["half_time"][0, 3]
    assert verdict("small_random_starts_follow_theory", evidence("mode_dynamics", [(axes, metrics)], **TREE)) == (
        NOT_REPRODUCED
    )


def test_balanced_modes_are_late_by_half_a_step():
    found = evidence("mode_dynamics", [tree_run([101, 201], block="decoupled", init="decoupled")], **TREE)
    # Delays of 1 % and 0.5 %, of steps ηs of 2 % and 1 %.
    assert CLAIMS["balanced_half_times"].measure(found) == pytest.approx([0.5, 0.5])


def test_modes_of_mnist_are_averaged_over_seeds():
    axes = {"block": "small", "depth": 2, "init": "orthogonal", "scale": 0.001}
    theory = {"theory_half_time": listed([10, 20]), "predicted_half_time": listed([20, 40])}
    runs = [
        ({**axes, "seed": seed}, {"half_time": listed(times), **theory})
        for seed, times in enumerate([[9, 22], [13, 22]])
    ]
    found = evidence("mnist_modes", runs, hidden=32, learning_rate=0.1)
    assert CLAIMS["mnist_follows_eq_11"].measure(found) == pytest.approx([1.1, 1.1])
    assert CLAIMS["mnist_follows_eq_26"].measure(found) == pytest.approx([0.55, 0.55])


LEARNING = {**CURVES, **DECOUPLED, "max_steps": 1700}


def net(init, depth, time=None, *, seed=0, block="depths", last=50, **metrics):
    metrics = {name: listed(values) for name, values in metrics.items()} | {"train_loss": {(0, 0): 1, (last, 0): 0.1}}
    if time:
        metrics["learning_time"] = {(time, 0): time}
    return {"block": block, "depth": depth, "init": init, "width": 100, "seed": seed}, metrics


def test_a_net_that_has_not_learned_counts_with_its_last_update():
    runs = [
        net("gaussian", 9, 10),
        net("gaussian", 9, 20, seed=1),
        net("gaussian", 99, seed=1),
        net("gaussian", 99, 40),
        *(net("orthogonal", 99, 30, seed=seed) for seed in (1, 0)),
    ]
    found = evidence("learning_time", runs, **LEARNING)
    assert CLAIMS["gaussian_grows"].measure(found).tolist() == [5.0, 2.0]
    assert CLAIMS["orthogonal_beats_gaussian"].measure(found).tolist() == [20, 10]
    none = evidence("learning_time", [net("gaussian", 9, 10), net("gaussian", 99)], **LEARNING)
    assert CLAIMS["gaussian_grows"].measure(none) == pytest.approx([5])
    for other in ({"threshold": 0.1}, {"max_steps": 100}):
        assert verdict("gaussian_grows", evidence("learning_time", runs, **{**LEARNING, **other})) == NOT_TESTABLE


def test_a_power_of_depth_is_found_and_a_net_that_has_not_learned_has_none():
    runs = [net("orthogonal", depth, round(3 * depth**2), seed=seed) for depth in (2, 9, 99) for seed in (0, 1)]
    found = evidence("learning_time", runs, **LEARNING)
    assert CLAIMS["orthogonal_is_flat"].measure(found) == pytest.approx([2, 2])
    never = [net("orthogonal", depth, seed=2) for depth in (2, 9, 99)]
    lost = evidence("learning_time", [*runs[:-1], net("orthogonal", 99, seed=1), *never], **LEARNING)
    assert np.isnan(CLAIMS["orthogonal_is_flat"].measure(lost)).tolist() == [False, True, True]
    flat = evidence("learning_time", [net("pretrained", depth, 30) for depth in (2, 99)], **LEARNING)
    assert CLAIMS["pretrained_is_flat"].measure(flat) == pytest.approx([0])


def test_saturation_compares_what_a_layer_adds_at_both_ends():
    runs = [net("decoupled", depth, time) for depth, time in ((2, 10), (4, 30), (73, 200), (99, 213))]
    assert CLAIMS["times_saturate"].measure(evidence("learning_time", runs, **LEARNING)) == pytest.approx([0.05])


def test_best_rates_are_compared_with_theory_at_each_depth():
    rates = {
        depth: net("decoupled", depth, 10, best_learning_rate=[0.9 / depth], theory_best_learning_rate=[1 / depth])
        for depth in (9, 99)
    }
    found = evidence("learning_time", rates.values(), **LEARNING)
    assert CLAIMS["best_rate_is_near_the_edge"].measure(found) == pytest.approx([0.9, 0.9])
    assert CLAIMS["best_rate_is_inverse_in_layers"].measure(found) == pytest.approx([-1])


def test_pretraining_counts_its_own_updates():
    runs = [net("pretrained", 4, 15, block="learning_curves", pretraining_updates=[10, 12, 8, 1])]
    runs += [net("small_gaussian", 4, 48, block="learning_curves")]
    found = evidence("learning_time", runs, **LEARNING)
    assert CLAIMS["pretraining_speeds_learning"].measure(found) == pytest.approx([33])
    assert CLAIMS["pretraining_pays"].measure(found) == pytest.approx([2])
    assert CLAIMS["five_layers"].measure(found) == pytest.approx([5])


def test_correlations_are_those_off_the_diagonal():
    matrices = {"mode_correlation": [4.0, 0.2, 0.2, 1.0], "pixel_correlation": [4.0, -1.0, -1.0, 1.0]}
    # The images are the same for all seeds: the first stands for them.
    runs = [
        ({"depth": 1, "init": "none", "seed": seed}, {name: listed(values) for name, values in found.items()})
        for seed, found in ((3, {name: [1.0, 0.0, 0.0, 1.0] for name in matrices}), (0, matrices))
    ]
    found = evidence("input_correlations", runs, images=50_000)
    assert CLAIMS["rotated_inputs_are_nearly_diagonal"].measure(found) == pytest.approx([0.1])
    assert CLAIMS["pixels_are_not"].measure(found) == pytest.approx([5])


def test_another_sweep_of_rates_or_another_width_tests_nothing():
    found = evidence("learning_time", [net("decoupled", 2, 5), net("decoupled", 99, 5)], **LEARNING)
    assert verdict("twenty_rates", found) == verdict("width_1000", found) == NOT_TESTABLE
    twenty = evidence("learning_time", [net("decoupled", 2, 5)], **{**LEARNING, "rates": {"count": 20}})
    assert verdict("twenty_rates", twenty) == REPRODUCED
    assert CLAIMS["fewest_layers"].measure(found) == [3]
    assert CLAIMS["most_layers"].measure(found) == [100]


def nets(metrics, *, block="products", init="gaussian", depth=5, gain=1, activation="linear", size=4, seed=0):
    axes = {"block": block, "depth": depth, "init": init, "gain": gain, "activation": activation, "size": size}
    return {**axes, "seed": seed}, metrics


def test_shares_of_a_spectrum_are_those_of_its_nets():
    real = [0.01, -0.02, 0.5, 0.04, 0.9, 0.9, 0.9, -0.049]
    imaginary = [0.04, 0.06, 0.0, -0.04, 0.0, 0.0, 0.0, 0.0]
    values = [3.0, 0.04, 0.03, 0.2, 5.0, 0.06, 0.01, 0.001]
    metrics = {"eigenvalue_real": listed(real), "eigenvalue_imag": listed(imaginary), "singular_value": listed(values)}
    one_factor = {"singular_value": listed([1.0, 0.5, 0, 0, 1.0, 0, 0, 0])}
    found = evidence("spectra", [nets(metrics, depth=100), nets(one_factor, depth=1)])
    assert CLAIMS["share_at_origin_of_100"].measure(found) == pytest.approx([50, 25])
    assert CLAIMS["nearly_all_values_vanish"].measure(found) == pytest.approx([0.5])
    # The largest of both nets are 3 and 5, those of one factor 1.
    assert CLAIMS["large_values_grow"].measure(found) == pytest.approx([3])
    assert verdict("share_at_origin_of_5", found) == NOT_TESTABLE


def test_distance_from_the_law_counts_values():
    # The median of the quarter circle, and values beyond its edge of 2.
    law = [0.8079455066, 2.5, 2.5, 2.5]
    found = evidence("spectra", [nets({"log_singular_value": listed(np.log(law))}, depth=1)])
    # A quarter of the values lies up to where the law has a half, and up to 2 where it has all.
    assert CLAIMS["law_of_one_factor"].measure(found) == pytest.approx([4 * 0.75], rel=1e-6)
    # And three quarters where it has next to nothing yet.
    found = evidence("spectra", [nets({"log_singular_value": listed(np.log([1e-9, 1e-9, 1e-9, 0.8]))}, depth=1)])
    assert CLAIMS["law_of_one_factor"].measure(found) == pytest.approx([4 * 0.75], rel=1e-6)


def test_orthogonal_products_and_lost_runs():
    runs = [nets({"singular_value": listed([1, 1 + 1e-12])}, init="orthogonal")]
    assert verdict("orthogonal_products_are_isometries", evidence("spectra", runs)) == REPRODUCED
    runs.append(nets({"diverged": {(3, 0): 1}}, init="orthogonal", seed=1))
    assert verdict("orthogonal_products_are_isometries", evidence("spectra", runs)) == NOT_REPRODUCED
    unrecorded = evidence("spectra", [nets({"variance": {(1, 0): 1}}, init="orthogonal")])
    assert verdict("orthogonal_products_are_isometries", unrecorded) == NOT_TESTABLE


def test_mean_logarithms_are_compared_behind_the_last_factor():
    # Of one unit: ⟨ln |z|⟩ = −(γ + ln 2)/2 a factor.
    theory = -5 * (np.euler_gamma + np.log(2)) / 2
    metrics = {"mean_log_singular_value": {(4, 0): 7.0, (5, 0): theory, (5, 1): 1.5 * theory}}
    found = evidence("spectra", [nets(metrics, block="mean_logs", size=1)])
    assert CLAIMS["mean_logarithm_of_gaussian_products"].measure(found) == pytest.approx([0, 0.5])


def test_variances_are_compared_input_by_input_and_at_the_end_net_by_net():
    gain, inputs = 1.5, np.array([1.0, 0.25])
    expected, end = tanh_variance.next_variance(inputs, gain), tanh_variance.fixed_point(gain)
    metrics = {
        "input_variance": listed(inputs),
        "variance": {
            **listed(np.outer([1.1, 0.8], expected).ravel(), step=1),
            **listed(end * np.array([1.1, 1.3, 1, 1]), step=100),
        },
    }
    kind = {"block": "variances", "init": "orthogonal", "activation": "tanh", "depth": 100}
    found = evidence("spectra", [nets(metrics, gain=gain, **kind)])
    assert CLAIMS["variance_map"].measure(found) == pytest.approx([0.1, 0.1, -0.2, -0.2])
    assert CLAIMS["variance_goes_to_its_fixed_point"].measure(found) == pytest.approx([0.2, 0])
    dying = evidence("spectra", [nets(metrics, gain=0.8, **kind)])
    assert verdict("variance_goes_to_its_fixed_point", dying) == NOT_TESTABLE
    assert CLAIMS["variance_dies_below_1"].measure(dying) == pytest.approx(end * np.array([1.1, 1.3, 1, 1]))


def test_jacobians_are_judged_at_their_own_gain():
    kind = {"block": "jacobians", "init": "orthogonal", "activation": "tanh", "depth": 100}
    runs = [nets({"singular_value": listed([2e-5, 1e-6])}, gain=0.9, **kind)]
    runs.append(nets({"singular_value": listed([3, 0.11, 0.09, 11])}, gain=1.05, **kind))
    found = evidence("spectra", runs)
    assert CLAIMS["gradients_vanish_below_1_at_0_9"].measure(found) == pytest.approx([2e-5])
    assert CLAIMS["gradients_stay_above_1_at_1_05"].measure(found) == pytest.approx([0.5])
    assert verdict("gradients_stay_above_1_at_1_1", found) == NOT_TESTABLE


def test_helpers_read_only_their_own_block():
    found = evidence("learning_time", [net("orthogonal", depth, 9, block="other") for depth in (2, 99)], **LEARNING)
    with pytest.raises(NotTestableError):
        CLAIMS["orthogonal_is_flat"].measure(found)
