"""Tables: long, dense, wide and semi-wide, and how people call their columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from conformance.contents import EVERY, LABELS, SHAPES, SOME, WEIGHTED, Content, Form, refused
from conformance.labelled import array

Columns = dict[str, list[Any]]


def table(c: Content, rows: Any, *names: str) -> Columns:
    """Columns of rows that begin with the draw, which becomes its chain, number and weight."""
    rows = list(rows)
    columns = dict(zip(names, map(list, zip(*(row[1:] for row in rows), strict=True)), strict=True))
    draws = [row[0] for row in rows]
    weights = {"weight": [c.weights[b] for b in draws]} if c.weights else {}
    leading = {"chain": [c.chains[b] for b in draws], "draw": [b % 3 + 1 for b in draws]}
    return leading | columns | weights


def dense(c: Content, value: str = "Z") -> Columns:
    """A row per entry, feature by feature, padding included."""
    Z = c.padded().swapaxes(1, 2)
    rows = ((b, c.items[i], k + 1, int(Z[b, k, i])) for b, k, i in np.ndindex(Z.shape))
    return table(c, rows, "item", "feature", value)


def long(c: Content, empty: str | None = None, start: int = 1) -> Columns:
    """A row per one; the draw without features has one row, which may name an item."""
    rows = [
        (b, c.items[i], k + start)
        for b, draw in enumerate(c.draws)
        for k, i in zip(*np.nonzero(draw.T), strict=True)
    ]
    rows += [(b, empty, None) for b, draw in enumerate(c.draws) if not draw.any()]
    return table(c, [(b, i, k and int(k)) for b, i, k in rows], "item", "feature")


def semi_wide(c: Content, mixed: bool = False, **values: Any) -> Columns:
    """A row per draw and item, a column per feature; `mixed` has the items of each draw anyhow."""
    stack, rng = c.padded(**values), np.random.default_rng(3)
    rows = (
        (b, c.items[i], *draw[i].tolist())
        for b, draw in enumerate(stack)
        for i in (rng.permutation(len(draw)) if mixed and b else range(len(draw)))
    )
    return table(c, rows, "item", *(f"f{k + 1}" for k in range(stack.shape[2])))


def wide(c: Content, cell: str = "Z[{},{}]", **values: Any) -> Columns:
    """A row per draw, a column per entry, and parameters that are no draws."""
    stack = c.padded(**values).swapaxes(1, 2)  # item by item within a feature, as R and Stan do
    names = [cell.format(i + 1, k + 1) for k, i in np.ndindex(stack.shape[1:])]
    p = np.random.default_rng(0).random((6, 2))
    rows = ((b, -8.5 - b, *p[b], *draw.ravel().tolist()) for b, draw in enumerate(stack))
    return table(c, rows, "lp__", "p[1]", "p[2]", *names)


def second(make: Any, old: str, new: str) -> Any:
    """The same table with a second binary variable."""

    def made(c: Content) -> Columns:
        columns = make(c)
        return columns | {n.replace(old, new): v[::-1] for n, v in columns.items() if old in n}

    return made


def with_p(make: Any) -> Any:
    """The same table with a column of other numbers."""
    return lambda c: make(c) | {"p": np.linspace(2, 3, len(make(c)["item"])).tolist()}


def tidybayes(c: Content) -> Columns:
    columns = dense(c, ".value")
    places = zip(columns["chain"], columns["draw"], strict=True)
    names = {"chain": ".chain", "draw": ".iteration"}
    columns = {names.get(name, name): cells for name, cells in columns.items()}
    return columns | {".draw": [3 * c.chains[::3].index(a) + b for a, b in places]}


def named_features(c: Content) -> Columns:
    return long(c) | {"feature": [k and f"f{k}" for k in long(c)["feature"]]}


def frame(make: Any, holds: str = LABELS, contents: Any = ("plain",), **form: Any) -> Form:
    """A pandas frame of columns; `names` renames them, `cast` gives them types."""
    options, names = form.pop("options", {}), form.pop("names", {})
    kind, cast = form.pop("kind", "pandas"), form.pop("cast", {})
    built = lambda c: pd.DataFrame(make(c, **form)).astype(cast).rename(columns=names)  # noqa: E731
    return Form(kind, built, holds, contents, options, is_object=kind in ("pandas", "indexed"))


def shuffled(c: Content) -> pd.DataFrame:
    return pd.DataFrame(long(c)).sample(frac=1, random_state=2)


MAKERS = {"long": long, "dense": dense, "semi-wide": semi_wide, "wide": wide}
LIBRARIES = {"polars": pl.DataFrame, "pyarrow": pa.table}
BOTH = {"item": "person", "feature": "skill"}
PEOPLE = {"chain": "run", "draw": "sweep", **BOTH}
ROLES = {"dims": {**PEOPLE, "value": "has"}}
LETTERS = {"chain": "Var4", "draw": "Var3", "item": "Var1", "feature": "Var2"}
ORDER = {"items": ["ann", "bob", "cy", "dee"]}
TWO_VALUES = frame(second(dense, "Z", "truth"), options={"dims": {"value": "Z"}})
TWO_GRIDS = frame(second(wide, "Z", "Y"), "chains", options={"variable": "Z"})

FORMS = {
    "long": frame(long, contents=EVERY),
    "dense": frame(dense, contents=(*SHAPES, *WEIGHTED)),
    "semi-wide": frame(semi_wide, contents=SOME),
    "wide": frame(wide, "chains weights", SOME),
    **{
        f"{name} of {library}": Form(
            library, lambda c, f=make, t=made: t(f(c)), LABELS if name != "wide" else "chains"
        )
        for library, made in LIBRARIES.items()
        for name, make in MAKERS.items()
    },
    # The value, whatever it is called
    **{
        f"dense with {value!r}": frame(dense, value=value)
        for value in (".value", "present", "Freq", "value", "estimate", "anything else")
    },
    "dense TRUE and FALSE": frame(dense, cast={"Z": bool}),
    "semi-wide TRUE and FALSE": frame(semi_wide, dtype=bool),
    "wide TRUE and FALSE": frame(wide, "chains", dtype=bool),
    "dense TRUE and FALSE of R": frame(dense, kind="R", cast={"Z": bool}),
    "semi-wide TRUE and FALSE of R": frame(semi_wide, kind="R", dtype=bool),
    "wide TRUE and FALSE of R": frame(wide, "chains", kind="R", dtype=bool),
    "dense beside numbers": frame(with_p(dense)),
    "long beside numbers": refused(frame(with_p(long)), r"'p'"),
    "two values": refused(TWO_VALUES, r"\bZ\b", r"\btruth\b"),
    "two values with dims": TWO_VALUES,
    "two values, one named": frame(second(dense, "Z", "truth"), options={"variable": "Z"}),
    # Names of columns
    "dense with dims": frame(dense, names={**PEOPLE, "Z": "has"}, options=ROLES),
    "dense of person and skill": refused(frame(dense, names=BOTH), "dims=", "person", "skill"),
    "dense of person and skill with dims": frame(dense, names=BOTH, options={"dims": BOTH}),
    "long of person and skill with dims": frame(long, names=BOTH, options={"dims": BOTH}),
    "semi-wide of person with dims": frame(
        semi_wide, names=BOTH, options={"dims": {"item": "person"}}
    ),
    "wide of runs with dims": frame(
        wide, "chains", names=PEOPLE, options={"dims": {"chain": "run", "draw": "sweep"}}
    ),
    "letters of R with dims": frame(
        dense, names={**LETTERS, "Z": "Freq"}, options={"dims": LETTERS}
    ),
    "long of runs, named": frame(long, names={"chain": "run"}, options={"chains": "run"}),
    "tidybayes": frame(tidybayes),
    "long with dots": frame(long, names={"chain": ".chain", "draw": ".draw"}),
    "long in capitals": frame(long, names={name: name.capitalize() for name in PEOPLE}),
    "long of iterations": frame(long, names={"draw": "iteration"}),
    "semi-wide of iterations": frame(semi_wide, names={"draw": ".iteration"}),
    "wide with dots": frame(wide, "chains", names={"chain": ".chain", "draw": ".draw"}),
    "wide of coda": frame(wide, "chains", names={"chain": "CHAIN", "draw": "ITER"}),
    "wide of Stan": frame(wide, "chains", names={"chain": "chain__", "draw": "draw__"}),
    **{
        f"wide as {cell}": frame(wide, "chains", cell=cell)
        for cell in ("Z[{}, {}]", "Z.{}.{}", "Z[{}][{}]", "Z:{}:{}", "Z.{}.{}.")
    },
    "two grids": refused(TWO_GRIDS, r"\bY\b", r"\bZ\b", "variable="),
    "two grids, one named": TWO_GRIDS,
    # Weights, padding, order
    "long with weights": frame(long, LABELS, WEIGHTED, names={"weight": "weights"}),
    "wide with weights": frame(wide, "chains weights", WEIGHTED, names={"weight": "weights"}),
    "long with w": frame(long, LABELS, WEIGHTED, names={"weight": "w"}, options={"weights": "w"}),
    "wide with w and dims": frame(
        wide, "chains weights", WEIGHTED, names={"weight": "w"}, options={"dims": {"weight": "w"}}
    ),
    "wide with NaN": frame(wide, "chains", fill=np.nan, dtype=float),
    "wide with -1": frame(wide, "chains", fill=-1),
    "semi-wide with NaN": frame(semi_wide, fill=np.nan, dtype=float),
    "semi-wide, items in any order": frame(semi_wide, mixed=True),
    "long, rows in any order": Form("pandas", shuffled, LABELS, options=ORDER),
    "long, an empty draw with an item": frame(long, empty="ann"),
    "long from feature 0": frame(long, start=0),
    "long of named features": frame(named_features),
    "long of categories": frame(long, cast={"item": "category"}),
    "xarray's frame": Form("indexed", lambda c: array(c).to_dataframe(), LABELS, SOME),
    "xarray's series": Form("", lambda c: array(c).to_series(), LABELS),
    # What only a file can be
    "gaps": frame(long, kind="gaps"),
    "gaps after an item": frame(long, kind="gaps", empty="ann"),
    "spreadsheet, long": frame(long, LABELS, WEIGHTED, kind="spreadsheet"),
    "spreadsheet, semi-wide": frame(semi_wide, LABELS, WEIGHTED, kind="spreadsheet"),
    "spreadsheet, wide": frame(wide, "chains weights", WEIGHTED, kind="spreadsheet"),
}
FORMS = {f"table: {name}": form for name, form in FORMS.items()}
