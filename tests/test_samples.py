"""Samples: every accepted form of the same draws is the same samples."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import fangs
from strategies import noisy_draws, several_allocations

DRAWS = [
    np.array([[1, 0, 1], [1, 1, 0], [0, 1, 0]]),
    np.array([[0, 1], [1, 1], [1, 0]]),
    np.zeros((3, 0), dtype=int),
    np.array([[1, 0, 1, 1], [1, 0, 1, 1], [0, 0, 0, 1]]),  # an empty and a duplicate feature
]
KEPT = [DRAWS[0], DRAWS[1], DRAWS[2], DRAWS[3][:, [0, 2, 3]]]


def padded(draws):
    """Return the draws as one (B, n, K) array, narrower ones with empty features."""
    width = max(draw.shape[1] for draw in draws)
    return np.stack([np.pad(draw, ((0, 0), (0, width - draw.shape[1]))) for draw in draws])


def strided(draw):
    wide = np.zeros((2 * draw.shape[0], 3 * draw.shape[1] + 1), dtype=np.int32)
    view = wide[::2, 1::3]
    view[:] = draw
    assert draw.size < 2 or not (view.flags.c_contiguous or view.flags.f_contiguous)
    return view


def read_only(draw):
    copy = draw.copy()
    copy.flags.writeable = False
    return copy


def field_of_records(draw):
    """Entries nine bytes apart, which is no multiple of their size."""
    records = np.zeros(draw.shape, dtype=[("other", np.int8), ("value", np.float64)])
    records["value"] = draw
    return records["value"]


def as_sets(draws):
    return [[np.flatnonzero(feature).tolist() for feature in draw.T] for draw in draws]


FORMS = {
    **{
        np.dtype(kind).name: lambda draws, kind=kind: [draw.astype(kind) for draw in draws]
        for kind in (
            *(bool, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64),
            *(np.uint64, np.float16, np.float32, np.float64, np.longdouble),
        )
    },
    "big-endian": lambda draws: [draw.astype(">i4") for draw in draws],
    "tuple": tuple,
    "generator": lambda draws: (draw for draw in draws),
    "mixed types": lambda draws: [
        draw.astype(kind) for draw, kind in zip(draws, [bool, float, "i1", "u8"] * 99, strict=False)
    ],
    "fortran": lambda draws: [np.asfortranarray(draw) for draw in draws],
    "strided": lambda draws: [strided(draw) for draw in draws],
    "reversed": lambda draws: [np.ascontiguousarray(draw[::-1])[::-1] for draw in draws],
    "read-only": lambda draws: [
        np.frombuffer(d.tobytes(), d.dtype).reshape(d.shape) for d in draws
    ],
    "field of records": lambda draws: [field_of_records(draw) for draw in draws],
    "csr_matrix": lambda draws: [scipy.sparse.csr_matrix(draw) for draw in draws],
    "csc_array": lambda draws: [scipy.sparse.csc_array(draw) for draw in draws],
    "coo bool": lambda draws: [scipy.sparse.coo_matrix(draw.astype(bool)) for draw in draws],
    "dense and sparse": lambda draws: [draws[0], *map(scipy.sparse.csr_array, draws[1:])],
    "(B, n, K) array": padded,
    "(B, n, K) bool": lambda draws: padded(draws).astype(bool),
    "(B, n, K) strided": lambda draws: padded(draws).astype(float).T.copy().T,
    "sets": lambda draws: fangs.Samples.from_sets(as_sets(draws), draws[0].shape[0]),
    "samples": fangs.Samples,
}


def content(samples):
    """Everything that samples say, comparable with ==."""
    return (
        len(samples),
        samples.n_items,
        samples.n_features.tolist(),
        samples.n_ones.tolist(),
        [(samples[b].shape, samples[b].tobytes()) for b in range(len(samples))],
    )


@pytest.mark.parametrize("form", FORMS)
def test_every_input_form_gives_the_same_samples(form):
    assert content(fangs.Samples(FORMS[form](DRAWS))) == content(fangs.Samples(DRAWS))


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


def test_empty_features_go_and_duplicates_stay():
    samples = fangs.Samples(DRAWS)
    assert samples.n_features.tolist() == [3, 2, 0, 3]
    assert samples.n_ones.tolist() == [5, 4, 0, 7]
    assert [samples[b].tolist() for b in range(4)] == [draw.tolist() for draw in KEPT]
    assert samples.columns(3).tolist() == [0, 2, 3]


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


def test_some_draws_can_be_selected():
    samples = fangs.Samples(DRAWS, items=["x", "y", "z"])
    some = samples.select([3, 0, 3, -2])
    assert [draw.tolist() for draw in some] == [KEPT[b].tolist() for b in (3, 0, 3, 2)]
    assert [some.columns(b).tolist() for b in (0, 1)] == [[0, 2, 3], [0, 1, 2]]
    assert some.items == samples.items
    assert some.n_ones.tolist() == [7, 5, 7, 0]
    with pytest.raises(IndexError, match="4"):
        samples.select([0, 4])


def test_all_draws_may_be_empty():
    samples = fangs.Samples([np.zeros((4, 0)), np.zeros((4, 2))])
    assert samples.n_features.tolist() == [0, 0]
    assert samples[1].shape == (4, 0)
    assert fangs.Samples(np.zeros((3, 4, 0))).n_features.tolist() == [0, 0, 0]


def test_items_are_kept_as_labels():
    assert fangs.Samples(DRAWS).items is None
    assert fangs.Samples(DRAWS, items=["x", "y", "z"]).items == ("x", "y", "z")
    assert fangs.Samples(DRAWS, items=np.array(["x", "y", "z"])).items == ("x", "y", "z")
    sets = fangs.Samples.from_sets([[{0, 2}]], 3, items=["x", "y", "z"])
    assert sets.items == ("x", "y", "z")


def test_sets_may_hold_labels_or_positions():
    items = ["x", "y", "z"]
    by_label = fangs.Samples.from_sets([[{"x", "z"}, {"y"}]], 3, items=items)
    by_position = fangs.Samples.from_sets([[{0, 2}, {1}]], 3, items=items)
    assert content(by_label) == content(by_position)
    assert by_label[0].tolist() == [[1, 0], [0, 1], [1, 0]]


def test_sets_may_be_any_collection_of_items():
    samples = fangs.Samples.from_sets([[{2, 0}, (1,)], [], [np.array([0, 1]), frozenset()]], 3)
    assert samples.n_features.tolist() == [2, 0, 1]
    assert samples[0].tolist() == [[1, 0], [0, 1], [1, 0]]
    assert samples[2].tolist() == [[1], [1], [0]]


def test_chains_are_one_label_per_draw():
    assert fangs.Samples(DRAWS).chains is None
    assert fangs.Samples(DRAWS, chains=[0, 0, 1, 1]).chains.tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("items", [None, ("x", "y", "z")])
@pytest.mark.parametrize("chains", [None, [0, 1, 1, 0]])
def test_samples_survive_a_file(tmp_path, items, chains):
    path = tmp_path / "draws.npz"
    samples = fangs.Samples(DRAWS, items=items, chains=chains)
    samples.save(path)
    again = fangs.read(path)
    assert content(again) == content(samples)
    assert again.items == samples.items
    assert (again.chains is None) == (chains is None)
    assert chains is None or again.chains.tolist() == chains
    assert [again.columns(b).tolist() for b in range(4)] == [
        samples.columns(b).tolist() for b in range(4)
    ]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["draws.npz"]


def test_samples_print_their_size():
    text = repr(fangs.Samples(DRAWS))
    assert "4 draws" in text
    assert "3 items" in text


def test_draws_are_held_bit_packed():
    import tracemalloc

    draws = np.ones((200, 640, 50), dtype=np.uint8)
    tracemalloc.start()
    samples = fangs.Samples(draws)
    python_bytes, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert samples.n_ones.sum() == draws.size
    assert python_bytes < draws.size / 8 * 1.1 + 50_000
