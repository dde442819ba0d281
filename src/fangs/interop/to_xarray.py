"""Draws and results as xarray objects, with the dimensions that ArviZ expects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs._extras import require
from fangs._typing import IntArray

if TYPE_CHECKING:
    from fangs.interop.parameters import Parameters
    from fangs.samples import Samples
    from fangs.samples_info import SamplesInfo


@dataclass(frozen=True)
class DrawGrid:
    """How draws are laid out: (chain, draw) where chains are equally long, else (sample,)."""

    dims: tuple[str, ...]
    coords: dict[str, Any]
    order: IntArray
    """The number of the draw in each place, in the shape of the dimensions."""

    @classmethod
    def of(cls, n_draws: int, codes: IntArray, names: Sequence[str | int]) -> DrawGrid:
        """Lay out draws by the codes and names of their chains; without names, as chain 0."""
        if not names:
            codes, names = np.zeros(n_draws, dtype=np.int64), [0]
        lengths = np.bincount(codes, minlength=len(names))
        if (lengths == lengths[0]).all():
            order = np.argsort(codes, kind="stable").reshape(len(names), -1)
            coords = {"chain": list(names), "draw": np.arange(lengths[0])}
            return cls(("chain", "draw"), coords, order)
        labels = np.asarray(names)[codes]
        coords = {"sample": np.arange(n_draws), "chain": ("sample", labels)}
        return cls(("sample",), coords, np.arange(n_draws))

    @classmethod
    def of_info(cls, info: SamplesInfo) -> DrawGrid:
        """Lay out all draws of samples."""
        return cls.of(info.n_draws, info.chain_codes, info.chain_names)

    def put(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Values by draw, (B, ...), in the shape of the grid."""
        return values[self.order]


def item_coord(items: Sequence[str] | None, n_items: int) -> Any:
    """Labels of the items, or their positions."""
    return np.arange(n_items) if items is None else list(items)


def _feature_coord(features: Sequence[str | int]) -> Any:
    return list(features) if features else np.zeros(0, dtype=np.int64)


def samples_to_xarray(samples: Samples) -> Any:
    """All draws as one DataArray, narrower ones padded with columns of 0."""
    xarray = require("xarray", extra="all")
    width = int(samples.n_features.max())
    padded = np.zeros((len(samples), samples.n_items, width), dtype=np.uint8)
    for b, draw in enumerate(samples):
        padded[b, :, : draw.shape[1]] = draw
    grid = DrawGrid.of_info(samples.info)
    return xarray.DataArray(
        grid.put(padded),
        dims=(*grid.dims, "item", "feature"),
        coords={**grid.coords, "item": item_coord(samples.items, samples.n_items)},
        name="Z",
    )


def estimate_to_xarray(
    matrix: npt.NDArray[Any],
    proportions: npt.NDArray[Any],
    losses: npt.NDArray[Any],
    *,
    items: Sequence[str | int],
    features: Sequence[str | int],
    info: SamplesInfo | None,
    attrs: dict[str, float],
) -> Any:
    """An estimate as a Dataset; by draw its loss, and the draws' features and ones if known."""
    xarray = require("xarray", extra="all")
    if info is None:
        grid = DrawGrid.of(len(losses), np.zeros(0, dtype=np.int64), ())
        by_draw = {"loss": losses}
    else:
        grid = DrawGrid.of_info(info)
        by_draw = {"loss": losses, "K": info.n_features, "ones": info.n_ones}
        if info.weights is not None:
            by_draw["weight"] = info.weights
    entries = ("item", "feature")
    return xarray.Dataset(
        {
            "Z_hat": (entries, matrix.copy()),
            "probability": (entries, proportions.copy()),
            **{name: (grid.dims, grid.put(values)) for name, values in by_draw.items()},
        },
        coords={**grid.coords, "item": list(items), "feature": _feature_coord(features)},
        attrs=attrs,
    )


def alignment_to_xarray(
    info: SamplesInfo,
    draws: npt.NDArray[Any],
    matched: npt.NDArray[np.bool_],
    parameters: dict[str, tuple[npt.NDArray[Any], Parameters]],
    features: Sequence[str | int],
) -> Any:
    """Relabelled draws (B, n, K) and parameters (B, K, ...) as a Dataset."""
    xarray = require("xarray", extra="all")
    grid = DrawGrid.of_info(info)
    variables: dict[str, Any] = {
        "Z": ((*grid.dims, "item", "feature"), grid.put(draws)),
        "present": ((*grid.dims, "feature"), grid.put(matched)),
    }
    coords = {
        **grid.coords,
        "item": item_coord(info.items, info.n_items),
        "feature": _feature_coord(features),
    }
    for name, (values, given) in parameters.items():
        if name in variables or name in coords:
            raise ValueError(
                f"parameters has the name {name!r}, which the draws use; choose another"
            )
        rest = given.dims or tuple(f"{name}_dim_{i}" for i in range(values.ndim - 2))
        variables[name] = ((*grid.dims, "feature", *rest), grid.put(values))
        coords.update(given.coords)
    return xarray.Dataset(variables, coords=coords)
