"""What may be asked of draws, by every verb: read, convert, shard, inspect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import fangs
from conformance.contents import PLAIN
from conformance.rows import FORMS, Row, made, writers_of

SOURCES = {
    "list of matrices": ("list: matrices", ""),
    "DataArray": ("xarray: DataArray", ""),
    ".nc": ("xarray: DataArray", ".nc by netCDF4"),
    ".nc in chunks": ("xarray: features first", ".nc in chunks"),
    ".nc classic": ("xarray: DataArray", ".nc classic"),
    ".zarr": ("xarray: DataArray in chunks", ".zarr 2"),
    "long .csv": ("table: long", ".csv"),
    "wide .parquet": ("table: wide", ".parquet"),
    ".npz": ("stack: dict with labels", ".npz"),
    ".h5": ("stack: dict with labels", ".h5"),
    ".h5 in chunks": ("stack: dict", ".h5 in chunks"),
    "group of .h5": ("list: matrices", ".h5"),
    ".mat": ("stack: cell", ".mat 5"),
    ".json": ("list: sets with labels", ".json"),
    "list of .npy": ("list: chains of arrays", "list of .npy"),
}
"""A form, and who writes it."""

RUNS = ["c", "c", "a", "a", "b", "b"]
WEIGHTS = [0.3, 0.2, 0.1, 0.25, 0.05, 0.1]
TURNED = list(PLAIN.items[::-1])
Change = Callable[[fangs.Samples], fangs.Samples]


def with_items(samples: fangs.Samples) -> fangs.Samples:
    """Labels put the items into their order, or name those that have none."""
    draws = [draw if samples.items is None else draw[::-1] for draw in samples]
    return fangs.Samples(draws, items=TURNED, chains=samples.chains)


def weighted(s: fangs.Samples) -> fangs.Samples:
    kept = [1, 2, 3, 4, 5] if s.chains is None else [1, 2, 4, 5]
    return fangs.Samples(s, weights=WEIGHTS).select(kept)


REQUESTS: dict[str, tuple[dict[str, Any], Change]] = {
    "burn_in and thin": (
        {"burn_in": 1, "thin": 2},
        lambda s: s.select([1, 3, 5] if s.chains is None else [1, 4]),
    ),
    "keep_chains": ({"keep_chains": 1}, lambda s: s.select([3, 4, 5])),
    "chains": ({"chains": RUNS}, lambda s: fangs.Samples(s, chains=RUNS)),
    "items": ({"items": TURNED}, with_items),
    "weights and burn_in": ({"weights": WEIGHTS, "burn_in": 1}, weighted),
}
"""Options, and what they make of the plain samples."""


def converted(given: Any, **options: Any) -> fangs.Samples:
    with TemporaryDirectory() as folder:
        fangs.convert(given, Path(folder, "d.npz"), **options)
        return fangs.read(Path(folder, "d.npz"))


def sharded(given: Any, **options: Any) -> fangs.Samples:
    with fangs.distributed.shard(given, n_shards=2, **options) as found:
        labels = {"items": found.items, "chains": found.chains, "weights": found.weights}
        return fangs.Samples([found[b] for b in range(len(found))], **labels)


def request_rows() -> list[Row]:
    rows = []
    for source, (name, writer) in SOURCES.items():
        form, plain = FORMS[name], PLAIN.samples(FORMS[name].holds)
        for request, (options, change) in REQUESTS.items():
            verbs = {"Samples": fangs.Samples} | ({"read": fangs.read} if writer else {})
            if request == "weights and burn_in":
                verbs |= {"convert": converted, "shard": sharded}
            if request != "keep_chains" or plain.chains is not None:
                rows += [
                    Row(f"{verb}: {source}; {request}", made(form, writer, PLAIN), change(plain),
                        function, options)
                    for verb, function in verbs.items()
                ]  # fmt: skip
    return rows


TOLD = "xarray: skill, person with dims", "table: dense with dims", "table: two grids, one named"
"""Forms of which `inspect` has to be told something."""


@dataclass(frozen=True)
class Description(Row):
    """A row of `inspect`: one variable holds draws, and their numbers are counted."""

    def demand(self, folder: Path) -> None:
        found = fangs.inspect(self.given(folder), **self.options)
        rows = [(r.n_draws, r.n_items, r.chains) for r in found.rows if r.holds_draws]
        assert set(rows) == {(6, 4, None if self.wanted.chains is None else 2)}
        assert len(rows) == 1 or "variable" in self.options  # which may list the others, too


def inspect_rows() -> list[Row]:
    return [
        Description(f"inspect: {name}" + (writer and f" as {writer}"), made(form, writer, PLAIN),
                    PLAIN.samples(form.holds), options=form.options)
        for name, form in FORMS.items()
        if form.is_ordinary or name in TOLD
        for writer in [*([""] if form.is_object else []), *writers_of(form)[:2]]
    ]  # fmt: skip
