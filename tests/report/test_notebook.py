"""What a notebook shows of samples and estimates, in a notebook that is really run."""

from __future__ import annotations

import base64
import io
import re
import zlib
from html.parser import HTMLParser

import numpy as np
import pytest
from PIL import Image

import fangs
from fangs.report.heat import png

SOURCE = """
import fangs
draws = fangs.datasets.example()
---
draws
---
estimate = fangs.estimate(draws, seed=1)
estimate
"""


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
def outputs():
    import nbformat
    from nbclient import NotebookClient

    cells = [nbformat.v4.new_code_cell(code.strip()) for code in SOURCE.split("---")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return [cell.outputs[0].data["text/html"] for cell in notebook.cells[1:]]


def test_samples_show_their_numbers_and_a_heat_map(outputs):
    shown = Shown(outputs[0])
    assert {"draws", "400", "items", "100", "features", "4 to 10", "chains"} <= set(shown.words)
    assert len(shown.images) == 1


def test_an_estimate_shows_its_numbers_and_its_matrix(outputs):
    shown = Shown(outputs[1])
    assert {"features", "4", "ones", "196", "24.8825 at a = 1"} <= set(shown.words)
    levels = pixels(base64.b64decode(shown.images[0].removeprefix("data:image/png;base64,")))
    assert levels.shape == (100, 4)
    assert np.count_nonzero(levels > 127) == 196  # the ones, in blue
    assert len(outputs[1]) < 5000


def test_the_lower_bound_is_shown_where_it_is_known():
    draws = fangs.datasets.example()
    estimate = fangs.estimate(draws, seed=1)
    known = fangs.certify(estimate, draws, method="pairs").attach(estimate)
    assert "lower bound" not in Shown(estimate._repr_html_()).words
    assert f"{known.lower_bound:.6g}" in Shown(known._repr_html_()).words


def test_labels_do_not_enter_the_markup():
    samples = fangs.Samples([[[1], [1]], [[1], [0]]], items=["<script>alert(1)</script>", "b"])
    for thing in (samples, fangs.estimate(samples, seed=1)):
        assert "script" not in Shown(thing._repr_html_()).tags


@pytest.mark.parametrize("draws", [[[[0], [0]]], [[[1]]], np.ones((3, 400, 2))])
def test_odd_shapes_are_shown_too(draws):
    samples = fangs.Samples(draws)
    for thing in (samples, fangs.estimate(samples, seed=1)):
        assert "<table" in thing._repr_html_()


def test_a_picture_is_a_png_with_one_pixel_per_value():
    values = np.array([[1.0, -1.0, 0.0], [0.5, -0.5, 1.0]])
    assert pixels(png(values)).tolist() == [[254, 0, 127], [191, 63, 254]]
    image = np.asarray(Image.open(io.BytesIO(png(values))).convert("RGBA"))
    assert image[0, 0].tolist() == [0x00, 0x72, 0xB2, 254]
    assert image[0, 1].tolist() == [0xD5, 0x5E, 0x00, 254]
    assert image[0, 2, 3] == 0


def pixels(file):
    width, height = (int.from_bytes(file[at : at + 4], "big") for at in (16, 20))
    body = re.search(rb"IDAT(.*).{8}IEND", file, re.S).group(1)
    lines = np.frombuffer(zlib.decompress(body), dtype=np.uint8).reshape(height, width + 1)
    return lines[:, 1:].astype(int)
