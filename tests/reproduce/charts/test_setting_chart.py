import altair as alt
import pandas as pd
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from reproduce.charts.charts import frame, line_in_range
from reproduce.charts.setting_chart import SettingChart

AXES = {"depth": "depth (matrices)", "init": "start", "scale": "factor"}
NAN = float("nan")


def run(depth, init, seed, values, metric="loss", index=0):
    """Return the rows of one run at a single scale, with a value per step."""
    columns = {"depth": depth, "init": init, "scale": 0.5, "seed": seed, "metric": metric, "index": index}
    return pd.DataFrame({"step": range(len(values)), "value": values}).assign(**columns)


# Depth 3 was run with only one of two initialisations.
RUNS = pd.concat(
    [
        run(1, "fan_in", 4, [8, 4, 2]),
        run(1, "fan_in", 5, [6, 2, 2]),
        run(1, "zero", 4, [8, NAN, 3]),
        run(3, "zero", 4, [1, 1, 1]),
        run(3, "zero", 4, [0.12345, 7], metric="mode", index=1),
    ]
)


def chart_of(runs):
    chart = SettingChart(runs, AXES, describe=lambda rows: f"{rows['seed'].nunique()} seeds", left_out="")
    chart.add_ranges("losses", "loss", mean=True)
    return chart


def test_each_setting_has_a_key_and_a_line_in_a_range():
    chart = chart_of(RUNS)
    assert list(chart.runs) == ["0 0 0", "0 1 0", "1 1 0"]
    assert chart.curves["losses"][:2] == [
        {"key": "0 0 0", "step": [0, 1, 2], "value": [7, 3, 2], "low": [6, 2, 2], "high": [8, 4, 2]},
        # Values that are not finite are left out.
        {"key": "0 1 0", "step": [0, 2], "value": [8, 3], "low": [8, 3], "high": [8, 3]},
    ]
    chart.add_ranges("losses", "loss", mean=False, unit=100, records=2)
    assert chart.curves["losses"][0] == {
        **{"key": "0 0 0", "step": [0, 2]},
        **{"value": [800, 200], "low": [600, 200], "high": [800, 200]},
    }


def test_controls_stop_only_at_settings_that_were_run_and_others_move_along(reader):
    runs = [RUNS, run(2, "zero", 4, [3, 2]), *(run(depth, "xavier", 4, [3, depth]) for depth in (2, 3))]
    chart = chart_of(pd.concat(runs))
    line = line_in_range("losses", "loss", "#000000", alt.X("step:Q").scale(domain=frame("step")), height=100)
    first = {"depth": 1, "init": "fan_in", "scale": 0.5}
    reader.open(chart.finish([line], title="Losses", description="Losses.", start=lambda setting: setting == first))
    slider, choice = (reader.browser.find_element(By.NAME, f"place_{name}") for name in ("depth", "init"))

    def shown():
        reader.browser.execute_async_script("const done = arguments[0]; chart.runAsync().then(() => done())")
        assert "not simulated" not in reader.texts() and reader.drawn("line")
        return reader.shown("place_depth"), Select(choice).first_selected_option.text, reader.told().partition(". ")[2]

    assert shown() == ("1", "fan in", "")
    along = "Moved along, to a setting that was simulated: {}.".format
    # Of fan in, there is only depth 1: the next start in the list that has depth 2 is taken.
    slider.send_keys(Keys.ARROW_RIGHT)
    assert shown() == ("2", "xavier", along("start"))
    # A click on the right end of the slider.
    across = slider.size["width"] // 2 - 4
    ActionChains(reader.browser).move_to_element_with_offset(slider, across, 0).click().perform()
    assert shown() == ("3", "xavier", "")
    choice.send_keys(Keys.END)
    assert shown() == ("3", "zero", "")
    choice.send_keys(Keys.HOME)
    assert shown() == ("1", "fan in", along("depth (matrices)"))
