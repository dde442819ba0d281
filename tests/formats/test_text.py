"""Text files with a draw on each line, as sBayes writes them."""

import pytest

import fangs
from support.refusals import refuses


def read(folder, text):
    (folder / "d.txt").write_text(text)
    return fangs.read(folder / "d.txt")


def test_an_empty_line_inside_is_a_draw_without_a_feature(tmp_path):
    found = read(tmp_path, "10\t01\n\n11\n")
    assert [draw.T.tolist() for draw in found] == [[[1, 0], [0, 1]], [], [[1, 1]]]


def test_empty_lines_inside_and_at_the_end_are_refused(tmp_path):
    with refuses("d.txt", "empty lines", ".json", error=ValueError):
        read(tmp_path, "10\n\n01\n\n")


@pytest.mark.parametrize("text", ["10\n011\n", "12\n", "item,1\n", "\n\n"])
def test_other_lines_are_refused(text, tmp_path):
    with refuses("d.txt", error=ValueError):
        read(tmp_path, text)
