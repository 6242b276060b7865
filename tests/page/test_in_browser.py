"""The page in a real browser, opened from a file with the network switched off."""

import base64
import io
import json

import pypdf
import pytest
import small_page
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

SECONDS = 20


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return small_page.make(folder).as_uri()


@pytest.fixture
def browser(browser, address):
    """The page, opened anew."""
    browser.get("about:blank")
    browser.get(address)
    browser.errors()
    return browser


def shown(browser):
    """The names of the claims that a reader sees."""
    claims = browser.find_elements(By.CLASS_NAME, "claim")
    return [claim.get_attribute("id").removeprefix("claim-000-") for claim in claims if claim.is_displayed()]


def wait(browser, condition):
    return WebDriverWait(browser, SECONDS).until(condition)


def drawn(browser):
    """The chart's holder, once the browser has drawn it."""
    holder = browser.find_element(By.CLASS_NAME, "chart")
    browser.execute_script("arguments[0].scrollIntoView()", holder)
    wait(browser, lambda _: browser.execute_script("return Boolean(arguments[0].view)", holder))
    return holder


def points(browser, holder):
    """What the chart draws: depth → accuracy."""
    marks = browser.execute_script(
        "return arguments[0].view.scenegraph().root.items[0].items.flatMap(each => each.items)"
        ".filter(each => each.datum && each.datum.depth).map(each => [each.datum.depth, each.datum.accuracy])",
        holder,
    )
    return dict(marks)


def test_it_opens_without_a_complaint_and_every_picture_loads(browser, address):
    browser.get(address)
    drawn(browser)
    assert browser.errors() == []
    pictures = browser.find_elements(By.CSS_SELECTOR, "img")
    assert len(pictures) == 2
    for picture in pictures:
        browser.execute_script("arguments[0].scrollIntoView()", picture)
        wait(browser, lambda _, picture=picture: picture.get_property("complete"))
        assert picture.get_property("naturalWidth") > 0
    assert browser.title.startswith("How depth")


def test_a_slider_moves_what_is_drawn(browser):
    holder = drawn(browser)
    slider = holder.find_element(By.CSS_SELECTOR, "input[type=range]")
    assert points(browser, holder) == {1: 55}
    slider.send_keys(Keys.ARROW_RIGHT)
    wait(browser, lambda _: points(browser, holder) == {2: 60})
    slider.send_keys(Keys.END)
    wait(browser, lambda _: points(browser, holder) == {3: 65})
    assert browser.errors() == []


def test_claims_are_found_by_words_document_verdict_and_kind(browser):
    everything = ["deeper_is_better", "the_rate", "hostile"]
    assert shown(browser) == everything
    search = browser.find_element(By.NAME, "words")
    search.send_keys("RATE it")
    assert shown(browser) == ["the_rate"]
    assert browser.find_element(By.CSS_SELECTOR, "#filter output").text == "1 of 3 claims"
    assert not browser.find_element(By.ID, "000-claims").is_displayed()
    browser.find_element(By.CSS_SELECTOR, "button[type=reset]").click()
    wait(browser, lambda _: shown(browser) == everything)
    assert browser.find_element(By.ID, "000-claims").is_displayed()
    for name, value, found in (
        ("verdict", "not testable here", ["hostile"]),
        ("verdict", "not reproduced, within noise", []),
        ("weight", "main", ["deeper_is_better"]),
        ("kind", "ordering", ["deeper_is_better"]),
        ("document", "000-classifier", everything),
    ):
        Select(browser.find_element(By.NAME, name)).select_by_value(value)
        assert shown(browser) == found
        browser.find_element(By.CSS_SELECTOR, "button[type=reset]").click()
        wait(browser, lambda _: shown(browser) == everything)


def test_a_link_opens_what_it_leads_to(browser, address):
    browser.get("about:blank")
    browser.get(f"{address}#experiment-classifier")
    target = browser.find_element(By.ID, "experiment-classifier")
    assert target.get_property("open")
    link = browser.find_element(By.CSS_SELECTOR, "#claim-000-the_rate a.here")
    browser.execute_script("arguments[0].click()", link)
    place = browser.find_element(By.ID, "claim-000-the_rate")
    top = wait(browser, lambda _: browser.execute_script("return arguments[0].getBoundingClientRect().top + 1", place))
    assert browser.current_url.endswith("#claim-000-the_rate")
    assert 0 < top < browser.execute_script("return innerHeight")


def test_texts_of_others_do_nothing(browser):
    assert "taken" not in browser.title
    assert small_page.HOSTILE.split()[0] in browser.find_element(By.ID, "claim-000-hostile").text


def test_it_prints(browser):
    done = browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    pages = pypdf.PdfReader(io.BytesIO(base64.b64decode(done["data"]))).pages
    text = " ".join(" ".join(page.extract_text() for page in pages).split())
    assert "Of 2 statements about results, 1 agrees" in text and "the_rate holds." in text
    assert "Search in claims" not in text


@pytest.mark.parametrize("width", [380, 1000])
@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_the_window_and_can_be_read(browser, address, width, dark):
    with browser.look(width=width, dark=dark):
        browser.get(address)
        drawn(browser)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        colours = browser.execute_script(
            "return [...document.querySelectorAll('body, .verdict, figcaption, a, .numbers')].map(each => "
            "[getComputedStyle(each).color, getComputedStyle(document.body).backgroundColor])"
        )
        assert {contrast(*pair) >= 4.5 for pair in colours} == {True}
        light = sum(channels(colours[0][1])) > 3 * 128
        assert light != dark


def channels(colour):
    return [float(part) for part in colour.partition("(")[2].rstrip(")").split(",")[:3]]


def contrast(ink, ground):
    """The contrast ratio of WCAG 2, which asks for 4.5."""

    def luminance(colour):
        shares = [value / 255 for value in channels(colour)]
        linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    darker, lighter = sorted((luminance(ink), luminance(ground)))
    return (lighter + 0.05) / (darker + 0.05)


def test_without_scripts_figures_and_claims_are_there(browser, address):
    with browser.look(javascript=False):
        browser.get(address)
        assert shown(browser) == ["deeper_is_better", "the_rate", "hostile"]
        assert not browser.find_element(By.ID, "filter").is_displayed()
        # The chart's first setting stands there as a picture.
        assert len(browser.find_elements(By.CSS_SELECTOR, "img")) == 3
        assert "The sliders need JavaScript" in browser.find_element(By.ID, "000-depth-sliders").text


def test_the_specification_on_the_page_is_the_one_that_was_made(browser):
    text = browser.execute_script("return document.getElementById('000-depth-sliders-data').textContent")
    assert json.loads(text) == {**small_page.CHART, "usermeta": {}}
