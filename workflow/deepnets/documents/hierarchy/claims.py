from collections.abc import Callable, Mapping

import numpy as np

from deepnets.documents.hierarchy import measures, plateaus, printed, runs
from reproduce import api

TABLES = ("hierarchy", "regression")
# The levels of the tree, and the modes of each.
_LEVELS = ("all items", "animals and plants", "their kinds", "single items")
_MODES = ("first mode", "second mode", "next two modes", "last four modes")
# Contrasts between the eight items.
_ANIMALS_AND_PLANTS, _FISH_AND_BIRDS = (1, 1, 1, 1, -1, -1, -1, -1), (1, 1, -1, -1, 0, 0, 0, 0)
# Split of the tree, counted from the root → an item that it separates from the goldfish.
_PARTED = {1: ("rose", runs.ROSE), 2: ("canary", runs.CANARY), 3: ("tuna", runs.TUNA)}
# The error of reading a height in a picture: a line's width.
_LINE_WIDTH = 0.004
# The level of the tree that is learned when the prediction rises.
_RISES_WITH = {"shark": 1, "parrot": 0}
# 1 means yes: numbers far beyond it are no belief.
_BELIEF, _YES, _FALLING = api.Between(0.25, 1), api.ABOVE_0, api.BELOW_0


def decisions() -> api.Decisions:
    """Return the measures and criteria of the statements."""
    within_tolerance = api.Every(greatest=printed.TOLERANCE)
    return api.Decisions(
        {
            "tree_spectrum": {
                name: (
                    _mean_of_level(runs.MAIN, "data_singular_value", level)
                    / _mean_of_level(runs.MAIN, "theory_singular_value", level)
                ).near(1.0, "singular value")
                for level, name in enumerate(_LEVELS)
            },
            "similarities_follow_the_tree": {
                "goldfish to tuna less robin": _is_closer(runs.GOLDFISH, runs.TUNA, runs.ROBIN),
                "robin to tuna less rose": _is_closer(runs.ROBIN, runs.TUNA, runs.ROSE),
                "tuna to canary less oak": _is_closer(runs.TUNA, runs.CANARY, runs.OAK),
            },
            "deeper_is_slower_at_one_rate": (_growth_with_depth(), _YES),
            "loss_has_bumps": _of_main(plateaus.count_of_drops).equals(4),
            "losses_on_plateaus": {
                "at the start": (api.at_step(_first(runs.MAIN), "train_loss", 0), _height(1.0)),
                **{
                    f"after drop {number}": (_on_plateau(_first(runs.MAIN), number, "train_loss"), _height(loss))
                    for number, loss in printed.LOSS_AFTER_DROPS.items()
                },
                "at the end": (api.final(_first(runs.MAIN), "train_loss"), _height(0.0)),
            },
            "times_of_drops": {
                f"drop {level + 1}": _time(_of_main(plateaus.time_of_drop, number=level), level, runs.MAIN, epoch)
                for level, epoch in printed.TIMES_OF_DROPS.items()
            },
            "no_bumps_without_a_hidden_layer": api.measure(plateaus.count_of_drops, runs.ZERO_DEPTH).equals(1),
            "sliders_are_stable": api.measure(
                plateaus.unstable_settings, runs.SLIDERS, rates=printed.RATES, scales=printed.SCALES
            ).equals(0),
            "large_scale_has_no_bumps": api.measure(plateaus.count_of_drops, runs.LARGE_SCALES).every(greatest=3),
            "product_ends_at_the_data": _of_main(measures.distance_from_data).between(-1e-3, 1e-3),
            "modes_are_independent": _of_main(measures.ratio_to_narrow_nets).near(1, "number of updates"),
            "shares_of_modes": _shares_of_modes(runs.MAIN),
            "half_times_of_modes": _half_times(runs.MAIN),
            "strong_modes_come_first": {
                f"{_MODES[level]} to {_MODES[level + 1]}": (_of_main(measures.wait_after_level, level=level), _YES)
                for level in range(len(_MODES) - 1)
            },
            "variance_explained": _of_main(plateaus.ratio_to_unexplained).near(1, "loss"),
            "last_four_are_a_group": {
                name: _of_main(measures.scatter_of_last_level, metric=metric).between(0, 0.2)
                for name, metric in {"half times": "half_time", "singular values": "singular_value"}.items()
            },
            "modes_part_groups": {
                name: _of_main(measures.overlap_of_modes, contrast=contrast, modes=modes) > 0.9
                for name, contrast, modes in (
                    ("animals and plants in the second mode", _ANIMALS_AND_PLANTS, [1]),
                    ("fish and birds in the next two", _FISH_AND_BIRDS, [2, 3]),
                )
            },
            "representations_go_from_coarse_to_fine": {
                f"{name} after drop {drops}": (
                    _of_main(plateaus.cosine_on_plateau, number=drops, first=runs.GOLDFISH, second=item),
                    criterion,
                )
                for level, (name, item) in _PARTED.items()
                for drops, criterion in ((level, api.Between(least=0.9)), (level + 1, api.Between(greatest=0.5)))
            },
            "no_representations_without_a_hidden_layer": api.measure(
                measures.scatter_of_shallow_times, runs.FROM_SMALL
            ).every(greatest=1),
            "long_plateau_sudden_drop": _of_main(plateaus.plateau_to_drop) > 3,
            "plateaus_are_saddle_points": _of_main(plateaus.gradient_on_plateaus) < 0.1,
            "bones_come_with_the_second_mode": api.measure(
                plateaus.mode_of_prediction, runs.BONES, level=0.5, item=runs.GOLDFISH
            ).equals(2),
            "shark_data": _cells_of_picture(runs.SHARK),
            "shark_predictions": _predictions(runs.SHARK),
            "shark_times": _times_of_prediction(runs.SHARK),
            "shark_shares_of_modes": _shares_of_modes(runs.SHARK),
            "shark_illusion": _comes_and_goes(runs.SHARK),
            "parrot_data": _cells_of_picture(runs.PARROT),
            "parrot_predictions": _predictions(runs.PARROT),
            "parrot_times": _times_of_prediction(runs.PARROT),
            "parrot_shares_of_modes": _shares_of_modes(runs.PARROT),
            "parrot_illusion_comes_and_goes": _comes_and_goes(runs.PARROT),
            "stopped_early": {"shark": (_illusion(runs.SHARK, 2), _YES), "parrot": (_illusion(runs.PARROT, 2), _YES)},
            "illusions_fade": {
                "shark": (_illusion(runs.SHARK, 3) - _illusion(runs.SHARK, 2), _FALLING),
                "parrot": (_illusion(runs.PARROT, 3) - _illusion(runs.PARROT, 2), _FALLING),
            },
            "derivative_is_zero_at_the_solution": (
                api.final(runs.MAIN, "gradient_norm") / api.extreme(runs.MAIN, "gradient_norm", pick="max")
            ).every(greatest=1e-3),
            "estimates_round_to_the_truth": api.measure(measures.rounded_errors, runs.REGRESSION).equals(0),
            "zero_depth_losses": {
                f"epoch {epoch}": api.at_step(runs.ZERO_DEPTH, "train_loss", epoch).near(
                    loss, "loss", reading=_LINE_WIDTH
                )
                for epoch, loss in printed.LOSS_WITHOUT_HIDDEN_LAYER.items()
            },
            "zero_depth_weights_are_analytical": (api.final(runs.ZERO_DEPTH, "weight_difference"), within_tolerance),
            "deep_weights_are_analytical": (api.final(runs.MAIN, "weight_difference"), within_tolerance),
        },
        settings=(
            # Pictures show ten features; training records at every iteration.
            runs.MAIN.only("block", *runs.TREE, "depth", "init", "scale", "learning_rate").but(
                recorded_features=10, record_rsm_every=1
            ),
            runs.SLIDERS.only("block").but(scale=printed.SCALES, learning_rate=printed.RATES),
            # The slider of the rate in section 3 starts at 20.
            runs.LARGER.only("block").but(learning_rate=20),
            *(each.only("block", "data", "scale", "learning_rate") for each in (runs.SHARK, runs.PARROT)),
            runs.REGRESSION.only("inputs", "outputs", "samples", "weight_bound", "noise"),
            runs.ZERO_DEPTH.only("block", "depth", "init", "learning_rate"),
        ),
    )


def _of_main(function: Callable[..., np.ndarray], **arguments: object) -> api.Measure:
    """Measure a function of the rows of the main runs."""
    return api.measure(function, runs.MAIN, **arguments)


def _growth_with_depth() -> api.Measure:
    """Measure the growth of the final loss per weight matrix, for each seed."""
    growth = api.slope(runs.DEPTHS, "train_loss", over="depth")

    def compute(tables: api.Tables) -> np.ndarray:
        try:
            return growth(tables)
        except api.NotRecordedError:
            at = f"η = {runs.DEPTHS['learning_rate']} and γ = {runs.DEPTHS['scale']:g}"
            raise api.NotTestableError(f"neither the document nor the config contains several depths at {at}") from None

    return api.Measure(compute, *growth.selections)


def _first(selection: api.Selection) -> api.Selection:
    """Return the run on the document's own data."""
    return selection.but(seed=2021)


def _height(value: float) -> api.Near:
    """Return the criterion for a height that was read off a picture."""
    return api.Near(value, of="replay", reading=_LINE_WIDTH)


def _time(own: api.Measure, level: int, selection: api.Selection, epoch: float) -> api.Tested:
    """Compare the time at which a level of the tree is learned with that in a picture (epochs).

    Theory predicts when a mode is half learned, for the run's own data and for those of seed 2021. We add the
    difference, so that only the init still differs between runs.
    """
    predicted, first = (_mean_of_level(each, "predicted_half_time", level) for each in (selection, _first(selection)))
    return (own - (predicted - first)).draws(epoch, "number of updates")


def _mean_of_level(selection: api.Selection, metric: str, level: int) -> api.Measure:
    return api.measure(measures.mean_of_level, selection, metric=metric, level=level)


def _half_times(selection: api.Selection) -> Mapping[str, api.Tested]:
    return {
        _MODES[level]: _time(_mean_of_level(selection, "half_time", level), level, selection, update)
        for level, update in printed.HALF_TIMES[selection["block"]].items()
    }


def _shares_of_modes(selection: api.Selection) -> Mapping[str, api.Tested]:
    largest = _mean_of_level(_first(selection), "singular_value", 0)
    return {
        _MODES[level]: (_mean_of_level(_first(selection), "singular_value", level) / largest, _height(share))
        for level, share in printed.SHARES_OF_LEVELS[selection["block"]].items()
    }


def _is_closer(item: int, near: int, far: int) -> api.Tested:
    """Compare the final dot products of an item's hidden activities with those of two others."""
    to_near, to_far = (api.final(runs.MAIN, "rsm", index=measures.ITEMS * item + other) for other in (near, far))
    return to_near - to_far, _YES


def _on_plateau(selection: api.Selection, number: int, metric: str, *, index: int = 0) -> api.Measure:
    return api.measure(plateaus.on_plateau, selection, number=number, metric=metric, index=index)


def _illusion(selection: api.Selection, number: int) -> api.Measure:
    """Measure the prediction for the renamed item on the plateau after `number` drops of the loss."""
    return _on_plateau(selection, number, "illusory_prediction", index=selection["data"]["illusory_item"])


def _last_prediction(selection: api.Selection) -> api.Measure:
    return api.final(selection, "illusory_prediction", index=selection["data"]["illusory_item"])


def _comes_and_goes(selection: api.Selection) -> Mapping[str, api.Tested]:
    return {
        "greatest": (api.extreme(selection, "illusory_prediction", pick="max"), _BELIEF),
        "at the end": _last_prediction(selection).every(greatest=-0.99),
    }


def _cells_of_picture(selection: api.Selection) -> api.Tested:
    return api.measure(measures.share_of_cells, _first(selection), picture=printed.DATA[selection["block"]]).equals(1)


def _predictions(selection: api.Selection) -> Mapping[str, api.Tested]:
    return {
        **{
            f"after drop {number}": (_illusion(_first(selection), number), _height(prediction))
            for number, prediction in printed.PREDICTION_AFTER_DROPS[selection["block"]].items()
        },
        "at the end": (_last_prediction(_first(selection)), _height(-1.0)),
    }


def _times_of_prediction(selection: api.Selection) -> Mapping[str, api.Tested]:
    block, item, last = selection["block"], selection["data"]["illusory_item"], len(_MODES) - 1
    high, rise = printed.RISES[block]
    rises, falls = (
        api.measure(plateaus.time_of_prediction, selection, level=level, item=item, falling=level < 0)
        for level in (high, -0.5)
    )
    return {
        "rise": _time(rises, _RISES_WITH[block], selection, rise),
        "fall": _time(falls, last, selection, printed.FALLS[block]),
        **_half_times(selection),
    }
