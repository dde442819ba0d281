"""The forms in which draws may be given: each turns a list of draws into what `Samples` accepts."""

import numpy as np
import scipy.sparse

import fangs


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
