"""The page in a real browser, opened from a file with the network switched off."""

import base64
import io
import json
import re
from pathlib import Path

import pypdf
import pytest
import selenium_axe_python
import small_page
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

SECONDS = 20
TOP = "return arguments[0].getBoundingClientRect().top"
AXE = Path(selenium_axe_python.__file__).parent / "axe-core/axe.min.js"
# Readers' hands: what they touch, they touch on a desktop and on a phone, and the browser finds what is at this place.
desktop_and_phone = pytest.mark.parametrize("width", [1000, 380])


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return small_page.make(folder).as_uri()


@pytest.fixture
def width():
    return 1000


@pytest.fixture
def browser(browser, address, width):
    """A browser of this width (pixels) that has just opened the page."""
    with browser.look(width=width):
        browser.get("about:blank")
        browser.get(address)
        browser.errors()
        yield browser


@pytest.fixture
def saved(browser, tmp_path):
    """A function that waits for a file that the page saves, and returns its bytes."""
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    return lambda name: wait(browser, lambda _: (tmp_path / name).exists() and (tmp_path / name).read_bytes())


def visible_claims(browser):
    """Return the names of the claims that are displayed."""
    claims = browser.find_elements(By.CLASS_NAME, "claim")
    return [claim.get_attribute("id").removeprefix("claim-000-") for claim in claims if claim.is_displayed()]


def wait(browser, condition):
    return WebDriverWait(browser, SECONDS).until(condition)


def wait_for_chart(browser):
    """Go to the chart; return its element when it is drawn."""
    holder = browser.find_element(By.CLASS_NAME, "chart")
    if not holder.is_displayed():
        browser.find_element(By.CSS_SELECTOR, ".more > summary").click()
    ActionChains(browser).scroll_to_element(holder).perform()
    wait(browser, lambda _: browser.execute_script("return Boolean(arguments[0].view)", holder))
    return holder


def unfold(browser):
    """Open all that is folded, which begins below its summary, and the tables that are made when they are opened."""
    for summary in [*browser.find_elements(By.TAG_NAME, "summary"), *open_ledger(browser)]:
        details = summary.find_element(By.XPATH, "..")
        if not details.get_property("open"):
            summary.click()
            assert details.get_property("open")


def open_ledger(browser):
    """Open the tables of all results; return their summaries, and what opens them all."""
    section = browser.find_element(By.ID, "ledger")
    if not section.find_elements(By.TAG_NAME, "table"):
        section.find_element(By.TAG_NAME, "summary").click()
    wait(browser, lambda _: section.find_elements(By.TAG_NAME, "table"))
    return section.find_elements(By.CSS_SELECTOR, "details details > summary")


def points(browser, holder):
    """Return the chart's points as {depth: accuracy}."""
    marks = browser.execute_script(
        "return arguments[0].view.scenegraph().root.items[0].items.flatMap(each => each.items)"
        ".filter(each => each.datum && each.datum.depth).map(each => [each.datum.depth, each.datum.accuracy])",
        holder,
    )
    return dict(marks)


@desktop_and_phone
def test_the_page_opens_without_errors_and_loads_every_picture_which_a_click_enlarges(browser, address):
    browser.get(address)
    wait_for_chart(browser)
    assert browser.errors() == []
    unfold(browser)
    pictures = browser.find_elements(By.CSS_SELECTOR, "img")
    assert len(pictures) == 2
    for picture in pictures:
        ActionChains(browser).scroll_to_element(picture).perform()
        wait(browser, lambda _, picture=picture: picture.get_property("complete"))
        assert picture.get_property("naturalWidth") > 0
        for larger in (True, False):
            picture.click()
            assert (picture.size["width"] == 960) == larger
    # No script in a text was run, and the chart is the file's.
    assert browser.title == "The title., reproduced"
    assert small_page.HOSTILE.split()[0] in browser.find_element(By.ID, "claim-000-hostile").get_property("textContent")
    text = browser.execute_script("return document.getElementById('000-depth-sliders-data').textContent")
    assert json.loads(text) == small_page.CHART


def hits(browser):
    """Return the anchors of what the search lists."""
    links = browser.find_elements(By.CSS_SELECTOR, "#hits a")
    return [link.get_attribute("href").partition("#")[2] for link in links]


@pytest.mark.parametrize(
    ("words", "best"),
    [
        ("standardised bar", "000-accuracy"),
        ("the source", "000"),
        # s and z are one.
        ("iz better holdz", "claim-000-deeper_is_better"),
        ("sign wrong", "claim-000-typing_error"),
        ("the rate", "claim-000-the_rate"),
        # The name of a claim counts, and so do other endings.
        ("hostility", "claim-000-hostile"),
        ("effective", "word-effective-rank"),
        ("what else", "answer-2"),
        ("time to run", "about-cost"),
        ("undecided", "word-undecided"),
        # A reader's word for an answer; and none finds the hidden words of signs.
        ("benefit", "answer-1"),
        ("mean reproduced", "word-reproduced"),
        ("what did not hold", "failures"),
    ],
)
def test_a_search_lists_at_most_ten_parts_of_the_page_and_begins_with_the_best(browser, words, best):
    browser.find_element(By.NAME, "words").send_keys(words)
    assert hits(browser)[0] == best
    assert len(hits(browser)) <= 10
    count = int(re.match(r"\d+", browser.find_element(By.CSS_SELECTOR, "#search output").text)[0])
    assert min(count, 10) == len(hits(browser))


@pytest.mark.parametrize(
    ("words", "lacking"),
    [
        ("SGD", "SGD"),
        ("what does weight decay do", "weight decay"),
        ("zzq qqz", "zzq or qqz"),
        ("zzq rate", ""),
    ],
)
def test_a_search_says_what_the_page_lacks(browser, words, lacking):
    browser.find_element(By.NAME, "words").send_keys(words)
    said = browser.find_element(By.CSS_SELECTOR, "#search output").text.rpartition(".")[0]
    assert said == (lacking and f"This page has nothing on {lacking}")


def places_of_guess(chapter):
    """Return x and y of each place of the line that a reader has drawn."""
    points = chapter.find_element(By.CSS_SELECTOR, ".guess").get_attribute("points")
    return [pair.split(",") for pair in points.split()]


@desktop_and_phone
def test_a_reader_guesses_a_curve_before_the_answer_is_shown(browser, address, width):
    (chapter, other) = browser.find_elements(By.CLASS_NAME, "chapter")
    curve, ours, found = (chapter.find_element(By.CSS_SELECTOR, name) for name in (".curve", "path.ours", ".found"))
    # Without a curve there is nothing to guess.
    assert (
        not found.is_displayed()
        and not ours.is_displayed()
        and other.find_element(By.CLASS_NAME, "found").is_displayed()
    )
    kind = "touch" if width < 1000 else "mouse"
    drag = ActionChains(browser, duration=10, devices=[PointerInput(kind, kind)])
    drag.move_to_element_with_offset(curve, -100, 20).click_and_hold()
    for _ in range(8):
        drag.move_by_offset(20, -5)
    drag.release().perform()
    assert found.is_displayed() and ours.is_displayed()
    places = places_of_guess(chapter)
    across, down = ([int(place[axis]) for place in places] for axis in (0, 1))
    assert len(places) > 5 and across == sorted(set(across)) and down == sorted(down, reverse=True)
    browser.refresh()
    chapter = browser.find_element(By.CLASS_NAME, "chapter")
    browser.execute_script("document.querySelector('.asks a').focus()")
    # By keys: the line begins at the left edge, which it does not leave.
    moves = [Keys.LEFT, *[Keys.RIGHT] * 3, *[Keys.UP] * 2, Keys.RIGHT]
    ActionChains(browser).send_keys(Keys.TAB, *moves).perform()
    line = [tuple(map(int, place)) for place in places_of_guess(chapter)]
    assert [(x - line[0][0], y - line[0][1]) for x, y in line] == [(0, 0), (3, 0), (6, 0), (9, -6), (12, -6)]
    ActionChains(browser).send_keys(Keys.TAB, Keys.ENTER).perform()
    assert chapter.find_element(By.CLASS_NAME, "found").is_displayed()
    browser.find_element(By.CSS_SELECTOR, ".found a[href*='?depth=3']").click()
    wait(browser, lambda _: points(browser, wait_for_chart(browser)) == {3: 65})
    for button in (".ask button", ".asks button"):
        browser.refresh()
        browser.find_element(By.CSS_SELECTOR, button).click()
        assert browser.find_element(By.CLASS_NAME, "found").is_displayed()


@desktop_and_phone
def test_a_lecture_has_slides_keys_and_buttons_and_its_links_open_in_the_page(browser, address):
    browser.find_element(By.LINK_TEXT, "As a lecture").click()
    slides = [browser.find_element(By.TAG_NAME, "hgroup"), *browser.find_elements(By.CLASS_NAME, "chapter")]
    answers = [each.find_element(By.CLASS_NAME, "found") for each in slides[1:]]
    number = browser.find_element(By.CSS_SELECTOR, ".bar output")

    def shown():
        (place,) = (place for place, slide in enumerate(slides) if slide.is_displayed())
        assert number.text == f"{place + 1} of 3" and not browser.find_element(By.TAG_NAME, "main").is_displayed()
        return place, [answer.is_displayed() for answer in answers]

    def click(words):
        browser.find_element(By.XPATH, f"//*[@class='bar']/*[text()='{words}']").click()
        return shown()

    def press(key):
        browser.find_element(By.TAG_NAME, "body").send_keys(key)
        return shown()

    title, asked, told, second = (0, [False, False]), (1, [False, False]), (1, [True, False]), (2, [False, True])
    assert shown() == title
    assert [press(key) for key in (Keys.ARROW_RIGHT, Keys.PAGE_DOWN, Keys.ARROW_RIGHT)] == [asked, told, second]
    assert [press(Keys.ARROW_LEFT), click("Show or hide answer")] == [told, asked]
    # Arrow keys that draw turn no slide.
    browser.execute_script("document.querySelector('.now .curve').focus()")
    ActionChains(browser).send_keys(Keys.ARROW_UP).perform()
    assert shown() == asked and len(places_of_guess(slides[1])) == 1
    assert [click(words) for words in ("Next", "Next", "Back")] == [told, second, told]
    slides[1].find_element(By.CSS_SELECTOR, ".found a[href='#claim-000-deeper_is_better']").click()
    wait(browser, lambda _: browser.find_element(By.ID, "claim-000-deeper_is_better").is_displayed())
    assert not number.is_displayed()
    browser.back()
    wait(browser, lambda _: number.is_displayed())
    assert shown() == told
    browser.find_element(By.LINK_TEXT, "Leave").click()
    wait(browser, lambda _: browser.find_element(By.TAG_NAME, "main").is_displayed())


def test_no_slide_of_a_lecture_is_cut(browser, address):
    for width in (380, 768, 1366):
        with browser.look(width=width):
            browser.get(f"{address}?lecture")
            for _ in range(4):
                browser.find_element(By.TAG_NAME, "body").send_keys(Keys.ARROW_RIGHT)
                slide, bar = (browser.find_element(By.CLASS_NAME, name).rect for name in ("now", "bar"))
                assert slide["x"] >= 0 and slide["x"] + slide["width"] <= width
                # Its end is above the bar, in a window of 768 pixels and on a phone.
                assert slide["y"] + slide["height"] + bar["height"] <= 768


@desktop_and_phone
def test_all_results_are_tables_that_can_be_sorted_filtered_and_saved(browser, saved):
    (summary,) = open_ledger(browser)
    section = browser.find_element(By.ID, "ledger")
    assert summary.text == "000-classifier: 3 statements" and not section.find_element(By.TAG_NAME, "th").is_displayed()
    summary.click()

    def column(place):
        return [row.find_elements(By.TAG_NAME, "td")[place].text.rpartition(": ")[2] for row in rows()]

    def rows():
        return [row for row in section.find_elements(By.CSS_SELECTOR, "tbody tr") if row.is_displayed()]

    assert len(section.find_elements(By.CSS_SELECTOR, "thead > tr > th[scope=col]")) == 6
    links = [row.find_element(By.TAG_NAME, "a").get_attribute("href").partition("#")[2] for row in rows()]
    assert sorted(links) == ["claim-000-deeper_is_better", "claim-000-hostile", "claim-000-the_rate"]
    # The first click on numbers puts the largest first; rows without a number are last in both orders.
    low, high = "1.5", "60.25 ± 0.62"
    for name, order, sorted_ in (
        ("ours", "descending", [high, low, ""]),
        ("ours", "ascending", [low, high, ""]),
        ("statement", "ascending", ["", high, low]),
    ):
        head = section.find_element(By.XPATH, f".//th[button='{name}']")
        head.find_element(By.TAG_NAME, "button").click()
        assert head.get_attribute("aria-sort") == order and column(3) == sorted_
    section.find_element(By.XPATH, ".//button[text()='Save all as CSV']").click()
    text = saved("results.csv").decode()
    head, first, *_ = text.splitlines()
    names = "statement,document,weight,kind,quantity,printed,ours,difference,n,verdict,reduced,link"
    assert head.replace('"', "") == names
    assert first.endswith(
        ',"000-classifier","main","ordering","accuracy, %","60.3%","60.25 ± 0.62 (n = 10)","","10","reproduced","",'
        '"#claim-000-deeper_is_better"'
    )
    summary.click()
    # A verdict is no word of a row: "not reproduced" would be found in those that are reproduced.
    button = section.find_element(By.XPATH, ".//button[text()='not reproduced: 1']")
    for pressed, shown in (("true", ["✗ not reproduced"]), ("false", [])):
        button.click()
        assert button.get_attribute("aria-pressed") == pressed and column(5) == shown
    section.find_element(By.TAG_NAME, "input").send_keys("000 ordering  Better main")
    (row,) = rows()
    row.find_element(By.XPATH, ".//button[text()='BibTeX']").click()
    # A file's path is no address.
    assert saved("claim-000-deeper_is_better.bib").decode() == (
        "@misc{claim-000-deeper_is_better,\n  author = {{B. Author}},\n  title = {{deeper\\_is\\_better holds.}},\n"
        "  year = {2026},\n  note = {A statement of 000-classifier: 60.25 ± 0.62 (n = 10), reproduced},\n}\n"
    )


@desktop_and_phone
def test_a_search_is_kept_in_the_address_and_a_click_on_a_hit_shows_it_in_the_page(browser, address):
    search = browser.find_element(By.NAME, "words")
    search.send_keys("holds rate")
    marked = {each.get_property("textContent") for each in browser.find_elements(By.TAG_NAME, "mark")}
    assert marked == {"hold", "rate"}
    assert visible_claims(browser) == []
    search.send_keys(Keys.ENTER)
    link = f"{address}#search?words=holds+rate"
    assert browser.current_url == link
    browser.get("about:blank")
    browser.get(link)
    browser.find_element(By.CSS_SELECTOR, "#hits a[href='#claim-000-the_rate']").click()
    wait(browser, lambda _: visible_claims(browser) == ["deeper_is_better", "hostile", "the_rate"])
    assert browser.current_url == f"{address}#claim-000-the_rate"
    assert browser.find_element(By.NAME, "words").get_property("value") == "" and not hits(browser)
    browser.back()
    wait(browser, lambda _: hits(browser))
    browser.find_element(By.CSS_SELECTOR, "button[type=reset]").click()
    wait(browser, lambda _: browser.find_element(By.TAG_NAME, "h1").is_displayed())
    assert browser.current_url == f"{address}#"


@desktop_and_phone
def test_the_page_saves_the_files_it_contains(browser, saved):
    wait_for_chart(browser)
    for button in browser.find_elements(By.CSS_SELECTOR, ".files button"):
        button.click()
    stem = "000-depth-sliders"
    assert saved(f"{stem}.csv").decode().splitlines() == [
        '"dataset","accuracy","depth","words"',
        *('"points","55","1",""', '"points","60","2",""', '"points","65","3",""', '"texts","","1 2","a ""net"""'),
    ]
    assert json.loads(saved(f"{stem}.json"))["mark"] == "point"
    for name in (stem, "000-accuracy", "000-rank"):
        assert saved(f"{name}.svg").startswith(b"<svg") and saved(f"{name}.png")[1:4] == b"PNG"


@desktop_and_phone
def test_a_link_opens_its_target(browser, address):
    browser.get("about:blank")
    browser.get(f"{address}#experiment-classifier")
    assert browser.find_element(By.ID, "experiment-classifier").get_property("open")
    contents, failed = (browser.find_element(By.CSS_SELECTOR, f"{part} summary") for part in ("nav", "#failures"))
    if not contents.find_element(By.XPATH, "..").get_property("open"):
        contents.click()
    failed.click()
    # The claim is in the folded part of its document.
    for link in ("nav a[href='#000']", "nav a[href='#glossary']", "a.word", "#failures a[href='#claim-000-the_rate']"):
        link = browser.find_element(By.CSS_SELECTOR, link)
        link.click()
        anchor = link.get_attribute("hash")
        target = browser.find_element(By.ID, anchor[1:])
        assert browser.current_url.endswith(anchor)
        wait(browser, lambda _, target=target: -1 < browser.execute_script(TOP, target) < 900 and target.is_displayed())
    assert target.get_property("open")
    browser.get("about:blank")
    browser.get(address)
    ActionChains(browser).send_keys(Keys.TAB, Keys.ENTER).perform()
    assert browser.current_url == f"{address}#documents"


def test_a_link_stays_in_the_page_in_a_frame_that_a_host_wrote(browser):
    write = (
        "const frame = document.createElement('iframe'); frame.srcdoc = arguments[0]; frame.width = frame.height = 800;"
    )
    page = browser.page_source
    browser.get("about:blank")
    browser.execute_script(f"{write} document.body.append(frame)", page)
    browser.switch_to.frame(wait(browser, lambda _: browser.find_element(By.TAG_NAME, "iframe")))
    link = wait(browser, lambda _: browser.find_element(By.CSS_SELECTOR, "a.word"))
    link.click()
    target = browser.find_element(By.ID, link.get_attribute("hash")[1:])
    wait(browser, lambda _: -1 < browser.execute_script(TOP, target) < 800)
    browser.switch_to.default_content()


def test_the_page_can_be_printed(browser):
    done = browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    pages = pypdf.PdfReader(io.BytesIO(base64.b64decode(done["data"]))).pages
    text = " ".join(" ".join(page.extract_text() for page in pages).split())
    assert "Of 2 statements about results, 1 is reproduced" in text and "deeper_is_better holds." in text
    assert "Back to the page" not in text
    # Neither closed details nor a heading at the end of a page are printed.
    assert "it is threefold" not in text
    headings = ["Accuracy grows", "Ranks: all of them", "What did not hold, and why", "About this page"]
    assert all(page.extract_text().strip().splitlines()[-1].strip() not in headings for page in pages)


def test_figures_and_claims_are_visible_without_scripts(browser, address):
    with browser.look(javascript=False):
        browser.get(address)
        browser.find_element(By.CSS_SELECTOR, ".more > summary").click()
        assert visible_claims(browser) == ["deeper_is_better", "hostile", "the_rate"]
        assert not browser.find_element(By.ID, "search").is_displayed()
        # The third picture is the chart's first setting.
        assert len(browser.find_elements(By.CSS_SELECTOR, "img")) == 3
        assert "The sliders need JavaScript" in browser.find_element(By.ID, "000-depth-sliders").text


@desktop_and_phone
def test_a_setting_of_a_chart_has_a_link_and_can_be_reset(browser, address):
    holder = wait_for_chart(browser)
    for control in holder.find_elements(By.CSS_SELECTOR, ".controls :is(input, select, button, a)"):
        # Large enough for a finger.
        assert control.size["height"] >= 44 and control.size["width"] >= 44
    slider = holder.find_element(By.CSS_SELECTOR, "input[type=range]")
    ActionChains(browser).move_to_element_with_offset(slider, slider.size["width"] // 2 - 4, 0).click().perform()
    wait(browser, lambda _: points(browser, holder) == {3: 65})
    link = holder.find_element(By.LINK_TEXT, "Link to this setting").get_attribute("href")
    assert link == f"{address}#000-depth-sliders?depth=3"
    holder.find_element(By.XPATH, ".//button[text()='Reset']").click()
    wait(browser, lambda _: points(browser, holder) == {1: 55})
    assert slider.get_property("value") == "0"
    browser.get("about:blank")
    browser.get(link.replace("depth=3", "depth=2&unknown=1"))
    holder = wait_for_chart(browser)
    wait(browser, lambda _: points(browser, holder) == {2: 60})
    # A value that the chart lacks is named. An address also works within the page.
    browser.get(f"{address}#000-depth-sliders?depth=all")
    wait(browser, lambda _: points(browser, holder) == {1: 55})
    words = holder.find_element(By.CLASS_NAME, "told")
    wait(browser, lambda _: words.text.endswith("The link names depth all, which this chart lacks."))
    browser.get(f"{address}#000-depth-sliders?depth=3")
    wait(browser, lambda _: points(browser, holder) == {3: 65})
    assert browser.errors() == []


# Links within sentences may be smaller.
SMALL = """
const lettersIn = ({ textContent }) => textContent.trim().length;
const inSentence = (link) => link.matches("a") && lettersIn(link.parentElement) > lettersIn(link) + 3;
return [...document.querySelectorAll("a, button, input, select, summary")]
    .filter((each) => each.checkVisibility() && !inSentence(each) && !each.matches(".skip"))
    .filter((each) => Math.min(each.getBoundingClientRect().width, each.getBoundingClientRect().height) < 24)
    .map((each) => each.outerHTML);
"""


@pytest.mark.parametrize("width", [380])
def test_targets_for_fingers_are_24_pixels_large(browser, address, width):
    wait_for_chart(browser)
    unfold(browser)
    assert browser.execute_script(SMALL) == []


@pytest.mark.parametrize("dark", [False, True])
def test_lines_that_the_page_draws_have_the_contrast_of_those_in_figures(browser, address, dark):
    with browser.look(dark=dark):
        browser.get(address)
        colours = browser.execute_script(
            "const of = (name, key) => getComputedStyle(document.querySelector(name))[key];"
            "return ['.frame', '.given', '.guess', 'path.ours'].map((name) => of(`.curve ${name}`, 'stroke'))"
            ".concat(of('.curve', 'backgroundColor'))"
        )
        *lines, ground = (luminance(re.findall(r"\d+", colour)) for colour in colours)
        assert all(max(line, ground) / min(line, ground) >= 3 for line in lines)


def luminance(levels):
    """Return the luminance of a colour, of three levels from 0 to 255, plus 0.05 (WCAG 2.2)."""
    shares = [int(level) / 255 for level in levels]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05


@pytest.mark.parametrize("width", [380, 1366])
@pytest.mark.parametrize("dark", [False, True])
def test_the_page_fits_the_window_and_axe_finds_no_violation(browser, address, width, dark):
    with browser.look(width=width, dark=dark):
        browser.get(address)
        wait_for_chart(browser)
        unfold(browser)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        ground = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, re.findall(r"\d+", ground)[:3])) > 3 * 128) != dark
        # Among its rules is the contrast of texts.
        browser.execute_script(AXE.read_text(encoding="utf-8"))
        found = browser.execute_async_script("const done = arguments[0]; axe.run().then(done)")["violations"]
        assert [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found] == []
