"""A core in pictures: lines around its entries and no others, and sizes against shares."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from matplotlib.collections import LineCollection

import fangs
from fangs.plot.order import item_order
from fangs.plot.outline import outline
from fangs.report import gather
from fangs.report.sections.core import core_section

MASKS = hnp.arrays(bool, st.tuples(st.integers(0, 6), st.integers(0, 5)))


@pytest.fixture(scope="module")
def arrests():
    draws = fangs.datasets.arrests()
    estimate = fangs.estimate(draws, seed=1)
    return draws, estimate, fangs.core(estimate, draws, level=0.8)


def around(mask):
    """Every border of an entry between true and false, as a pair of points."""
    sides = {}
    for i, j in np.argwhere(mask):
        corners = [(j, i), (j + 1, i), (j + 1, i + 1), (j, i + 1)]
        for k in range(4):
            side = frozenset((tuple(map(int, corners[k])), tuple(map(int, corners[(k + 1) % 4]))))
            sides[side] = sides.get(side, 0) + 1
    return {side for side, times in sides.items() if times == 1}


def pieces(lines):
    """The lines cut into sides of entries."""
    found = []
    for (x0, y0), (x1, y1) in lines.astype(int).tolist():
        assert x0 == x1 or y0 == y1
        steps = max(x1 - x0, y1 - y0)
        dx, dy = (x1 - x0) // steps, (y1 - y0) // steps
        for k in range(steps):
            one, other = (x0 + k * dx, y0 + k * dy), (x0 + (k + 1) * dx, y0 + (k + 1) * dy)
            found.append(frozenset((one, other)))
    return found


@given(MASKS)
def test_an_outline_separates_true_from_false(mask):
    found = pieces(outline(mask))
    assert len(found) == len(set(found))
    assert set(found) == around(mask)


def test_an_estimate_is_drawn_with_its_core_outlined(arrests):
    _, estimate, core = arrests
    ax = estimate.plot(core=core, order="leaf")
    (drawn,) = [found for found in ax.collections if isinstance(found, LineCollection)]
    wanted = outline(core.entries[item_order(estimate.matrix, "leaf")]) - 0.5
    assert np.array_equal(np.array(drawn.get_segments()), wanted)
    assert ax.get_xlabel() == "Feature (outlined: 80 % core)"
    assert not estimate.plot().collections


def test_the_core_of_another_matrix_is_refused(arrests):
    _, estimate, core = arrests
    with pytest.raises(ValueError, match="core is that of another matrix"):
        estimate.ordered("size").plot(core=core)
    with pytest.raises(TypeError, match="core is of type ndarray"):
        estimate.plot(core=core.entries)
    with pytest.raises(TypeError, match=r"found is of type Estimate; give a fangs.Core"):
        fangs.plot.core(estimate)


def test_the_curve_is_drawn_with_the_core_and_what_holds_one_by_one(arrests):
    draws, estimate, core = arrests
    ax = fangs.plot.core(core)
    curve, level, marked, separate = ax.lines
    shares, sizes = curve.get_data()
    assert np.array_equal(core.curve[np.asarray(sizes)], shares)
    assert curve.get_drawstyle() == "steps-post"  # the size holds down to the next share
    assert level.get_xdata()[0] == 0.8
    assert (*marked.get_xdata(), *marked.get_ydata()) == (core.probability, core.size)
    at = (*separate.get_xdata(), *separate.get_ydata())
    assert at == (core.separate_probability, core.n_separate)
    assert ax.get_ylabel() == "Entries that hold together"
    weighted = fangs.Samples(draws, weights=np.arange(1, len(draws) + 1))
    items = fangs.plot.core(fangs.core(estimate, weighted, by="items"))
    assert (items.get_xlabel().splitlines()[0], items.get_ylabel()) == (
        "Share of the weight",
        "Items that hold together",
    )


def test_a_page_says_what_holds_together_and_outlines_it(arrests):
    draws, estimate, _ = arrests
    facts = gather.gather(estimate, draws, level=0.8, effort="quick")
    section = core_section(facts)
    for words in facts.core.sentences:
        assert words in section
    (path,) = re.findall(r'<path d="([^"]*)"', section)
    drawn = np.array(re.findall(r"M(\d+) (\d+)L(\d+) (\d+)", path), dtype=float)
    wanted = outline(facts.core.entries[item_order(estimate.matrix)])
    assert np.array_equal(drawn.reshape(-1, 2, 2), wanted)
    cells = re.findall(r"<td[^>]*>(\d+ of \d+)</td>", section)
    assert cells[0] == "2 of 36"
    small = gather.Budget(core=100)
    facts = gather.gather(estimate, draws, effort="auto", budget=small)
    assert core_section(facts) is None
    assert "the core" in facts.left_out


def test_a_notebook_shows_a_core(arrests):
    _, _, core = arrests
    shown = core._repr_html_()
    assert shown.count("<img ") == 1
    for words in core.sentences:
        assert words.replace(" %", "\u00a0%") in shown
