"""NumPy files from elsewhere, and the door to our own: .npz archives and .npy arrays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.io import own
from fangs.io.archive import kind_of
from fangs.io.fitting import fitting, one_fitting, unfit
from fangs.io.guard import MAX_LABEL_BYTES, MAX_PIECE_BYTES, Unchanged
from fangs.io.inspect import Variable
from fangs.io.members import Archive, Header, check_stack, draws_of_stack, read_header
from fangs.io.source import DrawSource

__all__ = ["describe_npy", "describe_npz", "read_npy", "read_npz"]

LABELS = ("items", "chains", "weights")
"""Arrays that say something about the draws."""


def read_npz(path: Path, variable: str | None) -> DrawSource:
    """Read draws from an archive: one that `Samples.save` made, or one from elsewhere."""
    unchanged = Unchanged(path)
    with Archive(path) as file:
        kind = kind_of(file)
        if kind is None:
            return _read_foreign(path, file, variable, unchanged)
    if kind != "samples":
        raise ValueError(f"it holds a fangs {kind}, not draws; fangs.load reads an estimate")
    if variable is not None:
        raise ValueError(f"it was written by Samples.save; leave out {variable=}")
    return own.read_samples(path)


def read_npy(path: Path, variable: str | None) -> DrawSource:
    """Read draws from a file with one (B, n, K) or (chain, draw, n, K) array, without a name."""
    if variable is not None:
        raise ValueError(f"it has a single array without a name; leave out {variable=}")
    unchanged = Unchanged(path)
    with open(path, "rb") as stream:
        header = read_header(stream)
    if header.n_bytes + header.data_bytes != path.stat().st_size:
        raise ValueError(f"the file is damaged: its shape {header.shape} does not fit its length")
    _refuse_other_shapes(header, "draws", is_stack=True)

    def read(kept: IntArray) -> Iterator[Any]:
        with unchanged, open(path, "rb") as stream:
            yield from _chosen(stream, read_header(stream), kept, "the array")

    check_stack(header, "the array")
    return DrawSource(n_draws=header.n_draws, read=read, chains=header.chains)


def describe_npz(path: Path) -> list[Variable]:
    """What an archive holds."""
    with Archive(path) as file:
        kind = kind_of(file)
        if kind is not None:
            return [own.describe(path)] if kind == "samples" else []
        labels = _labels(file)
        n_chains = len(np.unique(labels["chains"])) if "chains" in labels else None
        names = [name for name in file.names if name not in labels]
        headers = {name: file.header(name) for name in names}
    stacks = [name for name, header in headers.items() if header.is_stack]
    rows = []
    for name in stacks:
        call = f"fangs.read({str(path)!r}" + (f", variable={name!r})" if len(names) > 1 else ")")
        header = headers[name]
        n_draws, (n_items, n_features) = header.n_draws, header.shape[-2:]
        if n_draws and not fitting([name], lambda one: read_npz(path, one)):
            rows.append(unfit(name, f"{header.dtype} array {header.shape}"))
            continue
        chains = n_chains if header.chains is None else header.shape[0]
        rows.append(
            Variable(name, "array", n_draws, n_items, (n_features, n_features), chains, call)
        )
    flat = [header.shape for header in headers.values() if len(header.shape) == 2]
    if not stacks and flat and len(flat) == len(names):
        widths = [shape[1] for shape in flat]
        sizes = (min(widths), max(widths))
        what = "an array per draw"
        call = f"fangs.read({str(path)!r})"
        rows.append(Variable("*", what, len(flat), flat[0][0], sizes, n_chains, call))
    return rows


def describe_npy(path: Path) -> list[Variable]:
    """What a single array holds."""
    with open(path, "rb") as stream:
        header = read_header(stream)
    if not header.is_stack:
        return []
    n_items, k = header.shape[-2:]
    chains = None if header.chains is None else header.shape[0]
    call = f"fangs.read({str(path)!r})"
    return [Variable("", "array", header.n_draws, n_items, (k, k), chains, call)]


def _read_foreign(
    path: Path, file: Archive, variable: str | None, unchanged: Unchanged
) -> DrawSource:
    labels = _labels(file)
    if variable is not None and "weights" in labels and not _fits(file, labels, variable):
        del labels["weights"]  # of something else than this variable
    names = [name for name in file.names if name not in labels]
    if variable is not None:
        if variable not in names:
            some = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
            raise ValueError(f"it has no array {variable!r}; it has {some or 'none'}")
        names = [variable]
    if not names:
        raise ValueError("there is no array in it")
    headers = {name: file.header(name) for name in names}
    stacks = [name for name, header in headers.items() if header.is_stack]
    if len(stacks) > 1:
        stacks = [one_fitting(stacks, lambda name: read_npz(path, name))]
    if stacks:
        stack = headers[stacks[0]]
        check_stack(stack, f"array {stacks[0]!r}")
        n_draws, read = stack.n_draws, _stack_reader(path, stacks[0], unchanged)
        if stack.chains is not None:
            labels.setdefault("chains", stack.chains)
    else:
        names.sort(key=by_number)
        for name in names:
            _refuse_other_shapes(headers[name], name, is_stack=False)
        n_draws, read = len(names), _members_reader(path, names, unchanged)
    items = labels.get("items")
    return DrawSource(
        n_draws=n_draws,
        read=read,
        items=None if items is None else tuple(str(label) for label in items.ravel()),
        chains=_one_per_draw(labels, "chains", n_draws),
        weights=_one_per_draw(labels, "weights", n_draws),
    )


def _labels(file: Archive) -> dict[str, npt.NDArray[Any]]:
    """Arrays of one dimension that have the names of labels."""
    found = {}
    for name in LABELS:
        header = file.header(name) if name in file.names else None
        kinds = "iuf" if name == "weights" else "biufUS"
        if header is not None and len(header.shape) == 1 and header.dtype.kind in kinds:
            found[name] = file.array(name, limit=MAX_LABEL_BYTES)
    return found


def _fits(file: Archive, labels: dict[str, npt.NDArray[Any]], variable: str) -> bool:
    """Whether a variable has as many draws as there are weights."""
    header = file.header(variable) if variable in file.names else None
    return header is not None and header.is_stack and header.n_draws == len(labels["weights"])


def _one_per_draw(
    labels: dict[str, npt.NDArray[Any]], name: str, n_draws: int
) -> npt.NDArray[Any] | None:
    if name not in labels:
        return None
    if len(labels[name]) != n_draws:
        raise ValueError(
            f"array {name!r} has {len(labels[name])} values, but there are {n_draws} draws; "
            "give one each, or choose the draws with variable="
        )
    return labels[name]


def _stack_reader(path: Path, name: str, unchanged: Unchanged) -> Any:
    def read(kept: IntArray) -> Iterator[Any]:
        with unchanged, Archive(path) as file, file.stream(name) as stream:
            yield from _chosen(stream, read_header(stream), kept, f"array {name!r}")
            while stream.read(2**20):  # the checksum is compared at the end
                pass

    return read


def _members_reader(path: Path, names: list[str], unchanged: Unchanged) -> Any:
    def read(kept: IntArray) -> Iterator[Any]:
        with unchanged, Archive(path) as file:
            for b in kept:
                yield file.array(names[b], limit=MAX_PIECE_BYTES)

    return read


def _chosen(stream: IO[bytes], header: Header, kept: IntArray, name: str) -> Iterator[Any]:
    """The wanted draws of a stack; all up to the last one are read."""
    wanted = iter(kept.tolist())
    following = next(wanted, None)
    for b, draw in enumerate(draws_of_stack(stream, header, name)):
        if b == following:
            yield draw
            following = next(wanted, None)
            if following is None:
                return


def _refuse_other_shapes(header: Header, name: str, *, is_stack: bool) -> None:
    fits = header.is_stack if is_stack else len(header.shape) == 2
    if not fits or header.dtype.kind not in "biuf":
        form = "a (B, n, K) array" if is_stack else "one (n, K) array for each draw"
        raise ValueError(
            f"{name} has the shape {header.shape} and values of type {header.dtype}; {form} of 0 "
            "and 1 is needed"
        )


def by_number(name: str) -> list[tuple[bool, int, str]]:
    """Key that sorts arr_2 before arr_10."""
    parts = re.split(r"([0-9]+)", name)
    return [(part.isdigit(), int(part[:18]) if part.isdigit() else 0, part) for part in parts]
