"""Tables of small experiments that really run. Some settings are missing in their grids."""

from swept import table_of

HIERARCHY = {
    "levels": 2,
    "branches": 2,
    "flip_probability": 0.15,
    "features": 40,
    "hidden": 6,
    "steps": 60,
    "recorded_features": 10,
    "data": {"draw": 0},
}
RATES, SCALES = [0.5, 2, 1e6], [1e-3, 0.1, 1]


def hierarchy(**changed):
    """Return runs of a small tree: rates (the largest diverges) and scales, and one setting with more similarities."""
    axes = {"dataset": ["plain"], "depth": [2], "init": ["fan_sum_normal"]}
    sliders = {**axes, "block": ["sliders"], "scale": SCALES, "learning_rate": RATES}
    main = {**axes, "block": ["main"], "scale": [0.1], "learning_rate": [2]}
    settings = {**HIERARCHY, **changed}
    return table_of(
        "hierarchy",
        [
            {"axes": sliders, "seeds": [3], "settings": {**settings, "record_rsm_every": 30}},
            {"axes": main, "seeds": [3, 4], "settings": {**settings, "record_rsm_every": 1}},
        ],
    )


def classifier():
    """Return runs of two depths at one scale and of one depth at a second scale, with two seeds or one."""
    axes = {"data_seed": [0], "init": ["xavier_normal"], "rank": [0], "target_loss": [0.01], "learning_rate": [1]}
    settings = {"dimension": 3, "classes": 3, "samples": 20, "max_steps": 40, "record_every": 10}
    settings |= {"replay": {"depths": [1, 2, 3], "repetitions": 2}, "record_data": False}
    return table_of(
        "classifier",
        [
            {
                "axes": {**axes, "block": ["depths"], "depth": [1, 2], "scale": [1]},
                "seeds": [0, 1],
                "settings": settings,
            },
            {
                "axes": {**axes, "learning_rate": [0.1], "block": ["again"], "depth": [2], "scale": [1]},
                "seeds": [0],
                "settings": settings,
            },
            {
                "axes": {**axes, "learning_rate": [100], "block": ["near_zero"], "depth": [3], "scale": [1e-4]},
                "seeds": [1],
                "settings": settings,
            },
        ],
    )


def mnist_dynamics():
    """Return runs of two update rules at two depths; one rule is not run at one depth."""
    settings = {"hidden": 3, "steps": 12, "learning_rate": 0.1, "record_product_at": list(range(13))}
    axes = {"init": ["row_normalized"]}
    return table_of(
        "mnist_dynamics",
        [
            {"axes": {**axes, "rule": ["covariance"], "depth": [2, 3]}, "seeds": [0, 1, 2], "settings": settings},
            {"axes": {**axes, "rule": ["samples"], "depth": [2]}, "seeds": [0], "settings": settings},
        ],
    )


def mnist_modes():
    """Return runs of two initial scales; only one init has the larger scale."""
    settings = {"hidden": 3, "learning_rate": 0.5, "steps": 40, "record_every": 2}
    axes = {"depth": [2]}
    small = {**axes, "block": ["small"], "init": ["orthogonal", "row_normalized"], "scale": [1e-3]}
    large = {**axes, "block": ["document"], "init": ["row_normalized"], "scale": [1]}
    return table_of("mnist_modes", [{"axes": each, "seeds": [0, 1], "settings": settings} for each in (small, large)])


def propagation():
    """Return runs of a net with clouds at two layers, and of a net with fewer layers and no clouds."""
    shared = {"activation": ["relu"], "init": ["normal"], "gain": [2], "bias": [0], "kernel": [1], "width": [8]}
    settings = {"device": "cpu", "padding": "periodic", "groups": 2, "simulations": 4}
    vanilla = {**shared, "block": ["vanilla"], "arch": ["feedforward"], "norm": ["none"], "batch": [6], "depth": [9]}
    resnet = {**shared, "block": ["bn_res"], "arch": ["residual"], "norm": ["batch"], "batch": [6], "depth": [4]}
    recorded = {"record_first": 0, "record_evenly": 9}
    return table_of(
        "propagation",
        [
            {"axes": vanilla, "seeds": [0, 1], "settings": {**settings, **recorded, "cloud_depths": [0, 3]}},
            {"axes": resnet, "seeds": [0], "settings": {**settings, **recorded, "cloud_depths": []}},
        ],
    )


def zero_init():
    """Return runs of two widths of one init, one width of a second init, and a block that repeats a point."""
    settings = {"steps": 5, "batch": 4, "learning_rate": 0.1, "decay": {"epochs": 1, "factor": 0.7}}
    settings |= {"record_every": 2, "rank_tolerance": 1e-4}
    axes = {"depth": [4], "bias": [0.01]}
    return table_of(
        "zero_init",
        [
            {
                "axes": {**axes, "block": ["widths"], "init": ["partial_identity"], "width": [4, 16]},
                "seeds": [1, 2],
                "settings": settings,
            },
            {
                "axes": {**axes, "block": ["inits"], "init": ["partial_identity", "zero"], "width": [16]},
                "seeds": [1, 2],
                "settings": settings,
            },
        ],
    )
