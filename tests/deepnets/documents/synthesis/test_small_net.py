"""The net that the page trains: its numbers are those of `networks.linear` and of theory, and its controls work."""

import json
import random
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.actions.pointer_input import PointerInput

from deepnets.documents.synthesis import ANSWERS
from deepnets.documents.synthesis.charts import _sharpness, small_net
from deepnets.networks import linear
from deepnets.theory.deep_mode import optimal_rate
from deepnets.theory.unequal_layers import learning_time
from drawn_tables import table_of
from net_of_page import (
    CHART,
    CONTROLS,
    FIRST,
    NET,
    STEPS,
    VALUES,
    clean_target,
    descend,
    modes_of,
    noisy_target,
    places,
    random_places,
    random_setting,
    setting_of,
    shown,
    start_of,
)
from reproduce.tables.table import Table

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.filterwarnings("error")]


@pytest.mark.parametrize(("count", "last"), [(20, 60), pytest.param(300, 10_000, marks=pytest.mark.nightly)])
def test_the_page_trains_as_the_library_does(reader, count, last):
    settings = random_places(count, seed=count)
    for chosen, made in zip(settings, shown(reader, settings), strict=True):
        setting = setting_of(chosen)
        target, clean = noisy_target(setting), clean_target(setting)
        values, means = modes_of(target)
        curves, losses = (
            pd.DataFrame(made["data"][name]).pivot(index="updates", columns=kind, values=value)
            for name, kind, value in (("curves", "mode", "strength"), ("losses", "kind", "loss"))
        )
        assert list(curves) == [*range(1, len(values) + 1)]
        layers = [each for at, each in enumerate(descend(setting, last)) if at in STEPS]
        products = np.array([*map(linear.product, layers)])
        steps, close = STEPS[1 : len(products)], {"rtol": 1e-9, "atol": 1e-12}
        assert np.allclose(curves.loc[steps], np.tensordot(products[1:], means, [[1, 2]] * 2) / values[0], **close)
        for kind in losses:
            squares = np.sum((products - (target if kind == "training" else clean)) ** 2, axis=(1, 2))
            assert np.allclose(losses.loc[steps, kind], squares[1:] / squares[0], **close)
        assert ("held out" in losses) == (setting["noise"] > 0)
        sharpness = pd.DataFrame(made["data"]["sharpness"]).set_index("updates")["sharpness"]
        at = max({*sharpness.index} & {*steps})
        assert np.isclose(sharpness[at], _sharpness(layers[STEPS.index(at)], target), rtol=1e-3, atol=1e-9)


@pytest.mark.parametrize(
    "setting",
    [
        *({"depth": depth, "size": size} for depth, size in ((1, 1e-3), (2, 1e-6), (5, 1), (10, 0.1))),
        {"depth": 3, "size": 1e-3, "imbalance": 0.1, "target": 2},
        {"depth": 2, "size": 1e-6, "imbalance": 10, "target": 1, "rate": 0.01},
    ],
)
def test_theory_is_that_of_the_library_and_aligned_nets_at_small_rates_follow_it(reader, setting):
    setting = {"rate": 0.002, **setting}
    (made,) = shown(reader, [places(start="aligned", **setting)])
    values, _ = modes_of(clean_target({"target": 0, **setting}))
    theory = pd.DataFrame(made["data"]["theory"]).sort_values(["mode", "updates"])
    assert theory["mode"].unique().tolist() == [*range(1, len(values) + 1)]
    size, depth, imbalance = setting["size"], setting["depth"], setting.get("imbalance", 0)
    for mode, rows in theory.groupby("mode"):
        value, reached = values[mode - 1], rows["strength"].to_numpy() * values[0]
        if size < value:
            times = learning_time(np.array(value), size, reached, depth, imbalance) / setting["rate"]
            assert np.allclose(rows["updates"], times, rtol=2e-3, atol=0.01)
        curve = pd.DataFrame(made["data"]["curves"]).query("mode == @mode")
        drawn = np.interp(curve["updates"], rows["updates"], rows["strength"], left=np.nan, right=np.nan)
        assert np.nanmax(np.abs(drawn - curve["strength"])) < 0.03
        if mode == 1 and not imbalance:
            assert np.allclose(rows["sharpness"], depth * reached ** (2 - 2 / depth))
            last = made["data"]["sharpness"][-1]["sharpness"]
            assert last == pytest.approx(depth * value ** (2 - 2 / depth), rel=1e-3)


@pytest.mark.parametrize(
    ("depth", "target", "imbalance"),
    [*((depth, target, 0) for depth in (1, 2, 3, 6, 10) for target in (0, 1)), (2, 0, 1)],
)
def test_beyond_the_largest_rate_in_theory_a_net_diverges_or_swings_and_says_so(reader, depth, target, imbalance):
    top = np.linalg.svd(clean_target({"target": target}))[1][0]
    # With two unequal layers, the largest curvature is the sum of their squares.
    # `optimal_rate` is 0.95 times the largest stable rate.
    largest = 2 / np.hypot(imbalance, 2 * top) if imbalance else optimal_rate(top, depth) / 0.95
    rates = np.array(VALUES["rate"])
    below, beyond = rates[rates < largest].max(), rates[rates > largest]
    net = {"depth": depth, "target": target, "imbalance": imbalance, "start": "aligned", "size": 0.1}
    stable, *others = (made["words"] for made in shown(reader, [places(**net, rate=rate) for rate in (below, *beyond)]))
    assert "largest rate" not in stable
    for words in others:
        assert words.startswith(("The net diverges after ", "The net swings and does not settle", "The net overshoots"))
        assert f"in theory, the largest rate at this target is {largest:.2g} with" in words


def test_a_net_diverges_at_the_same_update_as_in_the_library(reader):
    setting = setting_of(places(rate=0.5))
    (made,) = shown(reader, [places(rate=0.5)])
    last = max(row["updates"] for row in made["data"]["losses"])
    diverged = int(made["words"].split()[4].replace(",", ""))
    losses = [np.sum((linear.product(each) - noisy_target(setting)) ** 2) for each in descend(setting, diverged)]
    assert [each > 1e6 * losses[0] for each in losses] == [False] * diverged + [True]
    assert last < diverged


@pytest.mark.parametrize("top", [1, 2, 1e-3])
def test_equal_singular_values_are_one_mode_in_each_basis_and_near_ones_are_two(reader, monkeypatch, top):
    draw = np.random.default_rng(0).standard_normal
    left, right = (np.linalg.qr(draw((8, 8)))[0] for _ in range(2))
    values = np.array([1, 1, 0.5, 0.5, 0.5, 0.2, 0.2 - 1e-7, 0])
    target = left * (top * values) @ right.T
    monkeypatch.setitem(NET, "targets", [{"names": [], "matrix": target.ravel().tolist()}])
    setting = {"size": 0.1, "noise": 0, "start": "orthogonal"}
    (made,) = shown(reader, [places(**setting)])
    curves = pd.DataFrame(made["data"]["curves"]).pivot(index="updates", columns="mode", values="strength")
    *_, weights = descend(setting_of(places(**setting)), 200)
    strengths = np.sum((left.T @ linear.product(weights)) * right.T, axis=1) / top
    assert np.allclose(curves.loc[200], [np.mean(strengths[places]) for places in ([0, 1], [2, 3, 4], 5, 6)], rtol=1e-6)


def test_dots_are_shown_only_at_the_setting_of_our_run(reader):
    run = {"target": 1, "start": "orthogonal", "depth": 2, "size": 1e-6, "rate": 0.1}
    others = [{"target": 0}, {"depth": 3}, {"size": 1e-5}, {"rate": 0.2}, {"noise": 0.1}, {"start": "gaussian"}]
    others.append({"imbalance": 0.1})
    same, *different = shown(reader, [places(**run | other) for other in ({}, *others)])
    rows = table_of("mnist_modes", "whole").frame.query("block == 'small' and init == 'orthogonal' and seed == 0")
    top = rows.query("metric == 'data_singular_value'")["value"].max()
    recorded = rows.query("metric == 'mode_strength'").set_index(["index", "step"])["value"] / top
    dots = same["data"]["dots"]
    assert dots and all(
        np.isclose(each["strength"], recorded[each["mode"] - 1, each["updates"]], rtol=1e-3) for each in dots
    )
    assert "32 hidden units on MNIST" in same["words"]
    assert not any(each["data"]["dots"] or "MNIST" in each["words"] for each in different)
    other = Table.by_hand(table_of("mnist_modes", "whole").frame.query("block == 'document'"))
    assert small_net(other).to_dict()["usermeta"]["program"]["small_net"]["dots"]["rows"] == []


def test_the_links_under_the_answers_show_what_their_words_say(reader):
    links = [change[1] for answer in ANSWERS for change in answer["changes"] if change[0] == "synthesis/small_net"]
    binds = {
        each["name"]: each["bind"].get("labels", CHART["usermeta"]["labels"].get(each["name"])) for each in CONTROLS
    }
    asked = [{name: binds[name].index(text) for name, text in parse_qsl(link)} for link in links]
    one, three, large, orthogonal, gaussian, calm, fast = (
        made["words"] for made in shown(reader, [FIRST | each for each in asked])
    )
    least = [float(words.partition(", and is least, ")[2].partition(",")[0]) for words in (one, three)]
    assert least[1] / least[0] == pytest.approx(2 / 3, abs=0.02)
    assert large.startswith("Together: ") and orthogonal.startswith("Together: ")
    assert gaussian == "After 10,000 updates, the net has half learned 3 of 4 modes."
    assert calm.startswith("Together: ") and fast.startswith("The net overshoots")
    assert fast.endswith("in theory, the largest rate at this target is 0.04 with 10 layers.")


def test_the_sentence_names_what_a_reader_sees_at_the_limits(reader):
    settings = [
        {"depth": 1, "rate": 2},  # swings between 0 and twice the target, at an equal loss
        *(
            {"depth": 6, "size": 0.01, "rate": 0.002, "noise": noise, "target": 2, "start": "gaussian"}
            for noise in (0, 0.2)
        ),
        {"size": 1e-3, "target": 2},
        {"target": 1},
        {"start": "orthogonal", "depth": 5, "size": 1, "rate": 0.02},
        {"depth": 1, "rate": 5, "size": 1e-6},
        {"depth": 4, "rate": 0.5, "size": 1, "imbalance": 1, "target": 1, "start": "gaussian"},
    ]
    swings, *steps, pair, near, above, fast, sharp = (
        made["words"] for made in shown(reader, [places(**each) for each in settings])
    )
    assert swings == "The net swings and does not settle."
    assert all(each.startswith("One by one: ") and " (in theory" in each for each in (*steps, pair))
    assert near.startswith("Together: ")
    assert "in theory" not in above
    assert sharp.endswith(": at the start, the sharpness is 21, above 2/rate.")
    assert fast.startswith("The net diverges after ") and fast.endswith(
        "the largest rate at this target is 2 with 1 layer."
    )


def of(reader, mark, **values):
    return pd.DataFrame(reader.drawn(mark, **values))


def test_controls_draw_the_net_leave_the_former_curves_as_a_ghost_and_save_what_is_shown(reader):
    reader.open(CHART)
    reader.move(rate=VALUES["rate"].index(0.1))
    (before,), (made,) = (shown(reader, [each]) for each in (FIRST, places(rate=0.1)))
    lines = of(reader, "line").query("strength.notna() and mode == 1")
    drawn = set(zip(lines["updates"], lines["strength"], strict=True))
    for data in (before["data"], made["data"]):
        assert {(row["updates"], row["strength"]) for row in data["curves"] if row["mode"] == 1} <= drawn
    assert reader.told() == made["words"]
    saved = json.loads(reader.browser.execute_script("return JSON.stringify(shown.shown().specification)"))
    assert saved["datasets"]["curves"] == made["data"]["curves"]
    assert saved["datasets"]["curves_before"] == before["data"]["curves"]
    # Without scripts, too, the picture has the sharpness.
    first = {row["updates"]: row["sharpness"] for row in before["data"]["sharpness"]}
    common = [row for row in CHART["datasets"]["sharpness"] if row["updates"] in first]
    assert len(common) > 10
    assert [row["sharpness"] for row in common] == pytest.approx([first[row["updates"]] for row in common], rel=1e-3)


def test_a_step_moves_the_maps_and_nothing_moves_by_itself_if_motion_is_reduced(reader):
    reader.open(CHART)
    assert "141 updates" in reader.texts()
    reader.browser.find_element("xpath", "//button[text()='Step']").click()
    step = STEPS[STEPS.index(141) + 1]
    assert f"{step} updates" in reader.texts() and reader.shown("updates") == str(step)
    *_, weights = descend(setting_of(FIRST), step)
    cells = of(reader, "rect").query("of == 1").sort_values("at")["value"].to_numpy().reshape(8, 8)
    assert np.allclose(cells, linear.product(weights) / clean_target(setting_of(FIRST)).max())
    reduced = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    with reader.browser.look():
        reader.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", reduced)
        reader.open(CHART)
        play, _, reset = reader.browser.find_elements("css selector", "button")
        ActionChains(reader.browser).click(reset).click(play).pause(0.5).perform()
        # The next picture of eight, after a second.
        first, few = STEPS.index(141), (len(STEPS) - 1) // 8
        assert int(reader.browser.find_element("name", "updates").get_property("value")) == first + few


@pytest.mark.parametrize(("pointer", "width"), [("mouse", 1366), ("touch", 380), ("touch", 360)])
def test_a_reader_draws_a_target_by_tapping_its_cells_and_a_link_contains_it(reader, pointer, width):
    cells = "#chart svg .mark-rect path"
    # Each with a pointer, which what lies above the cells would catch. The first tap draws all cells again.
    tap = ActionChains(reader.browser, devices=[PointerInput(pointer, pointer)])
    with reader.browser.look(width=width):
        reader.open(CHART)
        assert len(reader.browser.find_elements("css selector", cells)) == 8 * 8 * 5
        for at in (0, 9, 9, 18):
            cell = reader.browser.find_elements("css selector", cells)[at]
            box = reader.browser.execute_script("return arguments[0].getBoundingClientRect().toJSON()", cell)
            assert min(box["width"], box["height"]) >= 24
            tap.move_to_element(cell).click().perform()
            reader.drawn()
    own = of(reader, "rect").query("of == 0").sort_values("at")["value"].tolist()
    assert np.flatnonzero(own).tolist() == [0, 18]
    link = reader.browser.find_element("link text", "Link to this setting").get_attribute("href").partition("?")[2]
    assert "your+own" in link and "cells=11+33&" in link
    reader.open(CHART)
    reader.browser.execute_script("return shown.show(arguments[0]).then(() => 1)", link)
    assert of(reader, "rect").query("of == 0").sort_values("at")["value"].tolist() == own
    assert reader.told().startswith("The 2 equal modes are half learned after ")
    # A link that someone has changed is no drawing.
    reader.browser.execute_script("return shown.show(arguments[0]).then(() => 1)", link.replace("=11+", "=19+"))
    assert of(reader, "rect").query("of == 0").sort_values("at")["value"].tolist() == own
    assert reader.told().startswith("“19” does not fit: a cell is its row and its column, such as 27. Shown is 11 33.")
    with reader.browser.look(width=width):
        play, step, reset = reader.browser.find_elements("css selector", "button")
        tap.move_to_element(reset).click().perform()
        assert reader.drawn() and reader.told() == next(shown(reader, [FIRST]))["words"]
        # It plays until the same button is tapped again.
        tap.move_to_element(play).click().pause(0.3).click().perform()
        shown_now = reader.browser.find_element("name", "updates")
        played = int(shown_now.get_property("value"))
        tap.move_to_element(step).click().perform()
        assert STEPS.index(141) < played == int(shown_now.get_property("value")) - 1
        for choice in reader.browser.find_elements("css selector", "select"):
            tap.move_to_element(choice).click().send_keys(Keys.END, Keys.ENTER).perform()
            assert choice.get_property("selectedIndex") == len(choice.find_elements("css selector", "option")) - 1
        field = reader.browser.find_element("name", "spectrum")
        tap.move_to_element(field).click().key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()
        tap.send_keys("0.5 1", Keys.ENTER).perform()
        target = of(reader, "rect").query("of == 0").sort_values("at")["value"]
        assert np.flatnonzero(target).tolist() == [0, 9] and target[target > 0].tolist() == [0.5, 1]
        for slider in reader.browser.find_elements("css selector", "input[type=range]"):
            tap.move_to_element_with_offset(slider, slider.size["width"] // 2 - 4, 0).click().perform()
            assert slider.get_property("value") == slider.get_property("max")
    assert len({*reader.told().split()} & {"diverges", "swings", "overshoots"}) == 1


@pytest.mark.parametrize(
    ("option", "text", "filled", "misfit"),
    [(3, "22 11 37", {0: 1, 9: 1, 22: 1}, "80"), (4, "3, 0 1.5", {0: 3, 18: 1.5}, "1/2"), (4, "1", {0: 1}, "11")],
)
def test_a_reader_types_a_target_by_keys_only_and_what_does_not_fit_is_named(reader, option, text, filled, misfit):
    reader.open(CHART)
    keys, tab = ActionChains(reader.browser), Keys.TAB
    # After three buttons and the link.
    keys.send_keys(*[tab] * 5, Keys.HOME, *[Keys.DOWN] * option, tab, text, tab).perform()
    target = of(reader, "rect").query("of == 0").sort_values("at")["value"].to_numpy()
    assert target == pytest.approx([filled.get(at, 0) / max(filled.values()) for at in range(64)])
    chosen = {"target": option, ["cells", "spectrum"][option - 3]: text}
    (made,) = shown(reader, [places(**chosen)])
    assert reader.told() == made["words"] and (lines := reader.drawn("line"))
    keys.key_down(Keys.SHIFT).send_keys(tab).key_up(Keys.SHIFT).send_keys(Keys.END, f" {misfit}", Keys.ENTER).perform()
    assert (
        reader.told().startswith(f"“{misfit}” does not fit: ")
        and f". Shown is {text}. {made['words']}" in reader.told()
    )
    assert reader.drawn("line") == lines


def shares_of(setting, data, every=False):
    """Return the share of its singular value that each strong mode has, at update 0 and at each that is drawn.

    every: all modes, as shares of the largest singular value
    """
    values, means = modes_of(noisy_target(setting))
    curves = pd.DataFrame(data["curves"]).pivot(index="updates", columns="mode", values="strength") * values[0]
    curves.loc[0] = np.tensordot(means, linear.product(start_of(setting)))
    return (
        curves.sort_index() / values[0] if every else (curves / values).sort_index().loc[:, values >= 0.1 * values[0]]
    )


def kept_from(shares, wanted):
    """Return the update from which a curve keeps a share, interpolated; nan if it does not."""
    at = np.append(-1, np.flatnonzero(shares < wanted))[-1] + 1
    if at == len(shares):
        return np.nan
    between = slice(max(at - 1, 0), at + 1)
    return np.interp(wanted, shares.iloc[between], shares.index[between])


def way_of(shares, halves):
    """Return how neighbouring modes rise from 10 % to 90 %, as seen on a logarithmic axis."""
    rises = [[kept_from(each, share) for share in (0.1, 0.9)] for _, each in shares.items()]
    rises = np.log1p(np.nan_to_num(rises, nan=STEPS[-1]))[np.argsort(halves)]
    lengths = np.maximum(np.diff(rises)[:, 0], 1e-9)
    common = (rises[:-1, 1] - rises[1:, 0]) / np.minimum(lengths[:-1], lengths[1:])
    return "One by one" if (common <= 0).all() else "Together" if (common >= 0.5).all() else "Overlapping"


def in_words(updates):
    return "one update or less" if updates < 1.5 else f"about {float(f'{updates:.2g}'):,.10g} updates"


def kind_of(words):
    return words.split()[2 if words.startswith("The net") else 0]


@pytest.mark.parametrize("n", [pytest.param(5, marks=pytest.mark.slow), pytest.param(125, marks=pytest.mark.nightly)])
def test_the_sentence_is_that_of_the_curves_at_all_places_of_each_slider(reader, n):
    draw, met, crossed, before = random.Random(n), set(), set(), ("", "")
    # From each random setting, a slider moves through all its places, and so to both sides of each limit on its way.
    moves = [
        # Deep nets take long.
        (name, setting | {"depth": setting["depth"] // (2 if n < 100 else 1)} | {name: place})
        for setting in (random_setting(draw) for _ in range(n))
        for name, values in VALUES.items()
        for place in range(len(values) if name != "updates" else 0)
    ]
    for (name, chosen), made in zip(moves, shown(reader, [each for _, each in moves]), strict=True):
        setting, words = (
            setting_of(chosen),
            made["words"].removesuffix(" Dots: a net with 100 inputs and 32 hidden units on MNIST."),
        )
        met.add(kind_of(words))
        if before[0] == name and chosen[name]:
            crossed |= {(name, frozenset((kind_of(before[1]), kind_of(words))))}
        before = name, words
        top, depth = np.linalg.norm(noisy_target(setting), 2), setting["depth"]
        if depth == 1 or not setting["imbalance"]:
            assert setting["rate"] > optimal_rate(top, depth) / 0.95 or "largest rate" not in words
        assert "undefined" not in words and "NaN" not in words
        if "the sharpness is" in words:
            assert _sharpness(start_of(setting), noisy_target(setting)) > 2 / setting["rate"]
        if words.startswith("The net diverges"):
            assert max((row["updates"] for row in made["data"]["losses"]), default=0) < STEPS[-1]
            continue
        losses = pd.DataFrame(made["data"]["losses"]).pivot(index="updates", columns="kind", values="loss")
        end = losses["training"].iloc[-1]
        drawn = shares_of(setting, made["data"], every=True)
        if not words.startswith("The net swings"):
            assert words.startswith("The net hardly moves") == ((drawn - drawn.loc[0]).abs() < 0.01).all(axis=None)
        if words.startswith("The net"):
            # A curve turns: in the last quarter of the picture, if the net swings.
            turns = np.sign(drawn.iloc[-32 if "swings" in words else 0 :].diff()).diff().abs() == 2
            assert end > 1e-3 and ("hardly" in words or turns.any(axis=None))
            continue
        shares = shares_of(setting, made["data"])
        halves = np.array([kept_from(each, 0.5) for _, each in shares.items()])
        # Rounding differs between processors: a start may equal the target, or half of it.
        if ahead := (shares.loc[0] > 0.5 - 1e-9).sum():
            start = "starts" if ahead == 1 else "start"
            assert words.startswith(f"{ahead} of {shares.shape[1]} modes {start} at least half learned")
            shrinking = (shares.loc[0] > 1 + 1e-9).sum()
            assert f"{shrinking or 'none'} of them shrink" in words
            assert ("not all reach" in words) == (np.abs(shares.iloc[-1] - 1) > 0.1).any()
        elif np.isnan(halves).any():
            learned = np.sum(~np.isnan(halves))
            assert words.startswith(
                f"After 10,000 updates, the net has half learned {learned or 'none'} of {len(halves)} modes."
            )
        elif len(halves) > 1:
            first, weakest = map(in_words, (halves[0], halves.max()))
            sentence, _, theory = words.partition(" (in theory, if no mode disturbs another: ")
            times = f"the strongest mode is half learned after {first}, the last after {weakest}"
            assert sentence.partition(".")[0] == f"{way_of(shares, halves)}: {times}".partition(".")[0]
            values = modes_of(noisy_target(setting))[0][[0, halves.argmax()]]
            imbalance = setting["imbalance"] if setting["depth"] > 1 else 0
            size, depth = setting["size"], setting["depth"]
            # A mode that starts above half of its goal has no time.
            assert bool(theory) == (size < (0.5 - 1e-9) * values.min())
            if theory:
                times = [learning_time(each, size, each / 2, depth, imbalance) for each in values]
                written = [float(each.replace(",", "")) for each in theory.partition(")")[0].split(" and ")]
                assert np.allclose(written, np.divide(times, setting["rate"]), rtol=0.06, atol=0.01)
        if setting["noise"]:
            end, least = losses["held out"].iloc[-1], min(1, losses["held out"].min())
            assert f" The held-out error ends at {end:.3g} of the first" in words
            assert words.endswith(" and never rises.") != (end > 1.01 * least)
            assert end <= 1.01 * least or f", and is least, {least:.3g}, after " in words
    assert met >= {"diverges", "swings", "hardly", "One", "Together:", "Overlapping:"} or n < 100
    # Both sides of the largest rate, of flat nets, and of one by one.
    limits = {("rate", "diverges"), ("size", "hardly"), ("depth", "One")}
    assert limits <= {(name, kind) for name, kinds in crossed if len(kinds) > 1 for kind in kinds}
