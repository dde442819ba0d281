"""Pictures of many chains and of long names stay readable."""

from itertools import pairwise

import numpy as np
import pytest

import fangs
from fangs import plot

N_CHAINS = 16


@pytest.fixture(scope="module")
def many():
    made = fangs.simulate.posterior_like(12, 3, 10 * N_CHAINS, noise=0.1, seed=1)
    names = [f"a chain with a long name {c}" for c in np.repeat(range(N_CHAINS), 10)]
    return fangs.Samples(made.draws, chains=names)


def test_names_of_chains_do_not_overlap_and_are_inside_the_picture(many):
    ax = plot.chains(fangs.compare_chains(many, seed=1))
    ax.figure.canvas.draw()
    for axis, side in ((ax.xaxis, "x"), (ax.yaxis, "y")):
        shown = axis.get_ticklabels()
        assert len({label.get_text() for label in shown}) == N_CHAINS
        boxes = [label.get_window_extent() for label in shown]
        ends = sorted((getattr(box, f"{side}0"), getattr(box, f"{side}1")) for box in boxes)
        assert all(end <= start + 1 for (_, end), (start, _) in pairwise(ends))
        assert axis.label.get_window_extent().y0 >= 0
    # The matrix takes a fair part of the picture.
    assert ax.get_window_extent().width > 0.3 * ax.figure.bbox.width


def test_each_chain_of_a_map_has_a_look_of_its_own(many):
    ax = plot.map(many, modes=fangs.estimate(many, seed=1), color="chain", seed=1)
    looks = set()
    for points in ax.collections[:N_CHAINS]:
        color = tuple(points.get_facecolor()[0][:3])
        looks.add((color, points.get_paths()[0].vertices.tobytes()))
    assert len(looks) == N_CHAINS
