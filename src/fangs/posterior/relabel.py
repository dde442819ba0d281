"""Put feature-level arrays into a new order of features, and keep the features left over."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs._extras import frame
from fangs._frozen import Frozen, read_only
from fangs._typing import BinaryMatrix, IntArray
from fangs.draws.samples import Samples
from fangs.engine import Engine
from fangs.posterior.parameter_forms import as_parameters

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Unmatched(Frozen):
    """Features of draws that are matched to no feature of a reference, in the order of the draws.

    Its arrays are read-only.

    Attributes
    ----------
    engine
        What passes over the draws.
    draw
        (M,): the draw that each is in.
    feature
        (M,): its number among the features of that draw: a column of ``samples[draw]``.
    """

    engine: Engine
    draw: IntArray
    feature: IntArray

    @classmethod
    def of(cls, engine: Engine, permutations: npt.NDArray[np.int32]) -> Unmatched:
        """Collect the features that the permutations leave out."""
        n_features = engine.samples_info.n_features
        ends = np.cumsum(n_features)
        starts = ends - n_features
        left_out = np.ones(int(ends[-1]), dtype=bool)
        draws, columns = np.nonzero(permutations >= 0)
        left_out[starts[draws] + permutations[draws, columns]] = False
        draw = np.repeat(np.arange(len(n_features)), n_features)[left_out]
        return cls(engine, draw, np.flatnonzero(left_out) - starts[draw])

    def __len__(self) -> int:
        return len(self.draw)

    def __repr__(self) -> str:
        in_draws, n_draws = len(np.unique(self.draw)), self.engine.samples_info.n_draws
        return f"<Unmatched: {len(self)} features in {in_draws} of {n_draws} draws>"

    @property
    def matrix(self) -> BinaryMatrix:
        """(n, M): the items of each."""
        columns = np.zeros((len(self), self.engine.samples_info.n_items), dtype=np.uint8)
        for start, end in pairwise(_bounds(self.draw)):
            draw = self.engine.draw(int(self.draw[start]))
            columns[start:end] = draw[:, self.feature[start:end]].T
        return read_only(columns.T)

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with one row per feature; needs pandas.

        Draws and features are counted from 0, as in ``samples[draw][:, feature]``.

        Examples
        --------
        >>> import fangs
        >>> found = fangs.align([[1], [0]], [[[1, 0], [0, 1]], [[1], [0]]]).unmatched.to_frame()
        >>> found["draw"].tolist(), found["feature"].tolist(), found["items"].tolist()
        ([0], [1], [1])
        """
        sizes = self.matrix.sum(axis=0, dtype=np.int64)
        columns = {"draw": self.draw, "feature": self.feature, "items": sizes}
        return frame(columns, index=range(1, len(self) + 1), name="row")

    def apply(self, parameters: Any) -> npt.NDArray[Any]:
        """Their parameters, (M, ...), out of arrays such as `Alignment.apply` takes.

        Examples
        --------
        >>> import fangs
        >>> found = fangs.align([[1], [0]], [[[1, 0], [0, 1]], [[1], [0]]])
        >>> found.unmatched.apply([[0.1, 0.2], [0.3]])
        array([0.2])
        """
        samples = local_samples(self.engine)
        return reordered(parameters, samples, self.draw, self.feature, fill=None)


def local_samples(engine: Engine) -> Samples:
    """The draws of an engine that holds them in this process."""
    samples = getattr(engine, "samples", None)
    if not isinstance(samples, Samples):
        raise TypeError(
            f"the draws of a {type(engine).__name__} are not in this process; align `Samples` to "
            "relabel parameters"
        )
    return samples


def reordered(
    parameters: Any,
    samples: Samples,
    draw: npt.NDArray[np.integer[Any]],
    feature: npt.NDArray[np.integer[Any]],
    *,
    fill: Any,
) -> npt.NDArray[Any]:
    """The parameters (M, ...) of these features, each given by its draw and number in it.

    `fill` stands where the number is -1; None means any value of the parameters' own type.
    """
    rows, first, packed = _rows(as_parameters(parameters, samples.info).values, samples)
    present = feature >= 0
    draw, feature = draw[present], feature[present]
    at = first[draw] + np.where(packed[draw], feature, _given_positions(samples, draw, feature))
    dtype = rows.dtype if fill is None else np.result_type(rows.dtype, np.asarray(fill))
    out = np.full((len(present), *rows.shape[1:]), 0 if fill is None else fill, dtype=dtype)
    out[present] = rows[at]
    return out


def _rows(
    parameters: Any, samples: Samples
) -> tuple[npt.NDArray[Any], IntArray, npt.NDArray[np.bool_]]:
    """All rows in one array, the first row of each draw, and whether a draw skips empty columns."""
    n_draws, n_columns = len(samples), samples.n_columns
    if isinstance(parameters, np.ndarray) and parameters.dtype != object:
        return _padded_rows(parameters, n_draws, n_columns)
    try:
        arrays = [np.asarray(values) for values in parameters]
    except TypeError as error:
        raise TypeError(
            f"parameters is of type {type(parameters).__name__}; give a list of (K_b, ...) arrays, "
            "or one padded (B, K_max, ...) array"
        ) from error
    if len(arrays) != n_draws:
        raise ValueError(
            f"parameters has {len(arrays)} arrays, but there are {n_draws} draws; give one each"
        )
    for b, array in enumerate(arrays):
        if array.ndim == 0 or array.shape[1:] != arrays[0].shape[1:]:
            raise ValueError(
                f"parameters[{b}] has shape {array.shape} and parameters[0] {arrays[0].shape}; "
                "give (K_b, ...) arrays that differ in K_b alone"
            )
        if len(array) not in (n_columns[b], samples.n_features[b]):
            raise ValueError(
                f"parameters[{b}] has {len(array)} rows, but draw {b} was given with "
                f"{n_columns[b]} columns, {samples.n_features[b]} of them not empty; "
                "give one row per column, or one per column that is not empty"
            )
    lengths = np.array([len(array) for array in arrays])
    return np.concatenate(arrays), np.cumsum(lengths) - lengths, lengths < n_columns


def _padded_rows(
    array: npt.NDArray[Any], n_draws: int, n_columns: IntArray
) -> tuple[npt.NDArray[Any], IntArray, npt.NDArray[np.bool_]]:
    widest = int(n_columns.max())
    is_fitting = array.ndim >= 2 and len(array) == n_draws and array.shape[1] >= widest
    # Padding beyond the widest draw is fine unless a later axis could be the features as well.
    doubtful = [axis for axis in range(2, array.ndim) if array.shape[axis] >= widest]
    if not is_fitting or (array.shape[1] > widest and doubtful):
        raise ValueError(
            f"parameters has shape {array.shape}; axis 0 must be the {n_draws} draws and axis 1 "
            f"their features, {widest} for the widest draw, with the values of a feature on the "
            f"axes after{_advice(array, n_draws, widest, doubtful)}"
        )
    rows = array.reshape(-1, *array.shape[2:])
    return rows, np.arange(n_draws) * array.shape[1], np.zeros(n_draws, dtype=bool)


def _advice(array: npt.NDArray[Any], n_draws: int, widest: int, doubtful: list[int]) -> str:
    """What to do with parameters whose axes do not fit."""
    advice = []
    if array.ndim > 2 and len(array) == n_draws:
        advice += [
            f"if axis {axis} is the features, give np.moveaxis(parameters, {axis}, 1)"
            for axis in doubtful[:1]
        ]
        if array.shape[1] > widest:
            advice.append(f"if axis 1 is, give parameters[:, :{widest}]")
    return "; " + ("; ".join(advice) or "or give a list of (K_b, ...) arrays, one per draw")


def _given_positions(
    samples: Samples,
    draw: npt.NDArray[np.integer[Any]],
    feature: npt.NDArray[np.integer[Any]],
) -> npt.NDArray[np.integer[Any]]:
    """Position of each feature among the columns that were given for its draw."""
    with_gaps = samples.n_columns != samples.n_features
    if not with_gaps.any():
        return feature
    position = feature.copy()
    concerned = np.flatnonzero(with_gaps[draw])
    for start, end in pairwise(_bounds(draw[concerned])):
        some = concerned[start:end]
        position[some] = samples.columns(int(draw[some[0]]))[feature[some]]
    return position


def _bounds(draw: npt.NDArray[np.integer[Any]]) -> IntArray:
    """Positions where each run of one draw begins, and where the last run ends."""
    return np.flatnonzero(np.diff(draw, prepend=-1, append=-1))
