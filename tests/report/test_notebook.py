"""What a notebook shows of samples and estimates, in a notebook that is really run."""

import base64
import io
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from PIL import Image

import fangs
from fangs.report.heat import picture, png
from support.browser import chromium, resize
from support.pages import pixels

SOURCE = """
import fangs
draws = fangs.datasets.example()
---
draws
---
estimate = fangs.estimate(draws, seed=1)
estimate
---
fangs.compare(draws, seed=1, methods=["fangs", "draws", "map"])
---
fangs.summary(estimate, draws)
---
fangs.compare_chains(draws, seed=1)
---
fangs.credible_ball(estimate, draws)
---
fangs.sparsity_path(draws, seed=1)
---
fangs.certify(estimate, draws, method="pairs")
---
fangs.choose_a(draws, n_features=5, seed=1)
---
fangs.modes(draws, seed=1)
---
fangs.assess(draws[0], draws)
---
import time
from fangs.search.progress import progress_display
from fangs.search import Progress
with progress_display() as report:
    time.sleep(0.3)
    report(Progress("sweeten", 3, 5, 12.5))
    time.sleep(0.3)
    report(Progress("sweeten", 4, 5, 12.25))
---
raise fangs.results.Interrupted(estimate)
---
import sys
sys.last_value.estimate.n_ones
"""
SHOWN = slice(1, 12)
"""Cells whose last line is a result."""


class Shown(HTMLParser):
    """Cells of the tables, and sources of the images."""

    def __init__(self, markup):
        super().__init__()
        self.words, self.images, self.tags = [], [], []
        self.feed(markup)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "img":
            self.images.append(dict(attrs)["src"])

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module")
def messages():
    return []


@pytest.fixture(scope="module")
def notebook(messages):
    import nbformat
    from nbclient import NotebookClient

    class Client(NotebookClient):
        def process_message(self, msg, cell, cell_index):
            messages.append((cell_index, msg["msg_type"], msg["content"]))
            return super().process_message(msg, cell, cell_index)

    cells = [nbformat.v4.new_code_cell(code.strip()) for code in SOURCE.split("---")]
    made = nbformat.v4.new_notebook(cells=cells)
    Client(made, timeout=120, kernel_name="python3", allow_errors=True).execute()
    return made


@pytest.fixture(scope="module")
def outputs(notebook):
    return [cell.outputs[0].data["text/html"] for cell in notebook.cells[SHOWN]]


def test_every_result_is_a_table_and_a_picture(outputs):
    for markup in outputs:
        shown = Shown(markup)
        assert {"table", "p"} & set(shown.tags)
        assert len(shown.images) == 1
        assert "pre" not in shown.tags
        assert len(markup) < 30_000


def test_a_bar_is_shown_and_taken_away(notebook, messages):
    bar = [
        content["data"].get("text/html", "")
        for at, kind, content in messages
        if at == 12 and kind in ("display_data", "update_display_data")
    ]
    assert any("sweeten" in html and "4/5" in html for html in bar)
    assert bar[-1] == ""
    assert not [o for o in notebook.cells[12].outputs if o.output_type == "stream"]


def test_an_interrupt_says_where_the_estimate_is(notebook):
    (stopped,) = notebook.cells[13].outputs
    assert "24.8825" in stopped.evalue
    assert "sys.last_value.estimate" in stopped.evalue
    assert notebook.cells[14].outputs[0].data["text/plain"] == "196"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_have_their_size_under_the_style_of_jupyterlab(notebook, theme, tmp_path):
    from nbconvert import HTMLExporter

    page = tmp_path / "notebook.html"
    exporter = HTMLExporter(template_name="lab", theme=theme)
    page.write_text(exporter.from_notebook_node(notebook)[0], encoding="utf-8")
    with chromium(tmp_path / "profile") as browser:
        resize(browser, 1100)
        browser.get(page.as_uri())
        sizes = browser.execute_script(
            "return [...document.querySelectorAll('.jp-RenderedHTMLCommon img')].map("
            "i => [i.offsetWidth, i.offsetHeight, parseInt(i.style.width),"
            " parseInt(i.style.height), i.naturalWidth])"
        )
    assert len(sizes) == 11
    for width, height, wanted_width, wanted_height, natural in sizes:
        assert abs(width - wanted_width) <= 2
        assert abs(height - wanted_height) <= 2
        assert height <= 320
        assert natural > 0


def test_an_estimate_shows_its_numbers_and_its_matrix(outputs):
    shown = Shown(outputs[1])
    assert str(fangs.estimate(fangs.datasets.example(), seed=1)).split("\n")[0] in shown.words
    assert {"Feature", "Mean proportion", "4", "48"} <= set(shown.words)
    (values,) = pixels(outputs[1])
    assert values.shape == (100, 4)
    assert np.count_nonzero(values > 0) == 196  # the ones, in blue
    assert len(outputs[1]) < 5000


def test_an_alignment_shows_how_often_each_feature_is_matched():
    draws = [[[1, 0], [1, 1], [0, 1]], [[1], [1], [0]], [[0], [1], [1]]]
    samples = fangs.Samples(draws, weights=[2, 1, 1])
    shown = Shown(fangs.align([[1, 0], [1, 1], [0, 1]], samples)._repr_html_())
    assert {"75.0 %", "3 draws aligned to 2 features; 0 features of draws unmatched."} <= set(
        shown.words
    )
    assert len(shown.images) == 1


def test_a_proved_bound_is_100_per_cent():
    draws = fangs.datasets.arrests()
    found = fangs.certify(fangs.estimate(draws, seed=1), draws)
    source = Shown(found._repr_html_()).images[0].partition("base64,")[2]
    assert found.is_global_optimum
    assert ">100 %<" in base64.b64decode(source).decode()


def test_labels_do_not_enter_the_markup():
    samples = fangs.Samples([[[1], [1]], [[1], [0]]], items=["<script>alert(1)</script>", "b"])
    for thing in (samples, fangs.estimate(samples, seed=1)):
        assert "script" not in Shown(thing._repr_html_()).tags


@pytest.mark.parametrize("draws", [[[[0], [0]]], [[[1]]], np.ones((3, 400, 2))])
def test_odd_shapes_are_shown_too(draws):
    samples = fangs.Samples(draws)
    for thing in (samples, fangs.estimate(samples, seed=1)):
        assert "fangs." in thing._repr_html_()


@pytest.mark.parametrize("n_features", [3, 80])
def test_pictures_of_many_items_are_small_too(n_features):
    made = fangs.simulate.posterior_like(1000, n_features, 20, noise=0.05, seed=1)
    samples = fangs.Samples(made.draws, chains=np.arange(20) // 10)
    estimate = fangs.assess(made.truth, samples)
    for thing in (
        estimate,
        fangs.summary(estimate, samples),
        fangs.align(estimate, samples),
        fangs.modes(samples, n_modes=2, seed=1),
    ):
        width, height = re.search(r"width:(\d+)px;height:(\d+)px", thing._repr_html_()).groups()
        assert int(height) <= 320
        assert int(width) <= 500
    assert "paler where several items share a line" in estimate._repr_html_()


def test_a_picture_is_a_png_with_one_pixel_per_value():
    values = np.array([[1.0, -1.0, 0.0], [0.5, -0.5, 1.0]])
    (shown,) = pixels(picture(values, alt=""))
    np.testing.assert_allclose(shown, values, atol=0.51 / 127)
    image = np.asarray(Image.open(io.BytesIO(png(values))).convert("RGBA"))
    assert image[0, 0].tolist() == [0x00, 0x72, 0xB2, 254]
    assert image[0, 1].tolist() == [0xD5, 0x5E, 0x00, 254]
    assert image[0, 2, 3] == 0
