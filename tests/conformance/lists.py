"""Lists: of matrices, tables, sets and chains, and the folders and files that hold one each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import scipy.sparse
import xarray as xr

import fangs
from conformance.contents import LABELS, NAMED, SHAPES, SOME, Content, Form, refused
from conformance.stacks import beside, file, halves, labels
from conformance.tables import BOTH, ORDER, long, wide


def parts(make: Callable[[Content], Any]) -> Callable[[Content], list[Any]]:
    """A list with an object per chain."""
    return lambda c: list(halves(make)(c).values())


def named_parts(make: Callable[[Content], Any]) -> Callable[[Content], dict[Any, Any]]:
    return lambda c: dict(zip(c.chains[::3], parts(make)(c), strict=True))


def chain_frame(make: Callable[[Content], Any]) -> Callable[[Content], pd.DataFrame]:
    """The table of a chain, which does not say which chain it is."""
    return lambda c: pd.DataFrame(make(c)).drop(columns="chain")


def chain_array(c: Content) -> xr.DataArray:
    dims, coords = ("draw", "item", "feature"), {"item": list(c.items)}
    return xr.DataArray(c.padded(), dims=dims, coords=coords, name="Z")


def frames(c: Content, make: Callable[..., Any] = pd.DataFrame, item: str = "item") -> list[Any]:
    """A table per draw with a column of items, in any order in all but the first."""
    found = []
    for b, draw in enumerate(c.draws):
        order = np.random.default_rng(b).permutation(len(draw)) if b else np.arange(len(draw))
        features = {f"f{k + 1}": draw[order, k].tolist() for k in range(draw.shape[1])}
        found.append(make({item: [c.items[i] for i in order], **features}))
    return found


def indexed(c: Content) -> list[pd.DataFrame]:
    return [frame.set_index("item").rename_axis(None) for frame in frames(c)]


def arrays(c: Content) -> list[xr.DataArray]:
    """A labelled array per draw, some transposed."""
    made = [xr.DataArray(frame, dims=("item", "feature")) for frame in indexed(c)]
    return [draw.T if b % 2 else draw for b, draw in enumerate(made)]


def sets(c: Content, items: Any = None) -> list[list[list[Any]]]:
    labels = c.items if items is None else items
    return [[[labels[i] for i in np.flatnonzero(f)] for f in draw.T] for draw in c.draws]


def positions(c: Content) -> dict[str, Any]:
    return {"n_items": len(c.items), "draws": sets(c, range(len(c.items)))}


def with_truth(c: Content) -> dict[str, Any]:
    return {f"Z_{b}": draw for b, draw in enumerate(c.padded())} | {"Z_true": c.padded()[1]}


def matrices(c: Content) -> list[np.ndarray]:
    return list(c.draws)


UNTOLD = file("json", lambda c: positions(c)["draws"])

FORMS = {
    "matrices": Form("matrices", matrices, "", SHAPES),
    "generator": Form("", lambda c: (draw for draw in c.draws)),
    "sparse matrices": Form("", lambda c: [scipy.sparse.csr_array(draw) for draw in c.draws]),
    "nested": Form("json", lambda c: [draw.tolist() for draw in c.draws], "", SHAPES),
    "padded matrices": Form("matrices", lambda c: list(c.padded(-1))),
    "matrices and a truth": refused(file("arrays", with_truth), "Z_true", or_content=True),
    "strings": file("strings", matrices, "", ("plain", "one feature")),
    "chains": Form("chains", parts(matrices), "numbered", SHAPES),
    "dict of chains": Form("", named_parts(matrices), "chains", ("plain", "chains of text")),
    "chains of arrays": Form("chain arrays", parts(Content.padded), "numbered", SHAPES),
    "chains of labelled arrays": Form("chain labelled", parts(chain_array), "items numbered"),
    "chains of wide frames": Form("chain frames", parts(chain_frame(wide)), "numbered", SHAPES),
    "chains of long frames": Form(
        "chain frames", parts(chain_frame(long)), "items numbered", options=ORDER
    ),
    "dict of wide frames": Form("", named_parts(chain_frame(wide)), "chains", ("chains of text",)),
    "chains of samples": Form(
        "", parts(lambda c: fangs.Samples(list(c.draws), items=c.items)), "items numbered"
    ),
    "frames": Form("frames", frames, "items", (*SHAPES, "items 7 to 2003", "items from 1")),
    "frames by index": Form("", indexed, "items", ("plain", "items 7 to 2003", "items from 1")),
    "frames of polars": Form("", partial(frames, make=pl.DataFrame), "items"),
    "frames of pyarrow": Form("", partial(frames, make=pa.table), "items"),
    "labelled matrices": Form("", arrays, "items", ("plain", "items from 0")),
    "frames of persons with dims": Form(
        "frames", partial(frames, item="person"), "items", options={"dims": {"item": BOTH["item"]}}
    ),
    # JSON
    "sets": file("json", sets, "items", SHAPES),
    "sets with labels": file("json", lambda c: labels(c) | {"draws": sets(c)}, LABELS, NAMED),
    "sets of positions": file("json", positions, "", SHAPES),
    "positions of untold number": refused(UNTOLD, "n_items", "items="),
    "nested with labels": file(
        "json", lambda c: {"Z": c.padded().tolist()} | labels(c), LABELS, SOME
    ),
    "nested beside truth and data": file("json", lambda c: {"Z": c.padded().tolist()} | beside(c)),
}
FORMS = {f"list: {name}": form for name, form in FORMS.items()}
