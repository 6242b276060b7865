"""A reader who opens a chart in a separate page, with the content policy of the report, and moves its sliders.

This module is a pytest plugin: it provides the fixture `reader`.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import vl_convert
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By

from browser import Browser, chromium

WORKFLOW = Path(__file__).parents[1] / "workflow"
# As the page includes them: its style, the script of the controls, and those of the science.
STYLE = WORKFLOW / "reproduce/page/templates/page.css"
SCRIPTS = [WORKFLOW / "reproduce/page/templates/controls.js", *WORKFLOW.glob("*/documents/*/*.js")]
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">
<style>{style}</style></head>
<body><section><div id="chart"></div></section>
<script type="module">{vega}</script><script>{script}</script><script type="module">
const specification = {specification};
window.shown = await drawChart(document.getElementById("chart"), specification, "chart");
window.chart = shown.view;
</script></body></html>
"""
# The width of a slider's thumb (pixels).
THUMB = 16
# The data of a chart's marks with their positions, and all readable texts.
DRAWN = """
const marks = [], texts = [];
function walk(mark) {
    for (const item of mark.items) {
        if (mark.marktype === "group") {
            item.items.forEach(walk);
        } else if (mark.marktype === "text") {
            texts.push([item.text].flat().join(" "));
        } else if (mark.role === "mark") {
            marks.push({...item.datum, mark: mark.marktype, x_pixel: item.x, y_pixel: item.y});
        }
    }
}
return chart.runAsync().then(() => walk(chart.scenegraph().root)).then(() => ({marks, texts}));
"""
# Texts that are cut off at the chart's edge, and the chart's height (pixels).
CUT_OFF = """
const picture = document.querySelector("#chart svg"), frame = picture.getBoundingClientRect();
const cut = [...picture.querySelectorAll("text")].filter((text) => {
    const box = text.getBoundingClientRect();
    return text.textContent && text.style.opacity !== "0" && getComputedStyle(text).opacity !== "0" &&
        (box.top < frame.top - 1 || box.bottom > frame.bottom + 1 || box.left < frame.left - 1
            || box.right > frame.right + 1);
});
return [cut.map((text) => text.textContent), frame.height];
"""


class Reader:
    """A reader who opens a chart and moves its sliders."""

    def __init__(self, browser: Browser, path: Path) -> None:
        self.browser, self._path = browser, path

    def open(self, chart) -> None:
        """Open a chart in the form that `interact` writes and the page contains."""
        specification = chart if isinstance(chart, dict) else chart.to_dict()
        page = PAGE.format(
            policy=POLICY,
            style=STYLE.read_text(encoding="utf-8"),
            vega=vl_convert.javascript_bundle(),
            script="\n".join(each.read_text(encoding="utf-8") for each in SCRIPTS),
            specification=json.dumps(specification).replace("<", "\\u003c"),
        )
        self._path.write_text(page, encoding="utf-8")
        self.browser.get(self._path.as_uri())
        wait = "const done = arguments[0]; (function ask() { window.chart ? done(true) : setTimeout(ask, 10); })();"
        assert self.browser.execute_async_script(wait)

    def move(self, **places: int) -> None:
        """Put controls at places by their signals, one by one: drag the slider, choose from the list."""
        for name, place in places.items():
            control = self.browser.find_element(By.NAME, name)
            if int(control.get_property("value")) == place:
                continue
            hand = ActionChains(self.browser, duration=0).scroll_to_element(control)
            if control.tag_name == "select":
                hand.click(control).perform()
                hand = ActionChains(self.browser).send_keys(Keys.HOME, *[Keys.DOWN] * place, Keys.ENTER)
            else:
                first, last = (int(control.get_property(each)) for each in ("value", "max"))
                across = [round((at / last - 0.5) * (control.size["width"] - THUMB)) for at in (first, place)]
                hand.move_to_element_with_offset(control, across[0], 0).click_and_hold()
                hand.move_to_element_with_offset(control, across[1], 0).release()
            hand.perform()
            assert int(control.get_property("value")) == place

    def drawn(self, marktype: str = "", /, **values: object) -> list[dict]:
        """Return the data of the marks of a type that have the given values."""
        marks = self.browser.execute_script(DRAWN)["marks"]
        return [
            mark
            for mark in marks
            if marktype in ("", mark["mark"])
            and all(mark.get(name, "absent") == value for name, value in values.items())
        ]

    def texts(self) -> str:
        """Return the sentence on the current setting and all texts in the chart; check that no text is cut off."""
        cut_off, height = self.browser.execute_script(CUT_OFF)
        assert not cut_off
        assert height < 700
        return "\n".join([self.told(), *self.browser.execute_script(DRAWN)["texts"]])

    def told(self) -> str:
        """Return the sentence on the current setting, which screen readers get too."""
        return self.browser.find_element("css selector", ".told[role=status]").text

    def shown(self, signal: str) -> str:
        """Return the text beside a slider, which screen readers get too."""
        label = self.browser.find_element("css selector", f"[name={signal}]")
        beside = label.find_element("xpath", "following-sibling::span").text
        assert label.get_attribute("aria-valuetext") == beside
        return beside


def places_of(specification: dict) -> dict[str, int]:
    """Return the number of positions of each slider and list of a chart, by its signal."""
    binds = {each["name"]: each["bind"] for each in specification["params"] if "bind" in each}
    return {name: len(bind["options"]) if "options" in bind else bind["max"] + 1 for name, bind in binds.items()}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of a process."""
    with chromium() as opened:
        yield opened


@pytest.fixture
def reader(browser, tmp_path) -> Iterator[Reader]:
    """A reader whose browser reports no error during the test."""
    # Drop the errors of earlier tests.
    browser.errors()
    yield Reader(browser, tmp_path / "page.html")
    assert browser.errors() == []
