"""Samples: every accepted form of the same draws is the same samples."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fangs
from support.forms import FORMS
from support.strategies import noisy_draws, several_allocations

DRAWS = [
    np.array([[1, 0, 1], [1, 1, 0], [0, 1, 0]]),
    np.array([[0, 1], [1, 1], [1, 0]]),
    np.zeros((3, 0), dtype=int),
    np.array([[1, 0, 1, 1], [1, 0, 1, 1], [0, 0, 0, 1]]),  # an empty and a duplicate feature
]
KEPT = [DRAWS[0], DRAWS[1], DRAWS[2], DRAWS[3][:, [0, 2, 3]]]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n_items", [1, 63, 64, 65, 130])
def test_every_input_form_keeps_word_boundaries(form, n_items):
    draws = noisy_draws(np.random.default_rng(n_items), n_items, 4, 5)
    samples = fangs.Samples(FORMS[form](draws))
    for b, draw in enumerate(draws):
        assert np.array_equal(samples[b], draw[:, draw.any(axis=0)])


@given(st.integers(1, 4).flatmap(lambda count: several_allocations(count, 9, 5)))
def test_draws_come_back_without_empty_features(draws):
    samples = fangs.Samples(draws)
    assert len(samples) == len(draws)
    assert samples.n_items == draws[0].shape[0]
    for b, draw in enumerate(draws):
        kept = draw[:, draw.any(axis=0)]
        assert samples[b].dtype == np.uint8
        assert np.array_equal(samples[b], kept)
        assert samples.n_features[b] == kept.shape[1]
        assert samples.n_ones[b] == draw.sum()
        assert samples.columns(b).tolist() == np.flatnonzero(draw.any(axis=0)).tolist()


def test_samples_can_be_indexed_and_iterated_like_a_list():
    samples = fangs.Samples(DRAWS)
    assert np.array_equal(samples[-1], KEPT[-1])
    assert np.array_equal(samples[np.int64(1)], KEPT[1])
    assert [draw.tolist() for draw in samples] == [draw.tolist() for draw in KEPT]
    for b in (4, -5):
        with pytest.raises(IndexError, match=str(b)):
            samples[b]


def test_samples_do_not_change_with_the_users_arrays():
    draw = np.array([[1], [0]])
    samples = fangs.Samples([draw])
    draw[:] = 0
    samples[0][:] = 0
    assert samples[0].tolist() == [[1], [0]]


@pytest.mark.parametrize(
    ("sets", "n_items", "items", "wanted"),
    [
        ([[{2, 0}, (1,)], []], 3, None, [[[1, 0], [0, 1], [1, 0]], [[], [], []]]),
        ([[np.array([0, 1]), frozenset([2])]], 3, None, [[[1, 0], [1, 0], [0, 1]]]),
        ([[{"x", "z"}, {"y"}]], 3, "xyz", [[[1, 0], [0, 1], [1, 0]]]),
        ([[{0, 2}, {1}]], 3, "xyz", [[[1, 0], [0, 1], [1, 0]]]),
        ([[{0, 2}], [{1}]], None, "321", [[[1], [0], [1]], [[0], [1], [0]]]),
    ],
    ids=["any collections", "arrays", "labels", "positions", "positions, since 0 is no label"],
)
def test_sets_may_hold_labels_or_positions(sets, n_items, items, wanted):
    labels = None if items is None else list(items)
    found = fangs.Samples.from_sets(sets, n_items, items=labels)
    assert [draw.tolist() for draw in found] == wanted
    assert found.items == (None if items is None else tuple(items))


def test_sets_of_other_labels_are_refused():
    with pytest.raises(ValueError, match="'w'"):
        fangs.Samples.from_sets([[{"x", "w"}]], items=["x", "y"])


def uneven_draws(rng, n_items, widths):
    """Draws of these widths; some have empty columns at either end and between."""
    for width in widths:
        draw = rng.integers(2, size=(n_items, width), dtype=np.uint8)
        if rng.integers(2):
            draw[:, rng.random(width) < rng.random()] = 0
        yield draw


# Starts of draws are kept in blocks of 64, or fewer where 65,536 features do not fill one; columns
# are found from every 256th mark on.
WIDTHS = {
    "one": [3],
    "just a block": [2] * 63,
    "into the next block": [2] * 64 + [5],
    "no columns": [0] * 1000,
    "now and then a column": [0] * 300 + [1] + [0] * 600 + [2],
    "wider later": [3] * 500 + [3000] * 70 + [0] * 5 + [2] * 100,
    "one very wide": [2] * 100 + [70_000] + [2] * 100 + [140_000, 1],
    "around 65,536": [65_535, 1, 2, 65_536, 3, 65_537, 1],
    "any": np.random.default_rng(0).integers(200, size=400).tolist(),
}


@pytest.mark.parametrize("widths", WIDTHS.values(), ids=WIDTHS)
@pytest.mark.parametrize("n_items", [1, 5, 64])
def test_draws_of_any_widths_come_back(n_items, widths):
    if n_items > 5 and max(widths) > 2000:
        widths = [min(width, 2000) for width in widths]
    draws = list(uneven_draws(np.random.default_rng(n_items), n_items, widths))
    for samples in (fangs.Samples(draws), fangs.Samples(iter(draws))):
        check_content(samples, draws)
    chosen = np.random.default_rng(1).integers(-len(draws), len(draws), size=len(draws) + 70)
    check_content(samples.select(chosen), [draws[b] for b in chosen])


def check_content(samples, draws):
    kept = [draw.any(axis=0) for draw in draws]
    assert samples.n_features.tolist() == [np.count_nonzero(k) for k in kept]
    assert samples.n_columns.tolist() == [draw.shape[1] for draw in draws]
    assert samples.n_ones.tolist() == [np.count_nonzero(draw) for draw in draws]
    for b, draw in enumerate(draws):
        assert np.array_equal(samples[b], draw[:, kept[b]])
        assert np.array_equal(samples.columns(b), np.flatnonzero(kept[b]))


def test_counts_are_whole_numbers_that_nobody_can_change():
    samples = fangs.Samples(DRAWS)
    for counts in (samples.n_features, samples.n_ones):
        assert counts.dtype == np.int64
        with pytest.raises(ValueError, match="read-only"):
            counts[0] = 7


@pytest.mark.parametrize(
    ("shape", "most"), [((20_000, 20, 3), 1.5), ((500, 62, 77), 1.1), ((100, 1000, 50), 1.1)]
)
def test_draws_are_held_bit_packed(shape, most):
    draws = np.random.default_rng(0).integers(2, size=shape, dtype=np.uint8)
    assert fangs.Samples(draws).n_bytes < most * draws.size / 8
    assert fangs.Samples(iter(draws)).n_bytes < most * draws.size / 8


MEASURED = """
import sys
import numpy as np
import fangs

def figure(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(name))

n_draws, n_items, n_features = map(int, sys.argv[1:])
some = np.random.default_rng(0).integers(2, size=(n_items, n_features), dtype=np.uint8)
fangs.Samples([some]).n_ones
np.ones(31_000_000, np.uint8)  # freeing it lets malloc put blocks of up to this size on its heap
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the peak starts again from here
held, mapped = figure("VmRSS"), figure("VmSize")
samples = fangs.Samples(some.copy() for _ in range(n_draws))
print(figure("VmHWM") - held, figure("VmSize") - mapped)
"""


@pytest.mark.skipif(
    not os.access("/proc/self/clear_refs", os.W_OK), reason="peaks are read from Linux's /proc"
)
@pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizers' own realloc copies"
)
@pytest.mark.parametrize(("shape", "most"), [((200_000, 20, 3), 1.5), ((2000, 1000, 50), 1.1)])
def test_draws_that_come_one_at_a_time_are_held_once(shape, most):
    command = [sys.executable, "-c", MEASURED, *map(str, shape)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    peak, mapped = map(int, done.stdout.split())
    packed = np.prod(shape) / 8
    assert packed / 2 < peak < most * packed + 1e6
    assert mapped < most * packed + 4e6


def test_items_without_a_feature_are_said(tmp_path):
    samples = fangs.Samples([[[1], [0], [0]]] * 3, items=["ann", "bob", "cy"])
    assert "2 without a feature" in repr(samples)
    assert samples.note.endswith("these items: bob, cy")
    assert samples.note in samples._repr_html_()
    samples.save(tmp_path / "d.nc")
    for source in (samples, tmp_path / "d.nc", list(samples)):
        assert "no draw has a feature with these items" in str(fangs.inspect(source))
    assert fangs.Samples([[[1], [1]]]).note == ""
