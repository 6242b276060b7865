"""What readers see when they move the sliders: numbers of the tables, or of theory, and words where there are none."""

import numpy as np
import pytest
import small_tables
from browser import chromium
from reader import Reader, places_of
from selenium.webdriver.common.keys import Keys

from workflow.deepnets.documents.classifier.charts.depth_and_scale import depth_and_scale
from workflow.deepnets.documents.hierarchy.charts.rate_scale_and_epoch import rate_scale_and_epoch
from workflow.deepnets.documents.mnist_dynamics.charts.learning import learning_curves, modes_by_start
from workflow.deepnets.documents.propagation.charts.layer_by_layer import layer_by_layer
from workflow.deepnets.documents.zero_init.charts.width_and_init import width_and_init
from workflow.deepnets.theory import linear_learning, tree_spectrum

# As `rounded` keeps them.
FOUR_DIGITS, THREE_DIGITS = 6e-4, 6e-3


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


@pytest.fixture
def reader(browser, tmp_path):
    """A reader whose browser has nothing to complain of, before and after."""
    yield Reader(browser, tmp_path / "page.html")
    assert browser.errors() == []


def recorded(table, metric, **axes):
    """Values of a metric by (index, step), of the runs with the given axes."""
    rows = table[(table["metric"] == metric) & np.logical_and.reduce([table[axis] == axes[axis] for axis in axes])]
    assert not rows.duplicated(["index", "step"]).any()
    return rows.set_index(["index", "step"])["value"].to_dict()


def drawn_in_proportion(marks):
    """Whether marks stand where a linear scale puts their values."""
    steps, values, x, y = (np.array([mark[name] for mark in marks]) for name in ("step", "value", "x_pixel", "y_pixel"))
    for numbers, pixels, sign in ((steps, x, 1), (values, y, -1)):
        slope, offset = np.polyfit(numbers, pixels, 1)
        assert sign * slope > 0
        assert np.allclose(slope * numbers + offset, pixels, atol=1e-3)


# Document 003. Places of rates and scales: ten from one simulated value to the next.


def expected_by_theory(table, rate, scale, steps=60):
    """Strengths (steps, levels), losses (steps,), similarities (steps, items, items), singular values and their largest
    similarity, by theory/ alone."""
    config = small_tables.HIERARCHY
    shape = config["levels"], config["branches"]
    values = np.sqrt(config["features"] * tree_spectrum.eigenvalues(*shape, config["flip_probability"]))
    deviations = table[(table["metric"] == "initial_deviation") & (table["seed"] == 3) & (table["scale"] == 1)]
    squares = deviations.drop_duplicates("index").sort_values("index")["value"].to_numpy() ** 2
    start = linear_learning.initial_mode_strength(config["hidden"], *squares) * scale**2
    entries = config["features"] * config["branches"] ** config["levels"]
    with np.errstate(over="ignore", invalid="ignore"):
        strengths = linear_learning.mode_strengths(values, start, 2 * rate / entries, steps)
        modes = tree_spectrum.degeneracies(*shape)
        losses = linear_learning.mode_loss(np.repeat(values, modes), np.repeat(strengths, modes, axis=1), entries)
        similarities = np.tensordot(strengths, tree_spectrum.projectors(*shape), axes=1)
    largest = np.tensordot(values, tree_spectrum.projectors(*shape), axes=1).max()
    return strengths, losses, similarities, values, largest


def between(values, place):
    """The value of a slider at a place: equal ratios from one simulated value to the next."""
    low, high = values[place // 10], values[min(place // 10 + 1, len(values) - 1)]
    return low * (high / low) ** (place % 10 / 10)


@pytest.mark.parametrize(("rate_place", "scale_place", "epoch"), [(10, 10, 30), (0, 20, 60), (4, 7, 41), (13, 15, 3)])
def test_theory_is_computed_in_the_page(reader, rate_place, scale_place, epoch):
    table = small_tables.hierarchy()
    reader.open(rate_scale_and_epoch(table))
    reader.move(rate_place=rate_place, scale_place=scale_place, epoch=epoch)
    rate, scale = between(small_tables.RATES, rate_place), between(small_tables.SCALES, scale_place)
    strengths, losses, similarities, levels, largest = expected_by_theory(table, rate, scale)
    with np.errstate(over="ignore"):
        finite = np.isfinite(losses) & np.isfinite(strengths**2).all(axis=1)
    lines = [mark for mark in reader.drawn("line") if "level" in mark]
    last = len(finite) if finite.all() else int(np.argmin(finite))
    # What lies far beyond the frame is left out.
    assert len(lines) == np.sum(strengths[:last] <= 1080 * levels.max())
    assert np.allclose(
        [mark["value"] for mark in lines], [strengths[mark["step"], mark["level"]] for mark in lines], rtol=1e-6, atol=0
    )
    curve = [mark for mark in reader.drawn("line") if "level" not in mark]
    steps = [step for step in range(last) if losses[step] <= 1080]
    assert [mark["step"] for mark in curve] == steps
    assert np.allclose([mark["value"] for mark in curve], losses[steps], rtol=1e-6, atol=1e-300)
    cells = [mark for mark in reader.drawn("rect") if "key" not in mark]
    if epoch < last:
        assert len(cells) == similarities[0].size
        told = [similarities[epoch][mark["row"], mark["column"]] for mark in cells]
        assert np.allclose([mark["value"] for mark in cells], 100 * np.array(told) / largest, rtol=1e-6, atol=1e-9)
    else:
        assert not cells
        assert f"not finite from\nepoch {last} on" in reader.texts() or f"epoch {last} on" in reader.texts()


def test_simulated_settings_are_marked_and_others_are_told(reader):
    table = small_tables.hierarchy()
    reader.open(rate_scale_and_epoch(table))
    for rate_place, rate in ((0, 0.5), (10, 2)):
        for scale_place, scale in ((0, 1e-3), (10, 0.1), (20, 1)):
            reader.move(rate_place=rate_place, scale_place=scale_place, epoch=60)
            run = {"block": "sliders", "learning_rate": rate, "scale": scale}
            modes, losses = recorded(table, "singular_value", **run), recorded(table, "train_loss", **run)
            dots = [mark for mark in reader.drawn("symbol") if "level" in mark]
            # One dot for each of the four modes at each marked epoch; those of a level have one colour.
            steps = sorted({mark["step"] for mark in dots})
            assert (steps[0], steps[-1], len(dots)) == (0, 60, 4 * len(steps))
            levels = [0, 1, 2, 2]
            for step in steps:
                told = sorted((mark["level"], mark["value"]) for mark in dots if mark["step"] == step)
                expected = sorted((levels[mode], modes[mode, step]) for mode in range(4))
                assert [level for level, _ in told] == [level for level, _ in expected]
                assert np.allclose([v for _, v in told], [v for _, v in expected], rtol=FOUR_DIGITS, atol=1e-12)
            curve = [mark for mark in reader.drawn("symbol") if "level" not in mark]
            told = [losses[0, mark["step"]] for mark in curve]
            assert np.allclose([mark["value"] for mark in curve], told, rtol=FOUR_DIGITS)
            cells = [mark for mark in reader.drawn("rect") if "key" in mark]
            rsm = recorded(table, "rsm", **run)
            largest = expected_by_theory(table, rate, scale)[-1]
            told = [100 * rsm[4 * mark["row"] + mark["column"], 60] / largest for mark in cells]
            assert len(cells) == 16
            assert np.allclose([mark["value"] for mark in cells], told, atol=0.5)
            assert "simulated (dots, seed 3)" in reader.texts()
    drawn_in_proportion([mark for mark in reader.drawn("symbol") if "level" in mark])
    # In between there is theory alone.
    reader.move(rate_place=5)
    assert not reader.drawn("symbol")
    assert not [mark for mark in reader.drawn("rect") if "key" in mark]
    assert "theory alone, no simulation was run here" in reader.texts()
    assert "not simulated" in reader.texts()
    assert reader.shown("rate_place") == "1"
    # A run that diverged says so, as theory does.
    reader.move(rate_place=20, epoch=60)
    ends = table[(table["metric"] == "diverged") & (table["scale"] == 1)]
    assert f"diverged at epoch {ends['step'].iloc[0]}" in reader.texts()
    assert "not finite from" in reader.texts()


def test_similarities_of_a_run_that_recorded_more_of_them_are_taken_from_there(reader):
    table = small_tables.hierarchy()
    reader.open(rate_scale_and_epoch(table))
    # Of 61 epochs, 26 are kept, evenly.
    epoch = int(np.linspace(0, 60, 26).round()[7])
    reader.move(rate_place=10, scale_place=10, epoch=epoch)
    rsm = recorded(table, "rsm", block="main", seed=3)
    cells = [mark for mark in reader.drawn("rect") if "key" in mark]
    largest = expected_by_theory(table, 2, 0.1)[-1]
    assert len(cells) == 16
    told = [100 * rsm[4 * mark["row"] + mark["column"], epoch] / largest for mark in cells]
    assert np.allclose([mark["value"] for mark in cells], told, atol=0.5)
    reader.move(scale_place=0)
    assert "recorded at epochs 0, 30, 60" in reader.texts()


def test_keys_move_a_slider(reader):
    reader.open(rate_scale_and_epoch(small_tables.hierarchy()))
    reader.move(rate_place=10, scale_place=10, epoch=30)
    assert reader.shown("rate_place") == "2 (simulated)"
    slider = reader.browser.find_element("css selector", "[name=epoch]")
    slider.send_keys(Keys.ARROW_RIGHT)
    assert "theory, epoch 31" in reader.texts()
    slider.send_keys(Keys.HOME)
    assert "theory, epoch 0" in reader.texts()


def test_a_slider_is_followed_at_once(reader, record_property):
    reader.open(rate_scale_and_epoch(small_tables.hierarchy(steps=250)))
    times = [reader.move(rate_place=place) for place in range(20)]
    record_property("latency_ms", sorted(times)[len(times) // 2])
    print(f"from slider to picture: {min(times):.0f} to {max(times):.0f} ms, median {np.median(times):.0f} ms")
    # Other work on the machine only adds to it.
    assert min(times) < 50


# The sweeps of the other documents: sliders over the settings that were run.


def test_singular_values_of_the_chosen_depth_and_scale(reader):
    table = small_tables.classifier()
    chart = depth_and_scale(table).to_dict()
    assert places_of(chart) == {"place_depth": 2, "place_scale": 2}
    reader.open(chart)
    for depth, scale, block, seed in ((1, 1, "depths", 0), (2, 1, "depths", 0), (2, 1e-4, "near_zero", 1)):
        reader.move(place_depth=depth - 1, place_scale=int(scale == 1))
        run = {"block": block, "depth": depth, "scale": scale, "seed": seed}
        values, losses = recorded(table, "singular_value", **run), recorded(table, "train_loss", **run)
        drawn = [
            mark for mark in reader.drawn("line") if mark["index"] > 1 or mark["value"] != losses.get((0, mark["step"]))
        ]
        assert {mark["step"] for mark in drawn} == {step for _, step in values}
        assert f"grid {block.replace('_', ' ')}" in reader.texts()
        shown = {(mark["index"] - 1, mark["step"], mark["value"]) for mark in reader.drawn("line")}
        for (index, step), value in values.items():
            assert any(
                (mode, at) == (index, step) and np.isclose(each, value, rtol=THREE_DIGITS) for mode, at, each in shown
            )
        for (_, step), value in losses.items():
            assert any(at == step and np.isclose(each, value, rtol=THREE_DIGITS) for _, at, each in shown)
        # Each of three singular values on two scales, and the loss.
        assert len(reader.drawn("line")) == 7 * len(losses)
    reader.move(place_depth=0, place_scale=0)
    assert reader.shown("place_scale") == "0.0001"
    assert not reader.drawn("line")
    assert "not simulated; choose other values" in reader.texts()


def test_learning_curves_of_the_chosen_depth_and_rule(reader):
    table = small_tables.mnist_dynamics()
    chart = learning_curves(table).to_dict()
    # What has one value has no control, and is named.
    assert places_of(chart) == {"place_depth": 2, "place_rule": 2}
    reader.open(chart)
    assert "initialisation row normalized" in reader.texts()
    for depth, rule, seeds in ((2, "covariance", "3 seeds"), (3, "covariance", "3 seeds"), (2, "samples", "1 seed")):
        reader.move(place_depth=depth - 2, place_rule=["covariance", "samples"].index(rule))
        assert seeds in reader.texts()
        run = table[(table["depth"] == depth) & (table["rule"] == rule)]
        for kind, metric, unit in (("loss", "train_loss", 1), ("accuracy", "train_accuracy", 100)):
            by_step = unit * run[run["metric"] == metric].groupby("step")["value"].agg(["mean", "min", "max"])
            curves = [mark for mark in reader.drawn("line") if "value" in mark]
            half = curves[: len(by_step)] if kind == "loss" else curves[len(by_step) :]
            assert [mark["step"] for mark in half] == list(by_step.index)
            assert np.allclose([mark["value"] for mark in half], by_step["mean"], rtol=FOUR_DIGITS)
            bands = reader.drawn("area")
            half = bands[: len(by_step)] if kind == "loss" else bands[len(by_step) :]
            assert np.allclose([mark["low"] for mark in half], by_step["min"], rtol=FOUR_DIGITS)
            assert np.allclose([mark["high"] for mark in half], by_step["max"], rtol=FOUR_DIGITS)
    reader.move(place_depth=1)
    assert not reader.drawn("line")
    assert "not simulated; choose other values" in reader.texts()


def test_modes_of_the_chosen_start(reader):
    table = small_tables.mnist_modes()
    reader.open(modes_by_start(table))
    for init, scale in (("orthogonal", 1e-3), ("row_normalized", 1e-3), ("row_normalized", 1)):
        reader.move(place_init=int(init == "row_normalized"), place_scale=int(scale == 1))
        run = {"init": init, "scale": scale, "seed": 0}
        strengths = recorded(table, "mode_strength", **run)
        dots = reader.drawn("symbol")
        assert len(dots) == len(strengths)
        told = [strengths[mark["index"] - 1, mark["step"]] for mark in dots]
        assert np.allclose([mark["value"] for mark in dots], told, rtol=FOUR_DIGITS, atol=1e-12)
        expected = [recorded(table, f"{name}_mode_strength", **run) for name in ("theory", "predicted")]
        lines = reader.drawn("line")
        # The dashed lines lie below the others.
        for curves, marks in zip(expected, np.array_split(np.array(lines, dtype=object), 2), strict=True):
            told = [curves[mark["index"] - 1, mark["step"]] for mark in marks]
            assert np.allclose([mark["value"] for mark in marks], told, rtol=FOUR_DIGITS, atol=1e-12)
    drawn_in_proportion(reader.drawn("symbol"))
    reader.move(place_init=0)
    assert not reader.drawn("symbol")
    assert "not simulated; choose other values" in reader.texts()


def test_rank_of_the_chosen_width_and_initialisation(reader):
    table = small_tables.zero_init()
    reader.open(width_and_init(table))
    for width, init in ((4, "partial_identity"), (16, "partial_identity"), (16, "zero")):
        reader.move(place_width=int(width == 16), place_init=int(init == "zero"))
        runs = table[(table["width"] == width) & (table["init"] == init)]
        drawn = iter(np.array_split(np.array(reader.drawn("line"), dtype=object), [_steps(runs, "rank")]))
        bands = iter(np.array_split(np.array(reader.drawn("area"), dtype=object), [_steps(runs, "rank")]))
        for metric, unit in (("rank", 1), ("train_accuracy", 100)):
            rows = runs[runs["metric"] == metric].drop_duplicates(["seed", "step"])
            by_seed = unit * rows.pivot(index="step", columns="seed", values="value")
            line, band = next(drawn), next(bands)
            assert [mark["step"] for mark in line] == list(by_seed.index)
            assert np.allclose([mark["value"] for mark in line], by_seed[1], rtol=FOUR_DIGITS)
            assert np.allclose([mark["low"] for mark in band], by_seed.min(axis=1), rtol=FOUR_DIGITS)
            assert np.allclose([mark["high"] for mark in band], by_seed.max(axis=1), rtol=FOUR_DIGITS)
    reader.move(place_width=0)
    assert not reader.drawn("line")
    assert "not simulated; choose other values" in reader.texts()


def _steps(runs, metric):
    return runs[runs["metric"] == metric]["step"].nunique()


def test_histograms_and_clouds_of_the_chosen_layer(reader):
    table = small_tables.propagation()
    chart = layer_by_layer(table).to_dict()
    names = next(each for each in chart["params"] if each["name"] == "net")["bind"]["labels"]
    assert sorted(names) == ["bn res", "vanilla"]
    reader.open(chart)
    vanilla = names.index("vanilla")
    for place, layer in ((0, 0), (3, 3), (9, 9)):
        reader.move(net=vanilla, place=place)
        assert reader.shown("place") == str(layer)
        assert f"layer {layer}\n" in reader.texts() or f"layer {layer} " in reader.texts()
        for kind, metric in (("signal", "log_nu2_signal"), ("noise", "log_mu2_noise")):
            rows = table[(table["metric"] == metric) & (table["block"] == "vanilla")]
            logs = rows.pivot(index="step", columns=["seed", "index"], values="value")
            bars = reader.drawn("rect", kind=kind)
            changes = (logs.loc[layer] - logs.loc[0]).to_numpy()
            edges = [mark["left"] for mark in bars] + [bars[-1]["right"]]
            # Each change lies in one bin, up to the rounding of the frame.
            assert [mark["count"] for mark in bars] == np.histogram(changes, edges)[0].tolist()
            assert sum(mark["count"] for mark in bars) == 8
            cloud = reader.drawn("symbol", kind=kind)
            if layer == 9:
                assert not cloud
                assert "clouds were recorded at layers 0, 3" in reader.texts()
                continue
            run = {"block": "vanilla", "seed": 0, "step": layer}
            points = [recorded(table, f"cloud_{kind}_{axis}", **run) for axis in (1, 2)]
            size = np.sqrt(np.mean([points[0][key] ** 2 + points[1][key] ** 2 for key in points[0]]))
            for axis, name in enumerate("xy"):
                told = [points[axis][index, layer] / size for index in range(len(cloud))]
                assert np.allclose([mark[name] for mark in cloud], told, rtol=THREE_DIGITS, atol=1e-9)
    # A net with fewer layers stops at its last one.
    reader.move(net=1 - vanilla)
    assert reader.shown("place") == "4"
    assert {mark["layer"] for mark in reader.drawn("rect")} == {4}
    assert "no clouds were recorded of this net" in reader.texts()
