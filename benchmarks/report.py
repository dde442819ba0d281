"""How the benchmarks report: one table each, kept in results/ and shown in docs/performance.md."""

import datetime
import importlib.metadata
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
DOCS = Path(__file__).parent.parent / "docs"


def table(header, rows):
    """Return a markdown table, also pleasant to read as plain text."""
    cells = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(len(row[c]) for row in cells) for c in range(len(header))]
    # The first column holds words, the others figures.
    justify = [str.ljust] + [str.rjust] * (len(header) - 1)
    lines = [
        "| " + " | ".join(j(x, w) for j, x, w in zip(justify, row, widths, strict=True)) + " |"
        for row in cells
    ]
    rule = ["-" * w if c == 0 else "-" * (w - 1) + ":" for c, w in enumerate(widths)]
    return "\n".join([lines[0], "| " + " | ".join(rule) + " |", *lines[1:]])


def seconds(value):
    """Return a time with three figures and a unit that suits it."""
    unit, scale = ("s", 1) if value >= 1 else ("ms", 1e3) if value >= 1e-3 else ("µs", 1e6)
    value *= scale
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}"


def times(ratio):
    """Return a ratio with two or three figures."""
    return f"{ratio:.0f} x" if ratio >= 20 else f"{ratio:.1f} x" if ratio >= 2 else f"{ratio:.2f} x"


def machine():
    """Say what the figures were measured on, and how busy that was."""
    versions = {"Python": platform.python_version()}
    for name in ("fangs", "numpy", "scipy", "lapx"):
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    busy = f"; load average {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{datetime.date.today()}, {_processor()}, {os.cpu_count()} cores, "
        f"{platform.system()}{busy}; "
        + ", ".join(f"{name} {version}" for name, version in versions.items())
        + f"; commit {_commit()}."
    )


def publish(name, text, *, about=None, shown=None):
    """Print the result, keep it in results/NAME.md and put it in its place in the docs.

    `shown` is what the docs show, where that is less than the whole.
    """
    about = f"\n\n*{about or machine()}*\n"
    shown = (shown or text).strip() + about
    text = text.strip() + about
    print(text, flush=True)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(text, encoding="utf-8")
    page = DOCS / "performance.md"
    before = page.read_text(encoding="utf-8")
    place = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
    if not place.search(before):
        sys.exit(f"docs/performance.md has no place marked '{name}' for this result")
    page.write_text(
        place.sub(lambda found: found[1] + "\n" + shown + "\n" + found[2], before), encoding="utf-8"
    )


def _processor():
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _commit():
    root = Path(__file__).parent.parent
    command = ["git", "-C", str(root), "describe", "--always", "--dirty"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return found.stdout.strip()
