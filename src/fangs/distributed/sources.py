"""From what a user has to shards: files, stores, lazy arrays, draws in memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from fangs.distributed import steps
from fangs.distributed.executor import ShardExecutor
from fangs.distributed.shards import FileShard, HeldShard, LazyShard, Shard
from fangs.draws.forms.labelled import LabelledForm
from fangs.draws.forms.list import is_list_of_chains
from fangs.draws.info import SamplesInfo
from fangs.draws.open import is_path, library, open_draws
from fangs.draws.request import Request
from fangs.draws.samples import Samples
from fangs.formats.registry import format_of, is_list_of_files

__all__ = ["as_shards", "gather_info"]


def as_shards(
    source: Any, request: Request, *, n_shards: int | None, shard_bytes: int
) -> list[Shard]:
    """The shards of a source."""
    if is_path(source):
        return _of_file(os.path.abspath(source), request, n_shards, shard_bytes)
    is_one_each = request.weights is None and request.chains is None
    if is_one_each and is_list_of_chains(source, request):
        return _of_files(source, request)
    if library(source) == "xarray" and hasattr(source, "dims"):
        array = LabelledForm.of(source, "source").lazy(_only(request.variable), request)
        pieces = _of_array(array.transpose(..., "draw", "item", "feature"), n_shards, shard_bytes)
        return _of_lazy(source, pieces, request)
    if type(source).__module__.startswith("dask.array"):
        return _of_lazy(source, _of_array(source, n_shards, shard_bytes), request)
    with open_draws(source, request) as opened:
        return list(_of_samples(Samples._of_source(opened), n_shards, shard_bytes))


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


def _of_file(path: str, request: Request, n_shards: int | None, size: int) -> list[Shard]:
    """One file: in parts where its kind allows that, else whole."""
    if is_list_of_files(Path(path)) or not format_of(Path(path)).is_divisible:
        return [FileShard(path, request)]
    with open_draws(path, request) as source:
        (first,) = source.part(slice(1)).all()
        per_draw = max(1, int(np.prod(np.shape(first))))
        parts = _ranges(source.n_draws, n_shards, size // per_draw)
    return [FileShard(path, request, part) for part in parts]


def _of_files(paths: Sequence[Any], request: Request) -> list[Shard]:
    """Several files, a chain each; workers are in folders of their own."""
    wanted = range(len(paths))
    if request.keep_chains is not None:
        given = {str(chain) for chain in request.keep_chains}
        wanted = [c for c in wanted if str(c) in given]  # type: ignore[assignment]
    one = replace(request, keep_chains=None)
    return [FileShard(os.path.abspath(paths[c]), one, chain=c) for c in wanted]


@dataclass(frozen=True, eq=False)
class Piece:
    """Some draws of a lazy array."""

    array: Any
    part: slice
    """Which draws of the whole these are, chain by chain."""

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"of draws {self.part.start} to {self.part.stop - 1}"


def _only(variable: Any) -> str | None:
    if isinstance(variable, tuple):
        raise ValueError(f"variable={variable!r}: several variables of a lazy array are no shards")
    name: str | None = variable
    return name


def _of_lazy(source: Any, pieces: Sequence[Piece], request: Request) -> list[Shard]:
    """A shard of each piece; of what is known of each draw, each has its own part."""
    with open_draws(source, request) as opened:
        positions, labels = opened.positions, opened.labels
    shards: list[Shard] = []
    for piece in pieces:
        inside = (positions >= piece.part.start) & (positions < piece.part.stop)
        if not inside.any():
            continue
        draws = positions[inside] - piece.part.start
        shards.append(LazyShard(piece.array, piece.name, draws, labels.select(inside)))
    return shards


def _of_array(array: Any, n_shards: int | None, size: int) -> list[Piece]:
    """Slices of an array (draw, item, feature) or (chain, draw, item, feature)."""
    if array.ndim not in (3, 4):
        raise ValueError(
            f"source is an array of shape {array.shape}; give (draw, item, feature), or (chain, "
            "draw, item, feature)"
        )
    n_along = array.shape[-3]
    per_draw = max(1, array.shape[-1] * array.shape[-2])
    if array.ndim == 3:
        return [Piece(array[part], part) for part in _ranges(n_along, n_shards, size // per_draw)]
    wanted = None if n_shards is None else -(-n_shards // array.shape[0])
    return [
        Piece(array[c, part], slice(c * n_along + part.start, c * n_along + part.stop))
        for c in range(array.shape[0])
        for part in _ranges(n_along, wanted, size // per_draw)
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
