"""Draws and results as xarray objects, with the dimensions that ArviZ expects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs._extras import require
from fangs.draws.layout import Layout, item_coord, padded

if TYPE_CHECKING:
    from fangs.draws.info import SamplesInfo
    from fangs.draws.samples import Samples
    from fangs.posterior.parameter_forms import Parameters

__all__ = ["alignment_to_xarray", "estimate_to_xarray", "samples_to_xarray"]


def samples_to_xarray(samples: Samples) -> Any:
    """All draws as one DataArray, narrower ones padded with columns of 0."""
    xarray = require("xarray", extra="all")
    layout = Layout.of_info(samples.info)
    items = item_coord(samples.items, samples.n_items, samples.info.first_item)
    return xarray.DataArray(
        padded(samples, layout.order),
        dims=(*layout.dims, "item", "feature"),
        coords={**layout.coords, **items},
        name="Z",
    )


def estimate_to_xarray(
    matrix: npt.NDArray[Any],
    proportions: npt.NDArray[Any],
    losses: npt.NDArray[Any],
    *,
    items: Sequence[str] | None,
    features: Sequence[str | int],
    info: SamplesInfo | None,
    attrs: dict[str, Any],
) -> Any:
    """An estimate as a Dataset; by draw its loss, and the draws' features and ones if known."""
    xarray = require("xarray", extra="all")
    first_item, by_draw = 1, {"loss": losses}
    layout = Layout.of(len(losses), np.zeros(0, dtype=np.int64), ())
    if info is not None:
        layout, first_item = Layout.of_info(info), info.first_item
        by_draw |= {"K": info.n_features, "ones": info.n_ones}
    entries = ("item", "feature")
    return xarray.Dataset(
        {
            "Z_hat": (entries, matrix.copy()),
            "probability": (entries, proportions.copy()),
            **{name: (layout.dims, layout.put(values)) for name, values in by_draw.items()},
        },
        coords={
            **layout.coords,
            **item_coord(items, len(matrix), first_item),
            "feature": _feature_coord(features),
        },
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
    layout = Layout.of_info(info)
    variables: dict[str, Any] = {
        "Z": ((*layout.dims, "item", "feature"), layout.put(draws, copy=False)),
        "matched": ((*layout.dims, "feature"), layout.put(matched)),
    }
    coords = {
        **layout.coords,
        **item_coord(info.items, info.n_items, info.first_item),
        "feature": _feature_coord(features),
    }
    for name, (values, given) in parameters.items():
        if name in variables or name in coords:
            raise ValueError(
                f"parameters has the name {name!r}, which the draws use; choose another"
            )
        rest = given.dims or tuple(f"{name}_dim_{i}" for i in range(values.ndim - 2))
        variables[name] = ((*layout.dims, "feature", *rest), layout.put(values))
        coords.update(given.coords)
    return xarray.Dataset(variables, coords=coords)


def _feature_coord(features: Sequence[str | int]) -> Any:
    if not features:
        return np.zeros(0, dtype=np.int64)
    # NumPy's own text loses null characters at its end.
    has_null = any(str(feature).endswith("\0") for feature in features)
    return np.array(features, dtype=object if has_null else None)
