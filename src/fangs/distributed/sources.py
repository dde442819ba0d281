"""From what a user has to shards: files, stores, lazy arrays, draws in memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from fangs._labels import as_chains
from fangs.distributed.shards import FileShard, HeldShard, LazyShard, Shard
from fangs.engine import steps
from fangs.engine.executor import ShardExecutor
from fangs.interop.given import library
from fangs.interop.labelled import as_data_array, find_dims
from fangs.io.registry import source_of
from fangs.samples import Samples, as_samples
from fangs.samples_info import SamplesInfo
from fangs.weights import as_weights

__all__ = ["as_shards", "gather_info"]

DIVISIBLE = (".zarr", ".nc", ".nc4", ".h5", ".hdf5", ".npz", ".npy")
"""Files of which a part can be read without the rest."""
PER_ARRAY, PER_DRAW = ("items", "dims"), ("chains", "weights")
"""Arguments of `Samples` that are the same for all shards, and those that each has a part of."""


def as_shards(
    source: Any,
    *,
    variable: str | None,
    n_shards: int | None,
    shard_bytes: int,
    settings: dict[str, Any],
) -> list[Shard]:
    """The shards of a source."""
    if isinstance(source, str | os.PathLike):
        return _of_file(Path(source).absolute(), variable, settings, n_shards, shard_bytes)
    if _is_paths(source):
        if "weights" in settings:
            raise ValueError("weights of a list of files belong into the files; save them there")
        # Workers are in folders of their own.
        paths = [os.path.abspath(path) for path in source]
        return [FileShard(path, variable, settings, chain=c) for c, path in enumerate(paths)]
    if library(source) == "xarray" and hasattr(source, "dims"):
        return _lazy(_of_xarray(source, variable, settings, n_shards, shard_bytes), settings)
    if type(source).__module__.startswith("dask.array"):
        pieces = _of_array(source, n_shards, shard_bytes)
        if source.ndim == 4:
            settings = {"chains": np.repeat(np.arange(source.shape[0]), source.shape[1])} | settings
        return _lazy(pieces, settings)
    if variable is not None or settings:
        source = Samples(source, variable=variable, **settings)
    return list(_of_samples(as_samples(source), n_shards, shard_bytes))


def gather_info(executor: ShardExecutor, names: Sequence[str]) -> tuple[list[int], SamplesInfo]:
    """Sizes of the shards, and sizes and labels of all draws together."""
    infos: list[SamplesInfo] = executor.run_each(steps.describe, [None] * executor.n_shards)
    for name, info in zip(names, infos, strict=True):
        if info.n_items != infos[0].n_items:
            raise ValueError(
                f"shard {name} has {info.n_items} items, but {names[0]} has {infos[0].n_items}; "
                "every shard needs the same items"
            )
        if info.items != infos[0].items:
            raise ValueError(f"shard {name} names its items in another way than {names[0]}")
    return [info.n_draws for info in infos], SamplesInfo.concatenate(infos)


def _of_file(
    path: Path, variable: str | None, settings: dict[str, Any], n_shards: int | None, size: int
) -> list[Shard]:
    """One file: in parts where its kind allows that, else whole."""
    if path.suffix.lower() not in DIVISIBLE:
        return [FileShard(str(path), variable, settings)]
    source = source_of(path, variable)
    chosen = {name: settings[name] for name in ("burn_in", "thin", "chains") if name in settings}
    kept = source.kept(**chosen)
    (first,) = source.read(kept[:1])
    per_draw = max(1, int(np.prod(np.shape(first))))
    return [
        FileShard(str(path), variable, settings, part=part)
        for part in _ranges(len(kept), n_shards, size // per_draw)
    ]


@dataclass(frozen=True, eq=False)
class Piece:
    """Some draws of a lazy array."""

    array: Any
    part: slice
    chain: int | None = None

    @property
    def name(self) -> str:
        """What messages call it."""
        draws = f"of draws {self.part.start} to {self.part.stop - 1}"
        return draws if self.chain is None else f"{draws} of chain {self.chain}"


def _lazy(pieces: Sequence[Piece], settings: dict[str, Any]) -> list[Shard]:
    """A shard of each piece; of what is given per draw, each has its own part."""
    for name in settings:
        if name not in PER_ARRAY and name not in PER_DRAW:
            raise TypeError(f"{name} is for files; slice an array before it is sharded")
    sizes = [piece.part.stop - piece.part.start for piece in pieces]
    total, ends = sum(sizes), np.cumsum(sizes)[:-1]
    whole, error = None, 0.0
    if settings.get("weights") is not None:
        whole, error = as_weights(settings["weights"], n_draws=total)
    chains = as_chains(settings.get("chains"), n_draws=total)
    shared = {name: settings[name] for name in PER_ARRAY if name in settings}
    labels = [None] * len(pieces) if chains is None else np.split(chains, ends)
    weights = [None] * len(pieces) if whole is None else np.split(whole, ends)
    shards: list[Shard] = []
    for piece, label, weight in zip(pieces, labels, weights, strict=True):
        own = shared if label is None else shared | {"chains": label}
        shards.append(LazyShard(piece.array, piece.name, own, (weight, error)))
    return shards


def _of_xarray(
    value: Any, variable: str | None, settings: dict[str, Any], n_shards: int | None, size: int
) -> list[Piece]:
    """A labelled array: slices along its draws, chain by chain, that stay lazy."""
    dims = settings.get("dims") or {}
    array = as_data_array(value, "source", variable=variable, dims=dims)
    found = find_dims(array, "source", dims)
    draw, chain = found["draw"], found.get("chain")
    per_draw = max(1, array.sizes[found["item"]] * array.sizes[found["feature"]])
    if chain is not None and chain not in array.coords:
        array = array.assign_coords({chain: np.arange(array.sizes[chain])})
    chains: list[dict[str, Any]] = [{}]
    if chain is not None:
        chains = [{chain: slice(c, c + 1)} for c in range(array.sizes[chain])]
    wanted = None if n_shards is None else -(-n_shards // len(chains))
    return [
        Piece(array.isel({**here, draw: part}), part, c if here else None)
        for c, here in enumerate(chains)
        for part in _ranges(array.sizes[draw], wanted, size // per_draw)
    ]


def _of_array(array: Any, n_shards: int | None, size: int) -> list[Piece]:
    """A Dask array (draw, item, feature) or (chain, draw, item, feature)."""
    if array.ndim not in (3, 4):
        raise ValueError(
            f"source is an array of shape {array.shape}; give (draw, item, feature), or (chain, "
            "draw, item, feature)"
        )
    per_draw = max(1, array.shape[-1] * array.shape[-2])
    if array.ndim == 3:
        return [
            Piece(array[part], part) for part in _ranges(array.shape[0], n_shards, size // per_draw)
        ]
    wanted = None if n_shards is None else -(-n_shards // array.shape[0])
    return [
        Piece(array[c, part], part, c)
        for c in range(array.shape[0])
        for part in _ranges(array.shape[1], wanted, size // per_draw)
    ]


def _of_samples(samples: Samples, n_shards: int | None, size: int) -> Iterator[HeldShard]:
    total = len(samples)
    per_draw = max(1, samples.n_items * int(samples.n_features.sum()) // total)
    for part in _ranges(total, n_shards, size // per_draw):
        draws = np.arange(part.start, part.stop)
        yield HeldShard(samples._part(draws), f"of draws {part.start} to {part.stop - 1}")


def _ranges(total: int, n_shards: int | None, length: int) -> list[slice]:
    """Ranges of about equal length: `n_shards`, or as many as a length asks for."""
    wanted = -(-total // max(1, length)) if n_shards is None else min(n_shards, total)
    ends = np.linspace(0, total, max(1, wanted) + 1).astype(np.int64).tolist()
    return [slice(begin, end) for begin, end in pairwise(ends)]


def _is_paths(source: Any) -> bool:
    return (
        isinstance(source, Sequence)
        and not isinstance(source, str | bytes)
        and len(source) > 0
        and all(isinstance(one, str | Path) for one in source)
    )
