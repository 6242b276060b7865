"""Setting claims: the numbers of the paper's simulations."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from deepnets.claims.claim import Claim, Measure
from deepnets.claims.criteria import Criterion, Includes, Is, Printed
from deepnets.claims.evidence import Evidence, NotTestableError
from deepnets.claims.old_measures import at_step, count_of_seeds, of_paper_size, ratio, setting
from deepnets.claims.section import Runs, Section, combine_parts
from deepnets.documents.saxe_2013.printed import (
    CLASSES,
    FACTORS,
    GAINS,
    IMAGES,
    LAYERS,
    LAYERS_OF_FIGURE_8,
    LAYERS_OF_PAPER_SIZE,
    PRODUCTS_OF_A_HISTOGRAM,
    UNITS,
)
from deepnets.documents.saxe_2013.runs import (
    CURVES,
    DECOUPLED,
    GAUSSIAN,
    INPUTS,
    JACOBIANS,
    PRODUCTS,
    RANDOM_TREE,
    TANH,
    VARIANCES,
)

# Maps the name of each value to its measure and its criterion.
_Parts = Mapping[str, tuple[Callable[[Evidence], np.ndarray], Criterion]]
# Axes of the grids for Figure 4.
_FIGURE_4: Runs = {"block": "depths", "init": "decoupled"}


def settings() -> list[Claim]:
    """Return the setting claims, figure by figure."""
    return [*_claim_modes(), *_claim_depths(), *_claim_pretraining(), *_claim_random_nets(), _claim_sizes()]


def _claim_modes() -> list[Claim]:
    caption = Section("Figure 3, caption", "mode_strengths")
    tree = {"levels": "levels", "children of a node": "branches", "flip probability": "flip_probability"}
    training = {"hidden units": "hidden", "learning rate": "learning_rate", "initial strength": "initial_strength"}
    return [
        _claim_numbers(
            caption,
            "tree",
            "Features diffuse down a binary tree of 5 levels and flip on each edge with probability 0.1, which gives "
            "data of 32 items with 1,000 features.",
            _compare_config("mode_dynamics", RANDOM_TREE, {**tree, "features": "features"}),
        ),
        _claim_numbers(
            caption,
            "training_on_the_tree",
            "100 nets with 32 hidden units learn the tree at a learning rate of 0.5e-3, and start with a strength of "
            "1e-6.",
            {
                **_compare_config("mode_dynamics", RANDOM_TREE, training),
                "simulations of each activation": _includes(_count_simulations, 100),
            },
        ),
    ]


def _claim_depths() -> list[Claim]:
    appendix = Section("Figure 4 and appendix C", "learning_times")
    layers = _measure_layers(**_FIGURE_4)
    start: _Parts = _compare_config(
        "learning_time", DECOUPLED, {"initial strength": "initial_strength"}, init="decoupled"
    )
    highest, lowest = (setting("learning_time", f"rates.{end}", **_FIGURE_4) for end in ("highest", "lowest"))
    by_default = {f"{each} layers": _includes(layers, each) for each in LAYERS if each not in LAYERS_OF_PAPER_SIZE}
    return [
        _claim_numbers(
            appendix,
            "decoupled_nets",
            "Nets of fifteen depths, from 3 to 100 layers, start with a strength of 0.001. This claim is about "
            f"eleven of these depths: all except {_join_numbers(LAYERS_OF_PAPER_SIZE)} layers.",
            {**by_default, **start},
        ),
        _claim_numbers(
            appendix.with_figure("best_rates"),
            "rates_of_decoupled_nets",
            "Each net is trained at 20 rates from 1e-7 to 1e-4.",
            {
                "rates": _includes_rate(setting("learning_time", "rates.count", **_FIGURE_4), 20),
                "highest over lowest": _includes_rate(ratio(highest, lowest), 1000),
            },
            printed="20, 1e-7, 1e-4",
        ),
        appendix.with_full_mnist().setting(
            "threshold",
            "A net has learned when the training error over 50,000 images falls below {}e4.",
            at_step("learning_time", "target_loss", 0, factor=IMAGES * CLASSES / 2 / 1e4, **DECOUPLED),
            Printed(1.3, places=1),
            because=(
                "Half of our squared error (see the errata), in units of 1e4, must equal the paper's threshold after "
                "rounding to one decimal place."
            ),
            quantity="training error (half the squared error), 10⁴",
            printed="{} (printed as 1.3e4)",
        ),
    ]


def _claim_pretraining() -> list[Claim]:
    caption = Section("Figure 5 and appendix F", "learning_curves")
    texts = {"hidden units": "width", "standard deviation of random weights": "deviation"}
    return [
        _claim_numbers(
            caption,
            "pretrained_nets",
            "Nets of five layers with 200 hidden units learn 50,000 images of MNIST, either after pretraining or "
            "from random weights with a standard deviation of 0.01.",
            {
                "layers": _includes(_measure_layers(block=CURVES["block"]), 5),
                **_compare_config("learning_time", CURVES, texts),
                **_compare_config("input_correlations", INPUTS, {"images": "images"}),
            },
        )
    ]


def _claim_random_nets() -> list[Claim]:
    return [
        _claim_numbers(
            Section("Figures 6B, C and 7", "jacobian_singular_values"),
            "random_nets",
            "The figures show one random matrix, products of 5 and of 100, and tanh nets of 100 layers with the gains "
            f"{_join_numbers(GAINS)}.",
            {
                **{f"factors: {each}": _includes(setting("spectra", "depth", **PRODUCTS), each) for each in FACTORS},
                "tanh layers": _includes(setting("spectra", "depth", block="jacobians", **TANH), 100),
                **{
                    f"gain {each}": _includes(setting("spectra", "gain", block="jacobians", **TANH), each)
                    for each in GAINS
                },
            },
        ),
    ]


def _claim_sizes() -> Claim:
    """Return the claim on the sizes that only configs/paper_size.yaml contains."""
    nets: Runs = {"block": "depths", "init": "decoupled"}
    sizes = {
        "hidden units, Figures 4 and 6A": _value_of_runs("learning_time", "width", {**nets, "width": UNITS}),
        "rows, Figure 6B, C": _value_of_runs("spectra", "size", {**PRODUCTS, "size": UNITS}),
        "units, Figure 7": _value_of_runs("spectra", "size", {**JACOBIANS, "size": UNITS}),
        "units, Figure 8": _value_of_runs("spectra", "size", {**VARIANCES, "size": UNITS}),
    }
    deep = {
        f"{each} layers, Figure 4": _add_1(_value_of_runs("learning_time", "depth", {**nets, "depth": each - 1}))
        for each in LAYERS_OF_PAPER_SIZE
    }
    return _claim_numbers(
        Section("Figures 4 and 6 to 8, appendix C"),
        "sizes",
        "Nets and matrices have a width of 1,000, histograms contain 500 products, nets of four more depths are "
        "trained, and the last 5 of 30 layers show the final variance.",
        {
            **{name: (measure, Includes(UNITS)) for name, measure in sizes.items()},
            "products of a histogram": (of_paper_size(_count_products), Is(PRODUCTS_OF_A_HISTOGRAM)),
            **{
                name: (measure, Includes(each))
                for (name, measure), each in zip(deep.items(), LAYERS_OF_PAPER_SIZE, strict=True)
            },
            "layers, Figure 8": (_layers_of_figure_8, Includes(LAYERS_OF_FIGURE_8)),
        },
    )


def _claim_numbers(section: Section, name: str, statement: str, parts: _Parts, *, printed: str = "{}") -> Claim:
    measure, criterion = combine_parts(parts)
    return section.setting(name, statement, measure, criterion, printed=printed)


def _compare_config(experiment: str, runs: Runs, names: Mapping[str, str], **axes: object) -> _Parts:
    """Return parts of a claim that compare the config with values of `runs`.

    names: maps the name of each value to its key in `runs`; axes: select grids, together with the block of `runs`.
    """
    grids = {**{axis: value for axis, value in runs.items() if axis == "block"}, **axes}
    return {name: _includes(setting(experiment, key, **grids), runs[key]) for name, key in names.items()}


def _includes(measure: Measure, value: float) -> tuple[Measure, Criterion]:
    """Return a part that requires a value in the config. Its measure is this value or, if missing, all values found."""

    def measure_value(evidence: Evidence) -> np.ndarray:
        found = measure(evidence)
        return np.array([value], dtype=float) if value in found else found

    return measure_value, Includes(value)


def _includes_rate(measure: Measure, value: float) -> tuple[Measure, Criterion]:
    """Return a part on the paper's learning rates, which is not testable if the config does not contain them."""

    def measure_value(evidence: Evidence) -> np.ndarray:
        found = measure(evidence)
        if value not in found:
            raise NotTestableError(f"our rates are around theory's best: {found[0]:g} instead of {value:g}")
        return found

    return measure_value, Is(value)


def _value_of_runs(experiment: str, axis: str, runs: Runs) -> Measure:
    return of_paper_size(lambda evidence: np.array(evidence.values(experiment, axis, **runs), dtype=float))


def _count_simulations(evidence: Evidence) -> np.ndarray:
    """Return the number of nets in the config, summed over seeds."""
    block = RANDOM_TREE["block"]
    of_a_seed = setting("mode_dynamics", "simulations", block=block)(evidence)
    return of_a_seed * count_of_seeds("mode_dynamics", **RANDOM_TREE, activation="linear")(evidence)


def _count_products(evidence: Evidence) -> np.ndarray:
    """Return the number of products with 100 factors in the config, summed over seeds."""
    of_a_seed = setting("spectra", "realizations", **PRODUCTS)(evidence)
    found = of_a_seed * count_of_seeds("spectra", **GAUSSIAN, depth=FACTORS[-1])(evidence)
    if PRODUCTS_OF_A_HISTOGRAM not in found:
        raise NotTestableError(f"our histograms contain {found[0]:g} products")
    return found


def _layers_of_figure_8(evidence: Evidence) -> np.ndarray:
    depths = setting("spectra", "depth", block="variances", **TANH)(evidence)
    if LAYERS_OF_FIGURE_8 not in depths:
        raise NotTestableError(f"our nets have {depths[0]:g} layers, so that the variance is closer to its limit")
    return depths


def _add_1(measure: Measure) -> Measure:
    return lambda evidence: measure(evidence) + 1


def _measure_layers(**axes: object) -> Measure:
    """Measure the number N of layers, which is the number of matrices plus one."""
    return _add_1(setting("learning_time", "depth", **axes))


def _join_numbers(numbers: Sequence[float]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}"
