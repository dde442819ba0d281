"""Draws in the objects of other libraries are the draws in a plain list, labels included."""

import numpy as np
import pandas as pd
import pytest

import fangs
from support.objects import (
    CHAINS,
    FRAMES,
    ITEMS,
    LABELLED,
    N_DRAWS,
    PLAIN,
    WITH_CHAINS,
    by_chain,
    data_array,
    example,
    padded,
)

DRAWS = example()
OF_CHAIN = np.repeat(CHAINS, N_DRAWS)


def first_item(samples, item):
    return [draw[item].tolist() for draw in samples]


@pytest.mark.parametrize("form", LABELLED)
def test_labelled_objects_keep_items_and_chains(form):
    samples = fangs.Samples(LABELLED[form](DRAWS))
    assert samples == fangs.Samples(DRAWS, items=ITEMS, chains=OF_CHAIN)


@pytest.mark.parametrize("form", WITH_CHAINS)
def test_chains_are_read_one_after_the_other(form):
    samples = fangs.Samples(WITH_CHAINS[form](DRAWS), items=ITEMS)
    assert samples == fangs.Samples(DRAWS, items=ITEMS, chains=OF_CHAIN)


@pytest.mark.parametrize("form", PLAIN)
def test_plain_objects_are_lists_of_draws(form):
    assert fangs.Samples(PLAIN[form](DRAWS)) == fangs.Samples(DRAWS)


@pytest.mark.parametrize("form", FRAMES)
def test_rows_of_frames_are_matched_by_name(form):
    given = FRAMES[form](DRAWS)
    samples = fangs.Samples(given, chains=OF_CHAIN)
    in_order = fangs.Samples(given, items=ITEMS, chains=OF_CHAIN)
    assert in_order == fangs.Samples(DRAWS, items=ITEMS, chains=OF_CHAIN)
    for i, item in enumerate(samples.items):
        assert first_item(samples, i) == first_item(in_order, ITEMS.index(item))


@pytest.mark.parametrize("form", LABELLED | WITH_CHAINS | PLAIN)
def test_every_form_is_accepted_where_draws_are(form):
    given = (LABELLED | WITH_CHAINS | PLAIN)[form](DRAWS)
    assert fangs.expected_loss(DRAWS[0], given) == fangs.expected_loss(DRAWS[0], DRAWS)


@pytest.mark.parametrize("fill", [-1, np.nan])
def test_padded_columns_keep_the_positions_of_the_others(fill):
    array = np.array([[[1, fill, 0, 1], [0, fill, 1, 1]]])
    samples = fangs.Samples(array)
    assert samples[0].tolist() == [[1, 0, 1], [0, 1, 1]]
    assert samples.columns(0).tolist() == [0, 2, 3]
    assert samples.n_columns.tolist() == [4]


def test_items_may_be_given_in_another_order():
    samples = fangs.Samples(data_array(DRAWS), items=ITEMS[::-1])
    assert samples.items == ITEMS[::-1]
    assert samples == fangs.Samples(
        [draw[::-1] for draw in DRAWS], items=ITEMS[::-1], chains=OF_CHAIN
    )


def test_dict_of_chains_keeps_names_and_lengths():
    chains = {"warm": DRAWS[:2], "cold": padded(DRAWS[2:]), "last": fangs.Samples(DRAWS[:1])}
    samples = fangs.Samples(chains)
    assert samples.chains.tolist() == ["warm"] * 2 + ["cold"] * 4 + ["last"]
    assert samples.info.chain_names == ("warm", "cold", "last")
    assert samples == fangs.Samples.from_chains(chains)
    assert samples == fangs.Samples([*DRAWS, DRAWS[0]], chains=samples.chains)
    assert fangs.Samples.from_chains({7: DRAWS, 3: DRAWS}).info.chain_names == (3, 7)


def test_chains_match_their_items_by_name():
    forward, backward = list(ITEMS), list(ITEMS[::-1])
    frames = [pd.DataFrame(Z, index=forward) for Z in DRAWS]
    turned = [frame.loc[backward] for frame in frames]
    samples = fangs.Samples.from_chains({"a": frames, "b": turned})
    assert samples.items == ITEMS
    assert [Z.tolist() for Z in samples.chain("a")] == [Z.tolist() for Z in samples.chain("b")]


def test_a_dict_of_names_and_numbers_is_the_variable_with_draws():
    posterior = {"alpha": np.ones(6), "W": np.random.default_rng(0).normal(size=(6, 4, 3))}
    assert fangs.Samples({**posterior, "Z": padded(DRAWS)}) == fangs.Samples(DRAWS)
    both = {**posterior, "Z": padded(DRAWS), "Z0": padded(DRAWS[::-1])}
    with pytest.raises(ValueError, match=r"'Z', 'Z0'.*variable="):
        fangs.Samples(both)
    assert fangs.Samples(both, variable="Z") == fangs.Samples(DRAWS)


class OnlyDLPack:
    """An array of a library that NumPy does not know."""

    def __init__(self, array):
        self.array, self.shape = array, array.shape

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __getitem__(self, at):
        return OnlyDLPack(self.array[at])


def test_dlpack_is_enough():
    assert fangs.Samples(OnlyDLPack(by_chain(DRAWS))) == fangs.Samples(DRAWS, chains=OF_CHAIN)
    assert fangs.Samples([OnlyDLPack(Z) for Z in DRAWS]) == fangs.Samples(DRAWS)


def test_arrays_that_are_not_numpys_are_read_in_blocks(monkeypatch):
    monkeypatch.setattr("fangs.interop.arrays._BLOCK", 30)  # two draws
    for form in ("4-D jax", "DataArray in chunks"):
        samples = fangs.Samples((LABELLED | WITH_CHAINS)[form](DRAWS))
        assert [Z.tolist() for Z in samples] == [Z.tolist() for Z in DRAWS]


class Tensor:
    """What torch's tensors do: they refuse NumPy while they carry a gradient or are sparse."""

    def __init__(self, array, requires_grad=False, is_sparse=False, refuses=""):
        self.array, self.requires_grad, self.is_sparse = array, requires_grad, is_sparse
        self.refuses = refuses
        self.shape = array.shape

    def __array__(self, dtype=None, copy=None):
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        if self.refuses:
            raise TypeError(f"{self.refuses}\nmany more lines")
        return np.asarray(self.array, dtype=dtype)

    def __getitem__(self, at):
        if self.is_sparse:
            raise NotImplementedError("as_strided")
        return Tensor(self.array[at], self.requires_grad, refuses=self.refuses)

    def detach(self):
        return Tensor(self.array, is_sparse=self.is_sparse)

    def to_dense(self):
        return Tensor(self.array, self.requires_grad)


@pytest.mark.parametrize("state", [{}, {"requires_grad": True}, {"is_sparse": True}])
def test_tensors_with_gradients_and_sparse_ones_are_read(state):
    stack = padded(DRAWS)
    assert fangs.Samples(Tensor(stack, **state)) == fangs.Samples(stack)
    assert fangs.faro_loss(Tensor(stack[0], **state), stack[1]) == fangs.faro_loss(*stack[:2])


def test_tensors_that_numpy_cannot_read_are_refused_with_the_reason():
    words = r"draws is of type Tensor, which NumPy cannot read \(on another device\); convert it"
    with pytest.raises(TypeError, match=words) as caught:
        fangs.Samples(Tensor(padded(DRAWS), refuses="on another device"))
    assert "\n" not in str(caught.value)
