"""The report in a real browser: nothing is asked of a network, everything is drawn, sorts, fits a phone and prints."""

import base64
import re

import pandas as pd
import pytest
from browser import DESK, PHONE, chromium, draw_all, need_browser, open_page, requested
from made_up_results import deck_rows, frame_of
from made_up_sections import BEHIND, BIASES, CARDS, all_sections, used_cards
from test_report import CONFIG, MANIFEST

from duelbench.analysis.report import RunData, write_report
from duelbench.analysis.report.sections.card_table import card_table
from duelbench.analysis.summary import summarise

LONG_NAMES = ("information_set_search_1000", "the_policy_that_comes_with_the_package", "random", "heuristic")
DECKS = ("riders", "women_and_their_barriers", "four_stars", "copycats")
LINES = 400


def results_of(names):
    """Every two meet in 30 deals or more; the first wins more of them than the others."""
    return {(a, b): ["WW", "WL", *(["LL"] if i else [])] * 15 for i, a in enumerate(names) for b in names[i + 1 :]}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Two runs on one page, the first with a section of every kind there is, the second with decks."""
    rows = frame_of(results_of(LONG_NAMES))
    agents = {name: {"type": "random"} for name in LONG_NAMES}
    config = CONFIG | {"game": "tommy_walker", "rules": {}, "agents": agents, "train": {}}
    first = RunData("runs/evening", config, MANIFEST, rows, summarise(rows), all_sections())
    rows = pd.DataFrame(deck_rows(results_of(DECKS)))
    decks = {name: {"plan": "Hold on until the end of the game", "cards": []} for name in DECKS}
    config = config | {"name": "decks", "agents": {"a": {"type": "random"}}, "decks": decks}
    second = RunData("runs/decks", config, MANIFEST, rows, summarise(rows, DECKS))
    return write_report(tmp_path_factory.mktemp("report") / "report.html", [first, second])


@pytest.fixture(scope="module")
def long_page(tmp_path_factory):
    """A run with a table of LINES lines."""
    rows = frame_of({("a", "b"): ["WL"] * 12})
    config = CONFIG | {"game": "tommy_walker", "rules": {}}
    section = card_table(used_cards(LINES), CARDS, BIASES, BEHIND)
    data = RunData("runs/evening", config, MANIFEST, rows, summarise(rows), (section,))
    return write_report(tmp_path_factory.mktemp("long") / "report.html", [data])


@pytest.fixture(scope="module")
def driver():
    need_browser()
    with chromium() as driver:
        yield driver


@pytest.fixture(scope="module", params=[(PHONE, True), (DESK, False)], ids=["phone, dark", "desk, light"])
def drawn(request, driver, page):
    """The driver with the whole page drawn, and its size, whether it is dark, what was logged and asked for."""
    size, dark = request.param
    open_page(driver, page, size, dark)
    draw_all(driver)
    return driver, size, dark, driver.get_log("browser"), requested(driver)


def test_nothing_is_logged_and_nothing_asked_for_but_the_file(drawn, page):
    _, _, _, logged, asked = drawn
    assert logged == []
    assert [url for url in asked if not url.startswith("data:")] == [page.resolve().as_uri()]


def test_every_figure_has_its_marks(drawn):
    driver = drawn[0]
    marks = "path.point, .points path, .point path, g.hm image, .heatmaplayer image, .lines path, .bars path"
    script = f"return [...document.querySelectorAll('.plot')].map(p => [p.id, p.querySelectorAll('{marks}').length])"
    counted = dict(driver.execute_script(script))
    assert len(counted) > 20
    assert [name for name, marks in counted.items() if not marks] == []
    assert counted["run-1-ratings"] >= len(LONG_NAMES)


def test_the_page_does_not_scroll_sideways(drawn):
    driver, (width, _), *_ = drawn
    assert driver.execute_script("return document.scrollingElement.scrollWidth") <= width
    assert driver.execute_script("return innerWidth") == width


def test_what_is_wider_than_its_box_can_be_scrolled_and_says_so(drawn):
    driver, size, *_ = drawn
    script = """return [...document.querySelectorAll('.wide')].filter(b => b.offsetParent).map(b => [
        b.scrollWidth > b.clientWidth + 1, b.classList.contains('more'),
        !b.closest('figure').querySelector('.hint').hidden, getComputedStyle(b).overflowX])"""
    boxes = driver.execute_script(script)
    assert all(more == wider and hint == wider and overflow == "auto" for wider, more, hint, overflow in boxes)
    assert any(wider for wider, *_ in boxes) or size != PHONE


def test_the_label_of_a_line_stays_in_sight(drawn):
    driver, size, *_ = drawn
    if size != PHONE:
        pytest.skip("nothing scrolls on a wide screen")
    script = """const box = document.querySelector('#run-1-table-cards .wide'); box.scrollLeft = 1e6;
        const label = box.querySelector('tbody .label').getBoundingClientRect(), frame = box.getBoundingClientRect();
        return [box.scrollLeft > 0, Math.abs(label.left - frame.left) <= 2]"""
    assert driver.execute_script(script) == [True, True]


def test_colours_are_those_of_the_scheme(drawn):
    driver, _, dark, *_ = drawn
    script = """const text = document.querySelector('#run-1-ratings .ytick text');
        return [getComputedStyle(document.body).backgroundColor, getComputedStyle(text).fill]"""
    paper, ink = (sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in driver.execute_script(script))
    assert (paper < 100 and ink > 600) if dark else (paper > 700 and ink < 120)


def test_no_names_beside_a_figure_overlap(drawn):
    script = """return [...document.querySelectorAll('.plot')].flatMap(p => {
        const boxes = [...p.querySelectorAll('.ytick text')].map(t => t.getBoundingClientRect());
        boxes.sort((a, b) => a.top - b.top);
        return boxes.slice(1).filter((b, i) => b.top < boxes[i].bottom - 2).map(() => p.id) })"""
    assert drawn[0].execute_script(script) == []


def test_figures_stay_inside_their_place(drawn):
    script = """return [...document.querySelectorAll('.plot')].flatMap(p => {
        const place = p.getBoundingClientRect();
        return [...p.querySelectorAll('text')].map(t => t.getBoundingClientRect())
            .filter(t => t.width && (t.left < place.left - 1 || t.right > place.right + 1)).map(() => p.id) })"""
    assert drawn[0].execute_script(script) == []


# --- Tables ------------------------------------------------------------------------------------------------


@pytest.fixture
def long_table(driver, long_page):
    open_page(driver, long_page, DESK)
    return driver.find_element("css selector", "#table-cards")


def column_of(driver, table, title):
    script = """const head = [...arguments[0].querySelectorAll('thead th')];
        const i = head.findIndex(h => h.textContent === arguments[1]);
        return [...arguments[0].querySelectorAll('tbody tr')].map(r => r.cells[i].firstChild.textContent)"""
    return driver.execute_script(script, table, title)


def heading(table, title):
    return next(b for b in table.find_elements("css selector", "thead button") if b.text == title)


def as_numbers(cells):
    return [float(cell.rstrip("%")) for cell in cells if cell != "–"]


def test_numbers_sort_by_their_values_in_both_directions(driver, long_table):
    button, title = heading(long_table, "won, played"), "won, played"
    before = column_of(driver, long_table, title)
    assert len(before) == LINES
    for direction, downwards in (("descending", True), ("ascending", False)):
        button.click()
        cells = column_of(driver, long_table, title)
        assert as_numbers(cells) == sorted(as_numbers(before), reverse=downwards)
        assert cells[-1] == "–", "what has no value comes last either way"
        assert button.find_element("xpath", "..").get_attribute("aria-sort") == direction


def test_words_sort_and_the_keyboard_does_it_too(driver, long_table):
    from selenium.webdriver.common.keys import Keys

    button = heading(long_table, "card")
    names = sorted(column_of(driver, long_table, "card"), key=str.lower)
    button.send_keys(Keys.ENTER)
    assert column_of(driver, long_table, "card") == names
    button.send_keys(Keys.SPACE)
    assert column_of(driver, long_table, "card") == names[::-1]
    marked = long_table.find_elements("css selector", "th[aria-sort]")
    assert [mark.get_attribute("aria-sort") for mark in marked] == ["descending"]


def test_a_filter_leaves_the_lines_that_have_its_words(driver, long_table):
    names = column_of(driver, long_table, "card")
    box = long_table.find_element("css selector", "input[type=search]")
    box.send_keys("AMINA")
    shown = [row for row in long_table.find_elements("css selector", "tbody tr") if row.is_displayed()]
    assert 0 < len(shown) == sum(name == "Amina" for name in names)
    assert long_table.find_element("css selector", "output").text == f"{len(shown)} of {LINES} lines"


def test_the_head_of_a_long_table_stays_in_sight(driver, long_table):
    script = """const box = arguments[0].querySelector('.wide'); box.scrollTop = 3000;
        const head = box.querySelector('thead th').getBoundingClientRect(), frame = box.getBoundingClientRect();
        return [box.scrollTop > 1000, Math.abs(head.top - frame.top) <= 2]"""
    assert driver.execute_script(script, long_table) == [True, True]


def test_a_card_has_both_names_and_its_id(long_table):
    cell = long_table.find_element("css selector", "tbody th")
    assert (*cell.text.split("\n"), cell.get_attribute("title")) == (*CARDS["ralph"], "ralph")


# --- Drawing and printing ----------------------------------------------------------------------------------


def drawn_figures(driver):
    return driver.execute_script("return document.querySelectorAll('.plot svg.main-svg').length")


def test_figures_far_below_are_not_drawn_before_they_come_near(driver, page):
    open_page(driver, page, DESK)
    places = len(driver.find_elements("css selector", ".plot"))
    assert driver.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0], 300))") is None
    before = len(driver.find_elements("css selector", ".plot:has(svg.main-svg)"))
    assert 0 < before < places / 2


def print_layout(driver):
    """As the page is while it is printed, on paper of A4's width less the margins."""
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": []})
    screen = {"width": 688, "height": 1017, "deviceScaleFactor": 1, "mobile": True}  # without bars for scrolling
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    driver.execute_script("dispatchEvent(new Event('beforeprint'))")


@pytest.fixture
def printed(driver, page):
    open_page(driver, page, DESK, dark=True)
    print_layout(driver)
    yield driver
    driver.execute_script("dispatchEvent(new Event('afterprint'))")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def test_paper_has_all_figures_in_light_colours_and_nothing_folded(printed):
    script = "return document.querySelectorAll('details:not([open]), .plot:not(:has(svg.main-svg))').length"
    assert printed.execute_script(script) == 0
    script = "return getComputedStyle(document.querySelector('#run-1-ratings .ytick text')).fill"
    assert sum(map(int, re.findall(r"\d+", printed.execute_script(script)))) < 120


def test_nothing_is_cut_off_on_paper(printed):
    script = """const width = document.documentElement.clientWidth;
        return [...document.querySelectorAll('main *')].filter(e => !e.closest('.tools, nav, .hint'))
            .filter(e => e.getBoundingClientRect().right > width + 1 || (getComputedStyle(e).overflowX !== 'visible' &&
                !e.closest('svg') && e.scrollWidth > e.clientWidth + 1 && e.clientWidth))
            .map(e => `${e.tagName} ${e.className} ${e.textContent.slice(0, 40)}`)"""
    assert printed.execute_script(script) == []
    script = "return [...document.querySelectorAll('.wide')].filter(b => b.scrollHeight > b.clientHeight + 1).length"
    assert printed.execute_script(script) == 0


def test_after_printing_the_page_is_as_it_was(printed):
    printed.execute_script("dispatchEvent(new Event('afterprint'))")
    assert printed.find_elements("css selector", "details[open]") == []
    assert printed.find_elements("css selector", "html.printing") == []


def test_it_prints_to_pages(driver, page):
    open_page(driver, page, DESK, dark=True)
    printed = base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"])
    assert printed.startswith(b"%PDF")
    assert 10 < len(re.findall(rb"/Type\s*/Page\b", printed)) < 100
    assert driver.find_elements("css selector", "details[open]") == []
    assert driver.get_log("browser") == []
