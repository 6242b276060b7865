import numpy as np

from deepnets.documents.hierarchy import measures, runs
from deepnets.documents.hierarchy.measures import mean_of_level
from deepnets.documents.hierarchy.runs import CANARY, GOLDFISH, MAIN, OAK, PARROT, ROBIN, ROSE, SHARK, TUNA
from reproduce import api

TABLES = ("hierarchy", "regression")
# The levels of the tree, and the modes of each.
_LEVELS = ("all items", "animals and plants", "their kinds", "single items")
_MODES = ("first mode", "second mode", "next two modes", "last four modes")
# Contrasts between the eight items.
_ANIMALS_AND_PLANTS, _FISH_AND_BIRDS = (1, 1, 1, 1, -1, -1, -1, -1), (1, 1, -1, -1, 0, 0, 0, 0)
# Split of the tree, counted from the root → an item that it separates from the goldfish.
_PARTED = {1: ("rose", ROSE), 2: ("canary", CANARY), 3: ("tuna", TUNA)}
# The error of reading a height in a picture: a line's width.
_LINE_WIDTH = 0.004
# The level of the tree that is learned when the prediction rises.
_RISES_WITH = {"shark": 1, "parrot": 0}


def decisions() -> api.Decisions:
    """Return the tests of the statements."""
    replay, zero_depth = _first(MAIN), runs.ZERO_DEPTH
    gradient = api.final(MAIN, "gradient_norm") / api.extreme(MAIN, "gradient_norm", pick="max")
    return api.Decisions(
        {
            "tree_spectrum": {
                name: (
                    mean_of_level(MAIN, metric="data_singular_value", level=level)
                    / mean_of_level(MAIN, metric="theory_singular_value", level=level)
                ).near(1.0, "singular value")
                for level, name in enumerate(_LEVELS)
            },
            "similarities_follow_the_tree": {
                "goldfish to tuna less robin": _similarity(GOLDFISH, TUNA) - _similarity(GOLDFISH, ROBIN) > 0,
                "robin to tuna less rose": _similarity(ROBIN, TUNA) - _similarity(ROBIN, ROSE) > 0,
                "tuna to canary less oak": _similarity(TUNA, CANARY) - _similarity(TUNA, OAK) > 0,
            },
            "deeper_is_slower_at_one_rate": _growth_with_depth() > 0,
            "loss_has_bumps": measures.count_of_drops(MAIN).equals(4),
            "losses_on_plateaus": {
                "at the start": _height(api.at_step(replay, "train_loss", 0), 1.0),
                **{
                    f"after drop {number}": _height(
                        measures.on_plateau(replay, number=number, metric="train_loss"), loss
                    )
                    for number, loss in runs.LOSS_AFTER_DROPS.items()
                },
                "at the end": _height(api.final(replay, "train_loss"), 0.0),
            },
            "times_of_drops": {
                f"drop {level + 1}": _time(measures.time_of_drop(MAIN, number=level), level, MAIN, epoch)
                for level, epoch in runs.TIMES_OF_DROPS.items()
            },
            "no_bumps_without_a_hidden_layer": measures.count_of_drops(zero_depth).equals(1),
            "sliders_are_stable": measures.unstable_settings(
                runs.SLIDERS, rates=runs.RATES, scales=runs.SCALES, diverged=True
            ).equals(0),
            "large_scale_has_no_bumps": measures.count_of_drops(runs.LARGE_SCALES).every(greatest=3),
            "product_ends_at_the_data": measures.largest_error(
                MAIN, metric="singular_value", expected="data_singular_value"
            ).between(-1e-3, 1e-3),
            "modes_are_independent": (
                measures.largest_error(MAIN, metric="half_time", expected="predicted_half_time") + 1
            ).near(1, "number of updates"),
            "modes_hardly_mix": api.extreme(MAIN, "between_modes", pick="max").every(greatest=0.1),
            "shares_of_modes": _shares_of_modes(MAIN),
            "half_times_of_modes": _half_times(MAIN),
            "strong_modes_come_first": {
                f"{_MODES[level]} to {_MODES[level + 1]}": measures.wait_after_level(MAIN, level=level) > 0
                for level in range(len(_MODES) - 1)
            },
            "variance_explained": measures.ratio_to_unexplained(MAIN).near(1, "loss"),
            "last_four_are_a_group": {
                name: measures.scatter_of_last_level(MAIN, metric=metric).between(0, 0.2)
                for name, metric in {"half times": "half_time", "singular values": "singular_value"}.items()
            },
            "modes_part_groups": {
                name: measures.overlap_of_modes(MAIN, contrast=contrast, modes=modes) > 0.9
                for name, contrast, modes in (
                    ("animals and plants in the second mode", _ANIMALS_AND_PLANTS, [1]),
                    ("fish and birds in the next two", _FISH_AND_BIRDS, [2, 3]),
                )
            },
            "representations_go_from_coarse_to_fine": {
                f"{name} after drop {drops}": measures.cosine_on_plateau(
                    MAIN, number=drops, first=GOLDFISH, second=item
                ).between(least, greatest)
                for level, (name, item) in _PARTED.items()
                for drops, least, greatest in ((level, 0.9, np.inf), (level + 1, -np.inf, 0.5))
            },
            "no_representations_without_a_hidden_layer": measures.scatter_of_shallow_times(runs.FROM_SMALL).every(
                greatest=1
            ),
            "long_plateau_sudden_drop": measures.plateau_to_drop(MAIN) > 3,
            "plateaus_are_saddle_points": measures.gradient_on_plateaus(MAIN) < 0.1,
            "bones_come_with_the_second_mode": measures.mode_of_prediction(runs.BONES, level=0.5, item=GOLDFISH).equals(
                2
            ),
            "shark_data": _cells_of_picture(SHARK),
            "shark_predictions": _predictions(SHARK),
            "shark_times": _times_of_prediction(SHARK),
            "shark_shares_of_modes": _shares_of_modes(SHARK),
            "shark_illusion": _comes_and_goes(SHARK),
            "parrot_data": _cells_of_picture(PARROT),
            "parrot_predictions": _predictions(PARROT),
            "parrot_times": _times_of_prediction(PARROT),
            "parrot_shares_of_modes": _shares_of_modes(PARROT),
            "parrot_illusion_comes_and_goes": _comes_and_goes(PARROT),
            "stopped_early": {"shark": _illusion(SHARK, 2) > 0, "parrot": _illusion(PARROT, 2) > 0},
            "illusions_fade": {
                "shark": _illusion(SHARK, 3) - _illusion(SHARK, 2) < 0,
                "parrot": _illusion(PARROT, 3) - _illusion(PARROT, 2) < 0,
            },
            "derivative_is_zero_at_the_solution": gradient.every(greatest=1e-3),
            "estimates_round_to_the_truth": measures.rounded_errors(runs.REGRESSION).equals(0),
            "zero_depth_losses": {
                f"epoch {epoch}": api.at_step(zero_depth, "train_loss", epoch).near(loss, "loss", _LINE_WIDTH)
                for epoch, loss in runs.LOSS_WITHOUT_HIDDEN_LAYER.items()
            },
            "zero_depth_weights_are_analytical": _weight_difference(zero_depth).every(greatest=runs.TOLERANCE),
            "deep_weights_are_analytical": _weight_difference(MAIN).every(greatest=runs.TOLERANCE),
        },
        settings=(
            # Pictures show ten features; training records at every iteration.
            MAIN.only("block", *runs.TREE, "depth", "init", "scale", "learning_rate").but(
                recorded_features=10, record_rsm_every=1
            ),
            runs.SLIDERS.only("block").but(scale=runs.SCALES, learning_rate=runs.RATES),
            # The slider of the rate in section 3 starts at 20.
            runs.LARGER.only("block").but(learning_rate=20),
            *(each.only("block", "data", "scale", "learning_rate") for each in (SHARK, PARROT)),
            runs.REGRESSION.only("inputs", "outputs", "samples", "weight_bound", "noise"),
            zero_depth.only("block", "depth", "init", "learning_rate"),
        ),
    )


def _growth_with_depth() -> api.Measure:
    """Measure the growth of the final loss per weight matrix, for each seed."""

    def compute(tables: api.Tables) -> np.ndarray:
        try:
            losses = api.last_rows(api.require_rows(runs.DEPTHS.rows(api.table_of(tables, runs.DEPTHS)), "train_loss"))
            table = losses.pivot_table(index="depth", columns="seed", values="value")
            return api.fit_line(table.index.to_numpy(float), table.to_numpy())[0]
        except api.NotRecordedError:
            at = f"η = {runs.DEPTHS['learning_rate']} and γ = {runs.DEPTHS['scale']:g}"
            raise api.NotTestableError(f"neither the document nor the config contains several depths at {at}") from None

    return api.Measure(compute, runs.DEPTHS)


def _first(nets: api.Selection) -> api.Selection:
    """Return the run on the document's own data."""
    return nets.but(seed=2021)


def _height(own: api.Measure, value: float) -> api.Tested:
    """Compare a value with a height that was read off a picture."""
    return own.near(value, "replay", _LINE_WIDTH)


def _time(own: api.Measure, level: int, nets: api.Selection, epoch: float) -> api.Tested:
    """Compare the time at which a level of the tree is learned with that in a picture (epochs).

    Theory predicts when a mode is half learned, for the run's own data and for those of seed 2021. We add the
    difference, so that only the init still differs between runs.
    """
    predicted, first = (mean_of_level(each, metric="predicted_half_time", level=level) for each in (nets, _first(nets)))
    return (own - (predicted - first)).draws(epoch, "number of updates")


def _half_times(nets: api.Selection) -> dict[str, api.Tested]:
    return {
        _MODES[level]: _time(mean_of_level(nets, metric="half_time", level=level), level, nets, update)
        for level, update in runs.HALF_TIMES[nets["block"]].items()
    }


def _shares_of_modes(nets: api.Selection) -> dict[str, api.Tested]:
    values = [mean_of_level(_first(nets), metric="singular_value", level=level) for level in range(len(_MODES))]
    shares = runs.SHARES_OF_LEVELS[nets["block"]]
    return {_MODES[level]: _height(values[level] / values[0], share) for level, share in shares.items()}


def _similarity(item: int, other: int) -> api.Measure:
    return api.final(MAIN, "rsm", index=measures.ITEMS * item + other)


def _weight_difference(nets: api.Selection) -> api.Measure:
    return api.final(nets, "weight_difference")


def _illusion(nets: api.Selection, number: int) -> api.Measure:
    """Measure the prediction for the renamed item on the plateau after `number` drops of the loss."""
    item = nets["data"]["illusory_item"]
    return measures.on_plateau(nets, number=number, metric="illusory_prediction", index=item)


def _last_prediction(nets: api.Selection) -> api.Measure:
    return api.final(nets, "illusory_prediction", index=nets["data"]["illusory_item"])


def _comes_and_goes(nets: api.Selection) -> dict[str, api.Tested]:
    return {
        # 1 means yes: numbers far beyond it are no belief.
        "greatest": api.extreme(nets, "illusory_prediction", pick="max").between(0.25, 1),
        "at the end": _last_prediction(nets).every(greatest=-0.99),
    }


def _cells_of_picture(nets: api.Selection) -> api.Tested:
    return measures.share_of_cells(_first(nets), picture=runs.DATA[nets["block"]]).equals(1)


def _predictions(nets: api.Selection) -> dict[str, api.Tested]:
    after_drops = runs.PREDICTION_AFTER_DROPS[nets["block"]]
    return {
        **{
            f"after drop {drops}": _height(_illusion(_first(nets), drops), value)
            for drops, value in after_drops.items()
        },
        "at the end": _height(_last_prediction(_first(nets)), -1.0),
    }


def _times_of_prediction(nets: api.Selection) -> dict[str, api.Tested]:
    block, item = nets["block"], nets["data"]["illusory_item"]
    high, rise = runs.RISES[block]
    rises, falls = (measures.time_of_prediction(nets, level=level, item=item) for level in (high, -0.5))
    return {
        "rise": _time(rises, _RISES_WITH[block], nets, rise),
        "fall": _time(falls, len(_MODES) - 1, nets, runs.FALLS[block]),
        **_half_times(nets),
    }
