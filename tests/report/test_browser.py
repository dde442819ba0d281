"""The report in a real browser: hover, sorting, slider, no script, phone, paper, no network."""

import base64
import time

import numpy as np
import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

import fangs
from support.browser import chromium, emulate, requested, resize

EVIL = [
    "<script>alert(1)</script>",
    "</script><script>window.evil = 1</script>",
    "<!--<script>",
    '<img src=x onerror="window.evil=2">',
    "\"' onmouseover='window.evil=3' x='",
    "{{7*7}} ${title} &lt;b&gt;",
    "\u2028line\u2029",
]


@pytest.fixture(scope="module")
def example(estimate, draws):
    return estimate, draws


@pytest.fixture(scope="module")
def page(example, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    estimate, draws = example
    estimate.report(path, draws)
    return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def opened(browser, page):
    return open_page(browser, page)


def open_page(browser, page, width=1100):
    resize(browser, width)
    emulate(browser)
    browser.get("about:blank")
    browser.get_log("browser")
    requested(browser)
    browser.get(page.as_uri())
    return browser


def rows(browser, table):
    return column(browser, table, 0)


def column(browser, table, at):
    script = (
        "return [...document.querySelectorAll(arguments[0] + ' tbody tr')]"
        ".map(row => row.cells[arguments[1]].textContent)"
    )
    return browser.execute_script(script, table, at)


def cell(browser, table, row, feature):
    return browser.find_element(
        By.CSS_SELECTOR, f"{table} tbody tr:nth-child({row + 1}) td:nth-child({feature + 2})"
    )


def hover(browser, element):
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    time.sleep(0.2)  # a scroll hides the hint; let it be over
    ActionChains(browser).move_to_element(element).perform()
    return browser.find_element(By.ID, "tip").text


def slide_to(browser, a_index):
    slider = browser.find_element(By.ID, "slider")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", slider)
    now = int(slider.get_property("value"))
    key = Keys.ARROW_RIGHT if a_index > now else Keys.ARROW_LEFT
    slider.send_keys(key * abs(a_index - now))


def test_it_opens_without_complaint_and_asks_for_nothing_else(opened, page):
    hover(opened, cell(opened, "#estimate", 0, 0))
    assert opened.get_log("browser") == []
    assert [url for url in requested(opened) if not url.startswith("data:")] == [page.as_uri()]
    assert page.stat().st_size < 1_000_000


@pytest.mark.parametrize(
    ("attempt", "directive"),
    [
        ("new Image().src = 'http://127.0.0.1:9/x.png'", "img-src"),
        ("fetch('http://127.0.0.1:9/x').catch(() => 0)", "connect-src"),
        ("document.body.setAttribute('onclick', '1'); document.body.click()", "script-src-attr"),
    ],
)
def test_the_policy_stops_what_would_leave_the_page_or_enter_it(opened, attempt, directive):
    blocked = opened.execute_async_script(
        "const done = arguments[0];"
        "document.addEventListener('securitypolicyviolation', e => done(e.effectiveDirective));"
        f"{attempt}; setTimeout(() => done('none'), 3000);"
    )
    assert blocked == directive


def test_hover_tells_the_probability(opened, example):
    estimate, _ = example
    names = rows(opened, "#estimate")
    for row, feature in [(0, 0), (7, 1), (12, 2), (60, 3), (99, 1)]:
        item = estimate.items.index(names[row])
        words = hover(opened, cell(opened, "#estimate", row, feature))
        share = estimate.proportions[item, feature]
        where = "in the estimate" if estimate.matrix[item, feature] else "left out"
        assert (
            words
            == f"{names[row]}, feature {feature + 1}: {100 * share:.1f} % of the draws, {where}"
        )


def test_the_order_of_the_items_can_be_chosen(opened, example):
    estimate, draws = example
    grouped = rows(opened, "#estimate")
    assert sorted(grouped) == sorted(estimate.items)
    Select(opened.find_element(By.ID, "order")).select_by_value("given")
    assert rows(opened, "#estimate") == list(estimate.items)
    Select(opened.find_element(By.ID, "order")).select_by_value("unsure")
    mismatch = fangs.summary(estimate, draws).items.mismatch
    assert rows(opened, "#estimate")[0] == estimate.items[int(mismatch.argmax())]
    opened.find_element(By.CSS_SELECTOR, "#estimate thead th[data-j='2'] button").click()
    shares = [estimate.proportions[estimate.items.index(n), 2] for n in rows(opened, "#estimate")]
    assert shares == sorted(shares, reverse=True)


def test_items_are_found_by_name_and_filtered_by_feature(opened, example):
    estimate, _ = example
    opened.find_element(By.ID, "find").send_keys("IMAGE 4")
    wanted = {name for name in estimate.items if "image 4" in name}
    assert set(rows(opened, "#estimate")) == wanted
    assert opened.find_element(By.ID, "found").text == f"{len(wanted)} of 100 items"
    Select(opened.find_element(By.ID, "filter")).select_by_value("2")
    assert set(rows(opened, "#estimate")) == wanted & set(estimate.features[2])
    assert rows(opened, "#path-matrix") == rows(opened, "#estimate")


def copied_by(browser, button):
    found = browser.find_element(By.CSS_SELECTOR, button)
    browser.execute_script(
        "document.addEventListener('copy', e => { window.copied = e.target.value });"
        "arguments[0].scrollIntoView({block: 'center'})",
        found,
    )
    found.click()  # as a person: a script may not copy
    return browser.execute_script("return window.copied").strip().split("\n")


def test_tables_are_copied_as_csv_with_lists_that_unfold_whole(opened, example):
    lines = copied_by(opened, "#path-table .wide .tool")
    assert lines[0] == "a,Features,Ones,Expected loss,Ties"
    at_1 = next(line for line in lines if line.startswith("1,"))
    assert at_1 == f"1,{example[0].n_features},{example[0].n_ones},24.8825,0"
    first = copied_by(opened, "#features .tool")[1]
    assert first.endswith(f'"{", ".join(example[0].features[0])}"')


def test_the_paragraph_for_a_paper_is_copied_as_text(opened, example):
    estimate, draws = example
    (copied,) = copied_by(opened, "#paper .tool")
    certificate = fangs.certify(estimate, draws)
    modes = fangs.modes(draws, max_modes=4, seed=0)
    assert copied == certificate.attach(estimate).describe(draws, modes=modes)
    button = opened.find_element(By.CSS_SELECTOR, "#paper .tool")
    assert button.text == "Copied"
    time.sleep(1.7)
    assert button.text == "Copy as text"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_charts_are_saved_as_svg_with_colours_for_paper(opened, scheme):
    emulate(opened, scheme=scheme)
    address = opened.execute_script(
        "let address; const click = HTMLAnchorElement.prototype.click;"
        "HTMLAnchorElement.prototype.click ="
        " function () { address = this.href + ' ' + this.download };"
        "document.querySelector('svg.chart + .tool').click();"
        "HTMLAnchorElement.prototype.click = click; return decodeURIComponent(address)"
    )
    assert address.endswith("figure-1.svg")
    assert "rgb(0, 114, 178)" in address
    assert "rgb(91, 102, 112)" in address  # of the words
    assert 'xmlns="http://www.w3.org/2000/svg"' in address


def test_the_contents_lead_to_every_section(opened):
    links = opened.execute_script(
        "return [...document.querySelectorAll('nav a')].map(a => a.getAttribute('href').slice(1))"
    )
    sections = opened.execute_script(
        "return [...document.querySelectorAll('main > section')].map(s => s.id)"
    )
    assert sections == ["verdict", *links]


def test_the_feature_table_sorts_by_any_column_and_back(opened, example):
    sizes = sorted(len(members) for members in example[0].features)
    button = opened.find_elements(By.CSS_SELECTOR, "#features thead button")[1]
    assert button.text == "Items"
    for wanted in (sizes, sizes[::-1]):
        button.click()
        assert [int(size) for size in column(opened, "#features", 1)] == wanted
    opened.execute_script(
        "[...document.querySelectorAll('#features tbody tr')].forEach("
        "(row, k) => { row.cells[1].textContent = ['1,200', '90', '2,000.5', '300'][k] })"
    )
    button.click()  # thousands are numbers, to sorting and to CSV
    assert column(opened, "#features", 1) == ["90", "300", "1,200", "2,000.5"]
    lines = copied_by(opened, "#features .tool")[1:]
    assert [line.split(",")[1] for line in lines] == ["90", "300", "1200", "2000.5"]


def test_the_slider_switches_between_estimates(opened, example):
    path = fangs.sparsity_path(example[1], seed=0)
    for index in (0, len(path) - 1):
        slide_to(opened, index)
        wanted = path.estimates[index]
        words = opened.find_element(By.ID, "chosen").text
        assert words.startswith(
            f"a = {wanted.a:g}: {wanted.n_features} features, {wanted.n_ones} ones"
        )
        count = "return document.querySelectorAll('#path-matrix tbody td[class^=i]').length"
        assert opened.execute_script(count) == wanted.n_ones
        chosen = opened.find_element(By.CSS_SELECTOR, "#path-table tr.chosen td")
        assert chosen.text == f"{wanted.a:g}"
    item = example[0].items.index(rows(opened, "#path-matrix")[3])
    share = wanted.proportions[item, 1]
    assert f"feature 2: {100 * share:.1f} %" in hover(opened, cell(opened, "#path-matrix", 3, 1))


def test_the_script_writes_the_estimate_as_the_page_does(opened, example):
    path = fangs.sparsity_path(example[1], seed=0)
    slide_to(opened, 0)
    slide_to(opened, path.a.index(example[0].a))
    read = (
        "return Object.fromEntries([...document.querySelectorAll(arguments[0] + ' tbody tr')].map("
        "row => [row.cells[0].textContent,"
        " [...row.cells].slice(1).map(td => td.className + ' ' + td.textContent)]))"
    )
    shown = opened.execute_script(read, "#path-matrix")
    assert len(shown) == 100
    assert shown == opened.execute_script(read, "#estimate")


def test_it_can_be_read_without_script(page, example, tmp_path):
    with chromium(tmp_path / "profile", script=False) as plain:
        resize(plain, 1100)
        plain.get(page.as_uri())
        text = plain.find_element(By.TAG_NAME, "body").text
        assert "4 features over 100 items" in text
        assert "Order:" not in text  # what only a script can do is not offered
        assert not plain.find_element(By.ID, "slide").is_displayed()
        assert len(plain.find_elements(By.CSS_SELECTOR, "#estimate tbody tr")) == 100
        ones = plain.find_elements(By.CSS_SELECTOR, "#estimate td[class^=i]")
        assert len(ones) == example[0].n_ones
        assert len(plain.find_elements(By.CSS_SELECTOR, "#path-table tbody tr")) >= 11


@pytest.mark.parametrize("width", [320, 360, 768])
def test_a_narrow_window_scrolls_only_downwards(browser, page, width):
    open_page(browser, page, width=width)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    off = browser.execute_script(
        "return [...document.querySelectorAll('main > *, p, li, svg, select, .box, input')].filter("
        "e => e.getClientRects().length && e.getBoundingClientRect().right > innerWidth + 1).length"
    )
    assert off == 0
    tip = hover(browser, cell(browser, "#estimate", 2, 3))
    box = browser.find_element(By.ID, "tip").rect
    assert tip
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    size = browser.execute_script("return parseFloat(getComputedStyle(document.body).fontSize)")
    assert size >= 14


def test_no_table_is_cut_off_on_a_desktop(browser, page, example, tmp_path):
    published = tmp_path / "algorithm1.html"
    fangs.estimate(example[1], n_iter=100, seed=1).report(published, example[1], effort="quick")
    for shown in (page, published):
        assert cut_off(open_page(browser, shown)) == []


def cut_off(browser):
    return browser.execute_script(
        "return [...document.querySelectorAll('.wide')].filter("
        "box => box.scrollWidth > box.clientWidth + 1).map(box => box.textContent.slice(0, 60))"
    )


def test_paper_shows_every_row_on_white_and_explains_words(opened):
    visible = "return document.querySelector('.terms dd').checkVisibility()"
    assert not opened.execute_script(visible)
    emulate(opened, media="print", scheme="dark")
    assert opened.execute_script(visible)
    style = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
    assert opened.execute_script(style, "body", "backgroundColor") == "rgb(255, 255, 255)"
    assert opened.execute_script(style, "#matrix .box", "maxHeight") == "none"
    assert opened.execute_script(style, ".script", "display") == "none"
    assert opened.execute_script(style, "#estimate .i10", "printColorAdjust") == "exact"
    # A button with a box of its own would be missing where pages repeat the head of the matrix.
    assert opened.execute_script(style, "#estimate thead button", "display") == "contents"
    document = base64.b64decode(opened.execute_cdp_cmd("Page.printToPDF", {})["data"])
    assert document.startswith(b"%PDF")


def test_long_labels_keep_both_ends(browser, tmp_path):
    names = [f"a participant of the large cohort, number {i}" for i in range(3)]
    draws = fangs.Samples([[[1], [1], [0]]] * 4, items=names)
    fangs.estimate(draws, seed=1).report(tmp_path / "long.html", draws, effort="quick")
    open_page(browser, tmp_path / "long.html")
    ends = (
        "return [...document.querySelectorAll('#estimate tbody th')].map(th => [th.textContent, "
        "th.querySelector('.long').lastChild.getBoundingClientRect().right <= "
        "th.getBoundingClientRect().right])"
    )
    assert sorted(browser.execute_script(ends)) == [[name, True] for name in names]
    browser.find_element(By.ID, "find").send_keys("number 1")  # the script writes the rows again
    assert browser.execute_script(ends) == [[names[1], True]]


def luminance(color):
    channels = np.array([float(c) for c in color[color.index("(") + 1 : -1].split(",")[:3]]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast_in_light_and_dark(opened, scheme):
    emulate(opened, scheme=scheme)
    style = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
    back = luminance(opened.execute_script(style, "body", "backgroundColor"))
    assert (back > 0.5) == (scheme == "light")
    strong = luminance(opened.execute_script(style, "#estimate .i10", "backgroundColor"))
    pairs = [(".headline", back), (".note", back), ("#features a, #citation a", back)]
    pairs += [("#estimate .i10", strong)]
    for selector, behind in pairs:
        front = luminance(opened.execute_script(style, selector, "color"))
        contrast = (max(front, behind) + 0.05) / (min(front, behind) + 0.05)
        assert contrast >= 4.5, (selector, contrast)


def test_labels_are_shown_and_never_run(browser, tmp_path):
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, (len(EVIL), 3))
    draws = [np.abs(truth - (rng.random(truth.shape) < 0.1)) for _ in range(60)]
    samples = fangs.Samples(draws, items=EVIL, chains=[0, 1] * 30)
    page = tmp_path / "evil.html"
    title = "</title><script>window.evil = 4</script>"
    fangs.estimate(samples, seed=1).report(page, samples, title=title)
    open_page(browser, page)
    assert browser.execute_script("return window.evil") is None
    assert browser.title == title
    assert sorted(rows(browser, "#estimate")) == sorted(EVIL)
    first = rows(browser, "#estimate")[0]
    words = hover(browser, cell(browser, "#estimate", 0, 0))
    assert " ".join(words.split()).startswith(" ".join(first.split()))
    assert sorted(rows(browser, "#path-matrix")) == sorted(EVIL)
    slide_to(browser, 0)
    assert browser.execute_script("return window.evil") is None
    assert browser.get_log("browser") == []
    assert browser.execute_script("return document.scripts.length") == 2
    assert [url for url in requested(browser) if not url.startswith("data:")] == [page.as_uri()]


def test_a_large_problem_gives_a_page_that_opens_quickly(browser, tmp_path):
    large = fangs.simulate.posterior_like(5000, 100, 12, density=0.05, noise=0.02, seed=1)
    names = [f"item number {i}" for i in range(5000)]
    samples = fangs.Samples(large.draws, items=names)
    page = tmp_path / "large.html"
    estimate = fangs.assess(large.truth, samples)
    estimate.report(page, samples)
    assert page.stat().st_size < 2_500_000  # all 5,000 items, for the search
    began = time.monotonic()
    open_page(browser, page)
    assert browser.execute_script("return document.readyState") == "complete"
    hover(browser, cell(browser, "#estimate", 5, 5))
    assert time.monotonic() - began < 10  # about one; the rest is for a busy machine
    assert browser.get_log("browser") == []
    text = browser.find_element(By.ID, "matrix").text
    assert "Of the 5,000 items the table shows the 200" in text
    assert "first 60 of 100 features" in text
    assert "Left out, because it would take long" in browser.find_element(By.ID, "verdict").text
    took = browser.execute_script(
        "const find = document.getElementById('find'), began = performance.now();"
        "find.value = 'number 4321'; find.dispatchEvent(new Event('input'));"
        "const heads = [...document.querySelectorAll('#estimate tbody th')];"
        "const names = heads.map(h => h.textContent);"
        "find.value = ''; find.dispatchEvent(new Event('input'));"
        "document.querySelector('#estimate th[data-j=\"7\"] button').click();"
        "return [names, performance.now() - began]"
    )
    assert took[0] == ["item number 4321"]
    assert took[1] < 3000  # about a tenth of it
    sure = [names[i] for i in np.flatnonzero(estimate.proportions[:, 7] == 1)]
    assert set(rows(browser, "#estimate")) >= set(sure[:200])
    image = browser.find_element(By.CSS_SELECTOR, ".overview img")
    assert int(image.get_property("naturalWidth")) == 100
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 1100
