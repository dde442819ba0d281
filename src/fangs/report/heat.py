"""Matrices as pictures in a page: a PNG of a few bytes, or a table of shaded cells."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.plot.palette import INSIDE, NEUTRAL, OUTSIDE
from fangs.report.markup import Html, element, text, void

TALLEST = 1000
"""Rows of a picture; with more items, several share a row."""
LONG, TAIL = 20, 8
"""Characters from which on a label may be cut, and those that stay at its end; page.js has both."""


def coded(matrix: npt.NDArray[Any], shares: npt.NDArray[np.float64]) -> npt.NDArray[np.int16]:
    """Shares in thousandths plus 1, negative where the matrix lacks the entry.

    Examples
    --------
    >>> coded(np.array([[1, 0, 0]]), np.array([[1.0, 0.25, 0.0]])).tolist()
    [[1001, -251, -1]]
    """
    return np.asarray(np.where(matrix == 1, 1, -1) * (np.rint(1000 * shares) + 1), dtype=np.int16)


def cells(codes: Sequence[Sequence[int]], names: Sequence[Any], rows: Sequence[int]) -> Html:
    """Rows of a shaded table: a cell of class i0 to i10 is in the estimate, o0 to o10 is not."""
    lines = []
    for i, name, row in zip(rows, names, codes, strict=True):
        shaded = "".join(_cell(code) for code in row)
        lines.append(f'<tr data-i="{i}"><th scope="row">{_label(str(name))}</th>{shaded}</tr>')
    return Html("\n".join(lines))


def _label(name: str) -> Html:
    """A name; of a long one the style sheet hides the middle, because the ends tell names apart."""
    if len(name) <= LONG:
        return text(name)
    first = element("span", name[:-TAIL], class_="start")
    return element("span", first, element("span", name[-TAIL:]), class_="long")


def _cell(code: int) -> str:
    thousandths = abs(code) - 1
    kind = "i" if code > 0 else "o"
    # Halves are rounded up, as the page's script does.
    shown = (thousandths + 5) // 10 if code > 0 or thousandths >= 5 else ""
    return f"<td class={kind}{(thousandths + 50) // 100}>{shown}"


def picture(
    values: npt.NDArray[np.float64],
    *,
    alt: str,
    cell: int = 10,
    rows: int = TALLEST,
    height: int = 600,
) -> Html:
    """An image of values between -1 (left out) and 1 (in the estimate); 0 is transparent.

    It is `height` pixels high at most. If there are more than `rows` rows, several share one.
    """
    n_rows, n_columns = values.shape
    if n_rows > rows:
        blocks = np.array_split(np.arange(n_rows), rows)
        values = np.stack([values[block].mean(axis=0) for block in blocks])
    width = max(100, min(cell * n_columns, 900))
    height = max(40, min(cell * len(values), height))
    return void(
        "img",
        src="data:image/png;base64," + base64.b64encode(png(values)).decode(),
        alt=alt,
        # As a style, because the style sheets of notebooks override attributes.
        style=f"width:{width}px;height:{height}px;max-width:100%;image-rendering:pixelated;"
        "border:1px solid #8888",
    )


def outlined(
    values: npt.NDArray[np.float64],
    lines: npt.NDArray[np.float64],
    *,
    alt: str,
    cell: int = 12,
    height: int = 600,
    stroke: str = "currentColor",
) -> Html:
    """The same picture, with lines around some of its entries: those of `fangs.plot.outline`."""
    n_rows, n_columns = (max(size, 1) for size in values.shape)
    size = {"width": n_columns, "height": n_rows}
    source = "data:image/png;base64," + base64.b64encode(png(values)).decode()
    sharp = {"preserveAspectRatio": "none", "style": "image-rendering:pixelated"}
    path = "".join(f"M{x0:g} {y0:g}L{x1:g} {y1:g}" for (x0, y0), (x1, y1) in lines.tolist())
    look = f"fill:none;stroke:{stroke};stroke-width:1.5px"
    wide, tall = min(max(160, cell * n_columns), 900), min(max(40, cell * n_rows), height)
    return element(
        "svg",
        element("title", alt),
        element("image", href=source, **sharp, **size),
        element("path", d=path, style=look, vector_effect="non-scaling-stroke"),
        viewBox=f"0 0 {n_columns} {n_rows}",
        preserveAspectRatio="none",
        role="img",
        style=f"width:{wide}px;height:{tall}px;max-width:100%;border:1px solid #8888",
    )


def outlined_image(
    values: npt.NDArray[np.float64], lines: npt.NDArray[np.float64], *, alt: str, **size: int
) -> Html:
    """The same as an image of its own, for places whose style sheet is not ours."""
    drawn = outlined(values, lines, alt=alt, stroke=NEUTRAL, **size)
    alone = drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    source = "data:image/svg+xml;base64," + base64.b64encode(alone.encode()).decode()
    shape = drawn[: drawn.index(">")].rpartition('style="')[2].rstrip('"')
    return void("img", src=source, alt=alt, style=shape)


def png(values: npt.NDArray[np.float64]) -> bytes:
    """A PNG file with one pixel per value, in a palette of two colours of growing opacity."""
    levels = (127 + np.rint(127 * np.clip(values, -1, 1))).astype(np.uint8)
    if not levels.size:
        levels = np.full((max(len(levels), 1), 1), 127, dtype=np.uint8)
    n_rows, n_columns = levels.shape
    lines = np.hstack([np.zeros((n_rows, 1), dtype=np.uint8), levels]).tobytes()
    colors = [bytes.fromhex(color[1:]) for color in (OUTSIDE, INSIDE)]
    palette = colors[0] * 127 + colors[1] * 128
    opacity = bytes(2 * abs(level - 127) for level in range(255))
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", n_columns, n_rows, 8, 3, 0, 0, 0)),
        (b"PLTE", palette),
        (b"tRNS", opacity),
        (b"IDAT", zlib.compress(lines, 9)),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in chunks
    )
