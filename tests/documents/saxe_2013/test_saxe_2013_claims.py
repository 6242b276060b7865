"""The measures of the claims of Saxe et al. 2013, on tables written by hand."""

import numpy as np
import pytest

from deepnets.claims.criteria import NOT_REPRODUCED, NOT_TESTABLE
from deepnets.documents.saxe_2013.runs import CURVES, DECOUPLED, RANDOM_TREE
from deepnets.jobs.judge import row_of
from deepnets.tables.axes import axes_of
from deepnets.tables.selection import NotTestableError
from deepnets.theory import tanh_variance
from evidence import Claims, of_one_grid, table

CLAIMS = Claims("saxe_2013")
verdict = CLAIMS.verdict


def evidence(experiment, runs, **settings):
    """Return tables of runs of one experiment, each (axes, metrics), in one grid with these settings."""
    frame = table(runs).assign(experiment=experiment)
    return of_one_grid(experiment, frame, axes_of(frame, "experiment"), settings)


def series(values, index=0):
    return {(step, index): value for step, value in enumerate(values)}


def by_index(values, step=0):
    return {(step, index): value for index, value in enumerate(values)}


def plane(singular_value=1, **changes):
    first = {**series([-1.5, 0.002], 0), **series([1.0, 2.0], 1)}
    second = {**series([1.5, -0.001], 0), **series([0.5, 0.501], 1)}
    metrics = {"first_layer": first, "second_layer": second, "theory_first_layer": first, "theory_second_layer": second}
    metrics |= {"half_time": {(0, 1): 100.0}, "theory_half_time": {(0, 1): 100.5}}
    runs = [({"depth": 2, "init": "given", "seed": 0}, {**metrics, **changes})]
    return evidence("phase_portrait", runs, singular_value=singular_value, learning_rate=0.002, steps=4000)


def test_a_mode_stays_on_its_hyperbola_and_ends_at_0_or_at_ab_equal_to_s():
    found = plane()
    changes = CLAIMS["hyperbola_is_conserved"].measure(found)
    assert changes == pytest.approx([0.002**2 - 0.001**2, 4 - 0.501**2 - 0.75])
    # The first run starts on the line a = −b, the second does not.
    ends = CLAIMS["ends_of_learning"].measure(found)
    assert ends["distance from 0"] == pytest.approx([np.hypot(0.002, 0.001)])
    assert ends["distance of ab from s"] == pytest.approx([0.002])
    assert verdict("hyperbola_is_conserved", found) == NOT_REPRODUCED
    assert verdict("ends_of_learning", plane(singular_value=2)) == NOT_TESTABLE


_NAMES = ("levels", "branches", "flip_probability", "features", "hidden", "learning_rate", "initial_strength")
TREE = RANDOM_TREE.only(*_NAMES).wanted


def tree_run(times, block="small_random", init="normal", activation="linear", seed=0):
    """Return a run with two modes, s = 40 and s = 20. `times` has the half times net by net."""
    metrics = {
        "data_singular_value": by_index([40.0, 20.0]),
        "theory_half_time": by_index([100.0, 200.0]),
        "half_time": by_index(times),
    }
    return {"block": block, "depth": 2, "init": init, "activation": activation, "seed": seed}, metrics


def test_delays_are_measured_for_each_mode_and_net():
    runs = [tree_run([110, 240, 120, 260]), tree_run([130, 280, 140, 300], seed=1)]
    runs.append(tree_run([130, 280, 130, 280], activation="tanh"))
    runs.append(tree_run([130, 280, 130, 280], activation="tanh", seed=1))
    found = evidence("mode_dynamics", runs, **TREE)
    follows = CLAIMS["small_random_starts_follow_theory"].measure(found)
    assert follows["linear"] == pytest.approx([0.15, 0.25, 0.35, 0.45])
    assert follows["tanh"] == pytest.approx([0.35, 0.35, 0.35, 0.35])
    delays = CLAIMS["competition_and_saturation_delay"].measure(found)
    assert delays["linear nets against theory"] == pytest.approx([0.15, 0.25, 0.35, 0.45])
    assert delays["tanh against linear nets"] == pytest.approx([0.2, 0.1, 0, -0.1])
    assert CLAIMS["time_is_inverse_in_strength"].measure(found)[0] == pytest.approx(np.log2(110 / 240))
    other = evidence("mode_dynamics", runs, **{**TREE, "hidden": 16})
    assert verdict("competition_and_saturation_delay", other) == NOT_TESTABLE


def test_a_net_that_does_not_learn_a_mode_does_not_reproduce_the_claims():
    axes, metrics = tree_run([101, 202, 101, 202])
    del metrics["half_time"][0, 3]
    runs = [(axes, metrics), tree_run([101, 202, 101, 202], activation="tanh")]
    assert verdict("small_random_starts_follow_theory", evidence("mode_dynamics", runs, **TREE)) == NOT_REPRODUCED


def strengths(first, second):
    """Return the strengths of two modes, s = 40 and s = 20, at steps 0, 10, 20, …"""
    values = {(10 * step, mode): value for mode, all_of_it in enumerate((first, second)) for step, value in all_of_it}
    return {"data_singular_value": by_index([40.0, 20.0]), "mode_strength": values}


def test_the_length_of_a_rise_is_compared_with_that_of_the_plateau_before_it():
    rising = list(enumerate([0, 1, 4, 20, 36, 39]))
    slow = list(enumerate([0, 2, 4, 10, 17, 18]))
    axes = {"block": "small_random", "depth": 2, "init": "normal"}
    runs = [
        ({**axes, "activation": "linear", "seed": 0}, strengths(rising, slow)),
        ({**axes, "activation": "tanh", "seed": 0}, strengths(rising, slow[:-1])),
    ]
    found = evidence("mode_dynamics", runs, **TREE)
    # The first mode reaches a tenth after 20 updates and nine tenths after 40, the second after 10 and 50.
    measured = CLAIMS["plateaus_and_transitions"].measure(found)
    assert measured["linear"] == pytest.approx([(1 + 4) / 2])
    assert np.isnan(measured["tanh"]).tolist() == [True]
    assert verdict("plateaus_and_transitions", found) == NOT_REPRODUCED
    # The modes end at 39 of 40 and at 18 of 20.
    assert CLAIMS["learning_ends_at_the_optimum"].measure(found) == pytest.approx([0.1])


def test_balanced_modes_are_late_by_half_a_step():
    found = evidence("mode_dynamics", [tree_run([101, 201], block="decoupled", init="decoupled")], **TREE)
    # The delays are 1 % and 0.5 %, the steps ηs are 2 % and 1 %.
    assert CLAIMS["balanced_half_times"].measure(found) == pytest.approx([0.5, 0.5])


def test_the_mode_of_mnist_that_is_furthest_from_theory_counts_for_each_net():
    axes = {"block": "small", "depth": 2, "init": "orthogonal", "scale": 0.001}
    theory = {"theory_half_time": by_index([10, 20]), "predicted_half_time": by_index([20, 40])}
    runs = [
        ({**axes, "seed": seed}, {"half_time": by_index(times), **theory})
        for seed, times in enumerate([[9, 22], [13, 22]])
    ]
    found = evidence("mnist_modes", runs, hidden=32, learning_rate=0.1)
    first, second = CLAIMS["mnist_half_times_follow_theory"].measure(found).values()
    assert first == pytest.approx([0.1, 0.3])
    assert second == pytest.approx([0.55, 0.45])


LEARNING = {**CURVES.wanted, **DECOUPLED.wanted, "max_steps": 1700}


def net(init, depth, time=None, *, seed=0, block="depths", width=100, last=50, **metrics):
    metrics = {name: by_index(values) for name, values in metrics.items()} | {"train_loss": {(0, 0): 1, (last, 0): 0.1}}
    if time:
        metrics["learning_time"] = {(time, 0): time}
    return {"block": block, "depth": depth, "init": init, "width": width, "seed": seed}, metrics


def test_a_net_that_has_not_learned_counts_with_its_last_update():
    runs = [
        net("gaussian", 9, 10),
        net("gaussian", 9, 20, seed=1),
        net("gaussian", 99, seed=1),
        net("gaussian", 99, 40),
        *(net("orthogonal", 99, 30, seed=seed) for seed in (1, 0)),
    ]
    runs += [net(init, 4, time, seed=seed) for init, time in (("gaussian", 12), ("orthogonal", 3)) for seed in (0, 1)]
    found = evidence("learning_time", runs, **LEARNING)
    grown, magnified = (CLAIMS[name].measure(found) for name in ("gaussian_grows", "gap_is_magnified_by_depth"))
    # At 100 layers the gap is 50/30 and 40/30, at 5 layers 4.
    assert grown.values.tolist() == [5.0, 2.0] and magnified.values == pytest.approx([5 / 12, 4 / 12])
    assert row_of(CLAIMS["gaussian_grows"], found, "full")["ours"].startswith("at least 3.5")
    assert CLAIMS["gap_is_modest_at_6_layers"].measure(found)["5 layers"] == pytest.approx([4, 4])
    none = evidence("learning_time", [net("gaussian", 9, 10), net("gaussian", 99)], **LEARNING)
    assert CLAIMS["gaussian_grows"].measure(none).values == pytest.approx([5])
    for other in ({"threshold": 0.1}, {"max_steps": 100}):
        assert verdict("gaussian_grows", evidence("learning_time", runs, **{**LEARNING, **other})) == NOT_TESTABLE


def test_claims_on_constant_times_use_28_layers_or_more_and_compare_with_3():
    times = {2: 10, 27: 40, 99: 44}
    runs = [net("orthogonal", depth, time + seed, seed=seed) for depth, time in times.items() for seed in (0, 1)]
    found = evidence("learning_time", runs, **LEARNING)
    assert CLAIMS["orthogonal_is_flat"].measure(found) == pytest.approx([44 / 40, 45 / 41])
    assert CLAIMS["times_from_3_layers"].measure(found)["orthogonal"] == pytest.approx([44 / 10, 45 / 11])
    assert verdict("pretrained_is_flat", found) == NOT_TESTABLE
    lost = evidence("learning_time", [*runs[:-1], net("orthogonal", 99, seed=1)], **LEARNING)
    assert np.isnan(CLAIMS["orthogonal_is_flat"].measure(lost)).tolist() == [False, True]
    assert verdict("orthogonal_is_flat", lost) == NOT_REPRODUCED


def test_pretrained_nets_are_compared_with_decoupled_ones_at_the_depth_where_they_gain_least():
    runs = [net("pretrained", depth, time + seed, seed=seed) for depth, time in ((2, 10), (99, 30)) for seed in (0, 1)]
    runs += [net("decoupled", depth, time) for depth, time in ((2, 8), (99, 60), (4, 1))]
    found = evidence("learning_time", runs, **LEARNING)
    assert CLAIMS["pretrained_is_faster_than_a_small_start"].measure(found) == pytest.approx([10 / 8, 11 / 8])


def test_two_kinds_of_nets_are_compared_by_the_mean_over_depths():
    runs = [net("orthogonal", depth, time, seed=seed) for seed in (0, 1) for depth, time in ((2, 10), (99, 40))]
    runs += [net("pretrained", depth, 10 + 10 * seed, seed=seed) for seed in (0, 1) for depth in (2, 99)]
    name = "orthogonal_is_as_fast_as_pretrained"
    assert CLAIMS[name].measure(evidence("learning_time", runs, **LEARNING)) == pytest.approx([2, 1])
    assert verdict(name, evidence("learning_time", runs[:6], **LEARNING)) == NOT_TESTABLE


def test_saturation_compares_the_time_per_layer_at_both_ends():
    runs = [net("decoupled", depth, time) for depth, time in ((2, 10), (4, 30), (73, 200), (99, 213))]
    assert CLAIMS["times_saturate"].measure(evidence("learning_time", runs, **LEARNING)) == pytest.approx([0.05])


def test_best_rates_are_compared_with_theory_at_each_depth():
    rates = {
        depth: net("decoupled", depth, 10, best_learning_rate=[rate / (depth + 1)], theory_best_learning_rate=[theory])
        for depth, rate, theory in ((9, 1.1, 0.1), (99, 1, 0.01))
    }
    found = evidence("learning_time", rates.values(), **LEARNING)
    assert CLAIMS["best_rate_is_inverse_in_curvature"].measure(found) == pytest.approx([1.1])
    assert CLAIMS["best_rate_is_inverse_in_layers"].measure(found) == pytest.approx([-1 - np.log10(1.1)])


def test_pretraining_counts_its_own_updates():
    runs = [net("pretrained", 4, 15, block="learning_curves", width=200, pretraining_updates=[10, 12, 8, 1])]
    runs += [net("small_gaussian", 4, 48, block="learning_curves", width=200)]
    found = evidence("learning_time", runs, **LEARNING)
    assert CLAIMS["pretraining_speeds_learning"].measure(found) == pytest.approx([33])
    # 48 updates are 1.04 times as many as 15 + 31.
    assert CLAIMS["pretraining_pays"].measure(found) == [0]
    runs[1:] = [net("small_gaussian", 4, block="learning_curves", width=200, last=100)]
    # At least 100 updates are 2.2 times as many, four times a factor of 1.19.
    assert CLAIMS["pretraining_pays"].measure(evidence("learning_time", runs, **LEARNING)).values == [4]


def test_correlation_claims_measure_entries_off_the_diagonal():
    matrices = {"mode_correlation": [4.0, 0.2, 0.2, 1.0], "pixel_correlation": [4.0, -1.0, -1.0, 1.0]}
    # The images are the same for all seeds, so only the first is used.
    runs = [
        ({"depth": 1, "init": "none", "seed": seed}, {name: by_index(values) for name, values in found.items()})
        for seed, found in ((3, {name: [1.0, 0.0, 0.0, 1.0] for name in matrices}), (0, matrices))
    ]
    found = evidence("input_correlations", runs, images=50_000)
    modes, pixels = CLAIMS["consistency_condition"].measure(found).values()
    assert modes == pytest.approx([0.1])
    assert pixels == pytest.approx([5])


def nets(metrics, *, block="products", init="gaussian", depth=5, gain=1, activation="linear", size=4, seed=0):
    axes = {"block": block, "depth": depth, "init": init, "gain": gain, "activation": activation, "size": size}
    return {**axes, "seed": seed}, metrics


def test_claims_on_a_spectrum_are_measured_over_its_nets():
    real = [0.01, -0.02, 0.5, 0.04, 0.9, 0.9, 0.9, -0.049]
    imaginary = [0.04, 0.06, 0.0, -0.04, 0.0, 0.0, 0.0, 0.0]
    values = [3.0, 0.04, 0.03, 0.2, 5.0, 0.06, 0.01, 0.001]
    metrics = {
        "eigenvalue_real": by_index(real),
        "eigenvalue_imag": by_index(imaginary),
        "singular_value": by_index(values),
    }
    one_factor = {"singular_value": by_index([1.0, 0.5, 0, 0, 1.0, 0, 0, 0])}
    found = evidence("spectra", [nets(metrics, depth=100), nets(one_factor, depth=1)])
    assert CLAIMS["shares_at_origin"].measure(found)["100 factors"] == pytest.approx([50, 25])
    assert CLAIMS["most_singular_values_vanish"].measure(found)["100 factors"] == pytest.approx([0.5, 0.5])
    # The largest values of the two nets are 3 and 5, those of one factor are 1.
    assert CLAIMS["large_singular_values_remain"].measure(found).mean == pytest.approx(4)
    squares = CLAIMS["products_preserve_norms_on_average"].measure(found)
    assert squares["factors: 1"] == pytest.approx([1.25 / 4, 1 / 4])
    assert verdict("shares_at_origin", found) == NOT_TESTABLE


def test_the_kurtosis_is_that_of_all_singular_values_of_a_run():
    runs = [
        nets({"singular_value": by_index(values)}, depth=depth)
        for depth, values in ((1, [0, 2, 0, 2]), (5, [0, 0, 0, 4]), (100, [0, 0, 0, 9]))
    ]
    growth = CLAIMS["spectra_become_kurtotic"].measure(evidence("spectra", runs))
    # The kurtosis of two equally frequent values is 1, that of one among four is (9² + 3)/4 over 3².
    assert growth["5 factors over 1"] == pytest.approx([7 / 3])
    assert growth["100 factors over 5"] == pytest.approx([1])


def test_the_distance_from_the_law_is_a_number_of_values():
    # One value is the median of the quarter circle, the others are above its edge, 2.
    law = [0.8079455066, 2.5, 2.5, 2.5]
    found = evidence("spectra", [nets({"log_singular_value": by_index(np.log(law))}, depth=1)])
    # A quarter of the values is at the median of the law, and no more are below its edge.
    laws = CLAIMS["laws_of_random_matrices"].measure(found)
    assert laws["singular values of one matrix"] == pytest.approx([4 * 0.75], rel=1e-6)
    # Three quarters of the values are where the law has almost none.
    found = evidence("spectra", [nets({"log_singular_value": by_index(np.log([1e-9, 1e-9, 1e-9, 0.8]))}, depth=1)])
    laws = CLAIMS["laws_of_random_matrices"].measure(found)
    assert laws["singular values of one matrix"] == pytest.approx([4 * 0.75], rel=1e-6)


def test_the_distance_from_the_disc_is_that_of_moduli():
    eigenvalues = {"eigenvalue_real": by_index([0, 0.6, 0, 2]), "eigenvalue_imag": by_index([0.5, 0.8, -1, 0])}
    found = evidence("spectra", [nets(eigenvalues, depth=1)])
    # Of the moduli 0.5, 1, 1, 2, a quarter is below 1, where the law has all. The unit is 1/√4.
    laws = CLAIMS["laws_of_random_matrices"].measure(found)
    assert laws["eigenvalues of one matrix"] == pytest.approx([2 * 0.75])


def test_an_orthogonal_product_that_diverged_is_not_an_isometry():
    eigenvalues = {"eigenvalue_real": by_index([0.6, 0]), "eigenvalue_imag": by_index([0.8, -1])}
    runs = [nets({"singular_value": by_index([1, 1 + 1e-12]), **eigenvalues}, init="orthogonal")]
    runs.append(nets({"diverged": {(3, 0): 1}}, init="orthogonal", depth=100))
    assert verdict("orthogonal_products_are_isometries", evidence("spectra", runs)) == NOT_REPRODUCED
    unrecorded = evidence("spectra", [nets({"variance": {(1, 0): 1}}, init="orthogonal")])
    assert verdict("orthogonal_products_are_isometries", unrecorded) == NOT_TESTABLE


def test_variances_are_compared_input_by_input_and_at_the_end_net_by_net():
    gain, inputs = 1.5, np.array([1.0, 0.25])
    end = tanh_variance.fixed_point(gain)
    metrics = {
        "input_variance": by_index(inputs),
        "variance": {
            **by_index([9, 9, 9, 9], step=1),
            **by_index(end * np.array([1.1, 1.3, 1, 1]), step=100),
        },
    }
    kind = {"block": "variances", "init": "orthogonal", "activation": "tanh", "depth": 100}
    at_1 = np.outer([1.1, 0.8], tanh_variance.next_variance(inputs, 1)).ravel()
    shown = {**metrics, "variance": by_index(at_1, step=1)}
    found = evidence("spectra", [nets(metrics, gain=gain, **kind), nets(shown, gain=1, **kind)])
    assert CLAIMS["variance_map"].measure(found) == pytest.approx([1.1, 0.8])
    assert CLAIMS["variance_goes_to_its_fixed_point"].measure(found)["gain 1.5"] == pytest.approx([1.2, 1])
    dying = evidence("spectra", [nets(metrics, gain=0.8, **kind)])
    assert verdict("variance_goes_to_its_fixed_point", dying) == NOT_TESTABLE
    assert CLAIMS["variance_dies_below_1"].measure(dying) == pytest.approx(end * np.array([1.1, 1.3, 1, 1]))


def test_jacobians_are_compared_with_theory_at_their_own_gain():
    kind = {"block": "jacobians", "init": "orthogonal", "activation": "tanh", "depth": 100}
    values = {0.9: [2e-5, 1e-6], 0.95: [0.2, 0.01, 0.09, 0.05], 1: [0.2, 0.3, 0.4, 0.05], 1.05: [3, 0.11, 0.09, 11]}
    runs = [nets({"singular_value": by_index(each)}, gain=gain, **kind) for gain, each in values.items()]
    found = evidence("spectra", runs, input_variances=[1])
    assert CLAIMS["gradients_vanish_below_1"].measure(found)["gain 0.9"] == pytest.approx([2e-5])
    share, largest = CLAIMS["isometry_at_the_edge_of_chaos"].measure(found).values()
    assert (share, largest) == (pytest.approx([0.75]), pytest.approx([0.4]))
    assert verdict("larger_gains_are_safer", found) == NOT_TESTABLE
    runs.append(nets({"singular_value": by_index([1, 1, 1, 1])}, gain=1.1, **kind))
    # The share is greater by 1/4 at 1.05 than at 0.95, and by 1 at 1.1 than at 0.9.
    found_all = evidence("spectra", runs, input_variances=[1])
    assert CLAIMS["larger_gains_are_safer"].measure(found_all) == pytest.approx([0.625])
    large = evidence("spectra", runs, input_variances=[4])
    assert (
        verdict("isometry_at_the_edge_of_chaos", large) == verdict("isometry_with_large_inputs", found) == NOT_TESTABLE
    )
    assert CLAIMS["isometry_with_large_inputs"].measure(large) == pytest.approx([0.75])


def test_the_spread_of_singular_values_is_that_of_their_logarithms():
    kind = {"block": "jacobians", "init": "orthogonal", "activation": "tanh", "depth": 100}
    runs = [
        nets({"log_singular_value": by_index([-spread, spread])}, gain=gain, **kind)
        for gain, spread in ((1, 2), (1.1, 3))
    ]
    runs += [nets({"log_singular_value": by_index([-spread, spread])}, depth=100, seed=spread) for spread in (30, 33)]
    inner, outer = CLAIMS["anisotropy_is_mild_above_1"].measure(evidence("spectra", runs, input_variances=[1])).values()
    assert inner == pytest.approx([1.5])
    assert outer.mean == pytest.approx(10.5)


def test_helpers_read_only_their_own_block():
    found = evidence("learning_time", [net("orthogonal", depth, 9, block="other") for depth in (2, 99)], **LEARNING)
    with pytest.raises(NotTestableError):
        CLAIMS["orthogonal_is_flat"].measure(found)
