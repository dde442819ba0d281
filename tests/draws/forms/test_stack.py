"""One array of any library is the draws in a plain list; it has no names."""

import numpy as np
import pytest

import fangs
from fangs.draws.forms import blocks
from support.objects import BY_CHAIN, DRAWS, OF_CHAIN, STACK


@pytest.mark.parametrize("fill", [-1, np.nan])
def test_padded_columns_keep_the_positions_of_the_others(fill):
    array = np.array([[[1, fill, 0, 1], [0, fill, 1, 1]]])
    samples = fangs.Samples(array)
    assert samples[0].tolist() == [[1, 0, 1], [0, 1, 1]]
    assert samples.columns(0).tolist() == [0, 2, 3]
    assert samples.n_columns.tolist() == [4]


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
    assert fangs.Samples(OnlyDLPack(BY_CHAIN)) == fangs.Samples(DRAWS, chains=OF_CHAIN)
    assert fangs.Samples([OnlyDLPack(Z) for Z in DRAWS]) == fangs.Samples(DRAWS)


class Recording:
    """An array that is not NumPy's, and the sizes of what was read of it."""

    def __init__(self, array, **attributes):
        self.array, self.shape, self.dtype = array, array.shape, array.dtype
        self.sizes = []
        self.__dict__ |= attributes

    def __array__(self, dtype=None, copy=None):
        raise AssertionError("it was read whole")

    def __getitem__(self, at):
        found = self.array[at]
        self.sizes.append(found.shape)
        return found


def test_what_is_not_numpys_is_read_in_blocks(monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 2 * STACK[0].nbytes)
    array = Recording(STACK)
    assert fangs.Samples(array) == fangs.Samples(DRAWS)
    assert array.sizes == [(2, 4, 3)] * 3
    array = Recording(BY_CHAIN)
    assert fangs.Samples(array, burn_in=1) == fangs.Samples(DRAWS, chains=OF_CHAIN, burn_in=1)
    assert array.sizes == [(1, 1, 4, 3)] * 4  # no draw that is left out


def test_blocks_are_whole_chunks(monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 1)
    for chunks in ((3, 4, 3), ((3, 3), (4,), (3,))):
        array = Recording(STACK, chunks=chunks)
        assert fangs.Samples(array) == fangs.Samples(DRAWS)
        assert array.sizes == [(3, 4, 3)] * 2


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
    assert fangs.Samples(Tensor(STACK, **state)) == fangs.Samples(STACK)
    assert fangs.faro_loss(Tensor(STACK[0], **state), STACK[1]) == fangs.faro_loss(*STACK[:2])


def test_tensors_that_numpy_cannot_read_are_refused_with_the_reason():
    words = r"type Tensor.*\(on another device\)"
    with pytest.raises(TypeError, match=words) as caught:
        fangs.Samples(Tensor(STACK, refuses="on another device"))
    assert "\n" not in str(caught.value)


class Named(Recording):
    """A tensor of torch whose dimensions have names."""

    names = ("feature", "item", "draw")


@pytest.mark.parametrize(
    ("array", "error", "words"),
    [
        (np.ones(3), ValueError, r"\(3,\)"),
        (np.full((2, 2, 2), "a"), TypeError, "<U1"),
        (np.ones(3, dtype=[("draw", int), ("Z", int)]), TypeError, "draw, Z.*DataFrame"),
        (Named(np.ones((3, 2, 2))), TypeError, r"feature, item, draw.*DataArray\("),
        (np.full((2, 1, 2, 2), 0.5), ValueError, r"draws\[0, 0\].*0\.5"),
    ],
)
def test_other_arrays_are_refused(array, error, words):
    with pytest.raises(error, match=words):
        fangs.Samples(array)
