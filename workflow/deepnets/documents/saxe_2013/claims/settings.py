"""What the paper sets in its simulations."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Criterion, Includes, Is, Printed
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import at_step, count_of_seeds, of_paper_size, ratio, setting
from workflow.deepnets.claims.section import Runs, Section, in_parts
from workflow.deepnets.documents.saxe_2013.printed import (
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
from workflow.deepnets.documents.saxe_2013.runs import (
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

# Name of a value → how it is measured, and the criterion.
_Parts = Mapping[str, tuple[Callable[[Evidence], np.ndarray], Criterion]]
# Axes of the grids that Figure 4 shows.
_FIGURE_4: Runs = {"block": "depths", "init": "decoupled"}


def settings() -> list[Claim]:
    """Return the claims on settings, figure by figure."""
    return [*_of_modes(), *_of_depths(), *_of_pretraining(), *_of_random_nets(), _sizes()]


def _of_modes() -> list[Claim]:
    caption = Section("Figure 3, caption", "mode_strengths")
    tree = {"levels": "levels", "children of a node": "branches", "flip probability": "flip_probability"}
    training = {"hidden units": "hidden", "learning rate": "learning_rate", "initial strength": "initial_strength"}
    return [
        _several(
            caption,
            "tree",
            "Features diffuse down a binary tree of 5 levels and flip on an edge with probability 0.1: 32 items of "
            "1,000 features.",
            _of_config("mode_dynamics", RANDOM_TREE, {**tree, "features": "features"}),
        ),
        _several(
            caption,
            "training_on_the_tree",
            "Nets on the tree have 32 hidden units, the learning rate 0.5e-3 and the initial strength 1e-6; 100 are "
            "simulated.",
            {
                **_of_config("mode_dynamics", RANDOM_TREE, training),
                "simulations of each activation": _among(_simulations, 100),
            },
        ),
    ]


def _of_depths() -> list[Claim]:
    appendix = Section("Figure 4 and appendix C", "learning_times")
    layers = _layers(**_FIGURE_4)
    start: _Parts = _of_config("learning_time", DECOUPLED, {"initial strength": "initial_strength"}, init="decoupled")
    highest, lowest = (setting("learning_time", f"rates.{end}", **_FIGURE_4) for end in ("highest", "lowest"))
    by_default = {f"{each} layers": _among(layers, each) for each in LAYERS if each not in LAYERS_OF_PAPER_SIZE}
    return [
        _several(
            appendix,
            "decoupled_nets",
            f"Fifteen depths are trained, from 3 to 100 layers, from the initial strength 0.001: eleven of them here, "
            f"all but {_listed(LAYERS_OF_PAPER_SIZE)} layers.",
            {**by_default, **start},
        ),
        _several(
            appendix.with_figure("best_rates"),
            "rates_of_decoupled_nets",
            "Each net is trained at 20 rates from 1e-7 to 1e-4.",
            {
                "rates": _of_sweep(setting("learning_time", "rates.count", **_FIGURE_4), 20),
                "highest over lowest": _of_sweep(ratio(highest, lowest), 1000),
            },
            printed="20, 1e-7, 1e-4",
        ),
        appendix.with_full_mnist().setting(
            "threshold",
            "A net has learned when the training error over 50,000 images falls below {}e4.",
            at_step("learning_time", "target_loss", 0, factor=IMAGES * CLASSES / 2 / 1e4, **DECOUPLED),
            Printed(1.3, places=1),
            because=(
                "Ours, half the squared error in units of 1e4, is to be the paper's to its last digit (see the errata "
                "for the half)."
            ),
            quantity="training error (half the squared error), 10⁴",
            printed="{} (printed as 1.3e4)",
        ),
    ]


def _of_pretraining() -> list[Claim]:
    caption = Section("Figure 5 and appendix F", "learning_curves")
    texts = {"hidden units": "width", "standard deviation of random weights": "deviation"}
    return [
        _several(
            caption,
            "pretrained_nets",
            "Nets of five layers with 200 hidden units learn 50,000 images of MNIST, from pretraining or from random "
            "weights with the standard deviation 0.01.",
            {
                "layers": _among(_layers(block=CURVES["block"]), 5),
                **_of_config("learning_time", CURVES, texts),
                **_of_config("input_correlations", INPUTS, {"images": "images"}),
            },
        )
    ]


def _of_random_nets() -> list[Claim]:
    return [
        _several(
            Section("Figures 6B, C and 7", "jacobian_singular_values"),
            "random_nets",
            f"One random matrix is shown, products of 5 and of 100, and tanh nets of 100 layers with the gains "
            f"{_listed(GAINS)}.",
            {
                **{f"factors: {each}": _among(setting("spectra", "depth", **PRODUCTS), each) for each in FACTORS},
                "tanh layers": _among(setting("spectra", "depth", block="jacobians", **TANH), 100),
                **{
                    f"gain {each}": _among(setting("spectra", "gain", block="jacobians", **TANH), each)
                    for each in GAINS
                },
            },
        ),
    ]


def _sizes() -> Claim:
    """Return the claim on the sizes that only configs/paper_size.yaml has."""
    nets: Runs = {"block": "depths", "init": "decoupled"}
    sizes = {
        "hidden units, Figures 4 and 6A": _value_of_runs("learning_time", "width", {**nets, "width": UNITS}),
        "rows, Figure 6B, C": _value_of_runs("spectra", "size", {**PRODUCTS, "size": UNITS}),
        "units, Figure 7": _value_of_runs("spectra", "size", {**JACOBIANS, "size": UNITS}),
        "units, Figure 8": _value_of_runs("spectra", "size", {**VARIANCES, "size": UNITS}),
    }
    deep = {
        f"{each} layers, Figure 4": _plus_1(_value_of_runs("learning_time", "depth", {**nets, "depth": each - 1}))
        for each in LAYERS_OF_PAPER_SIZE
    }
    return _several(
        Section("Figures 4 and 6 to 8, appendix C"),
        "sizes",
        "Nets and matrices are 1,000 units wide, histograms are of 500 products, four more depths are trained, and the "
        "last 5 of 30 layers show where the variance ends.",
        {
            **{name: (measure, Includes(UNITS)) for name, measure in sizes.items()},
            "products of a histogram": (of_paper_size(_products), Is(PRODUCTS_OF_A_HISTOGRAM)),
            **{
                name: (measure, Includes(each))
                for (name, measure), each in zip(deep.items(), LAYERS_OF_PAPER_SIZE, strict=True)
            },
            "layers, Figure 8": (_layers_of_figure_8, Includes(LAYERS_OF_FIGURE_8)),
        },
    )


def _several(section: Section, name: str, statement: str, parts: _Parts, *, printed: str = "{}") -> Claim:
    """Claim that several numbers were used."""
    measure, criterion = in_parts(parts)
    return section.setting(name, statement, measure, criterion, printed=printed)


def _of_config(experiment: str, runs: Runs, names: Mapping[str, str], **axes: object) -> _Parts:
    """Return for each name that the config contains what `runs` sets; axes: of the grids that are asked."""
    grids = {**{axis: value for axis, value in runs.items() if axis == "block"}, **axes}
    return {name: _among(setting(experiment, key, **grids), runs[key]) for name, key in names.items()}


def _among(measure: Measure, value: float) -> tuple[Measure, Criterion]:
    """Return one of several values that the config contains, or all of them if this one is missing."""

    def measured(evidence: Evidence) -> np.ndarray:
        found = measure(evidence)
        return np.array([value], dtype=float) if value in found else found

    return measured, Includes(value)


def _of_sweep(measure: Measure, value: float) -> tuple[Measure, Criterion]:
    """Return a number of the paper's sweep of rates, which cannot be tested if the config sweeps other rates."""

    def measured(evidence: Evidence) -> np.ndarray:
        found = measure(evidence)
        if value not in found:
            raise NotTestableError(f"the rates here lie around theory's best: {found[0]:g}, not {value:g}")
        return found

    return measured, Is(value)


def _value_of_runs(experiment: str, axis: str, runs: Runs) -> Measure:
    return of_paper_size(lambda evidence: np.array(evidence.values(experiment, axis, **runs), dtype=float))


def _simulations(evidence: Evidence) -> np.ndarray:
    """Return how many nets the config contains, over all seeds."""
    block = RANDOM_TREE["block"]
    of_a_seed = setting("mode_dynamics", "simulations", block=block)(evidence)
    return of_a_seed * count_of_seeds("mode_dynamics", **RANDOM_TREE, activation="linear")(evidence)


def _products(evidence: Evidence) -> np.ndarray:
    """Return how many products of one number of factors the config contains, over all seeds."""
    of_a_seed = setting("spectra", "realizations", **PRODUCTS)(evidence)
    found = of_a_seed * count_of_seeds("spectra", **GAUSSIAN, depth=FACTORS[-1])(evidence)
    if PRODUCTS_OF_A_HISTOGRAM not in found:
        raise NotTestableError(f"{found[0]:g} products of each number of factors")
    return found


def _layers_of_figure_8(evidence: Evidence) -> np.ndarray:
    depths = setting("spectra", "depth", block="variances", **TANH)(evidence)
    if LAYERS_OF_FIGURE_8 not in depths:
        raise NotTestableError(f"the nets here have {depths[0]:g} layers, which is closer to the limit")
    return depths


def _plus_1(measure: Measure) -> Measure:
    return lambda evidence: measure(evidence) + 1


def _layers(**axes: object) -> Measure:
    """Measure the layers N of nets, one more than their matrices."""
    return _plus_1(setting("learning_time", "depth", **axes))


def _listed(numbers: Sequence[float]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}"
