"""``fangs certify``: bound how far an estimate is from the best allocation."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import click

from fangs.bounds import MAX_SECONDS, METHODS, certify
from fangs.cli import options
from fangs.cli.output import Output, document_of
from fangs.cli.place import Place

__all__ = ["command"]


@options.command(
    "certify",
    "Bound how far an estimate is from the best allocation.",
    "fangs certify draws.npz --estimate estimate.npz",
    "fangs certify draws.npz -a 1.4 --seed 1 --json",
    "fangs certify draws.npz --seed 1 --method dual",
    "fangs certify draws.npz --seed 1 --max-seconds 600",
)
@options.draws
@options.known
@click.option(
    "--method",
    type=click.Choice(["auto", *METHODS]),
    default="auto",
    show_default=True,
    help="How far to go; each includes those before it, and auto means all.",
)
@click.option(
    "--max-seconds",
    type=float,
    default=MAX_SECONDS,
    show_default=True,
    help="Stop the proof then, with the best bound so far.",
)
@options.place
@options.output("json", "quiet")
def command(
    draws: options.DrawFiles,
    known: options.KnownEstimate,
    method: str,
    max_seconds: float,
    place: Place,
    output: Output,
) -> int:
    """Bound the expected loss of all allocations of DRAWS from below, and so judge an estimate.

    On Ctrl-C the best bound so far is printed, and the exit code is 130.
    """
    settings: dict[str, Any] = {"method": method, "max_seconds": max_seconds}
    settings["n_threads"] = place.n_threads
    samples = draws.read(place)
    estimate = known.find(samples, output, n_threads=place.n_threads)
    found = output.search(certify, estimate, samples, **settings)
    output.interrupted |= getattr(found, "stopped_because", "") == "interrupted"
    return output.finish(found, _document)


def _document(result: Any) -> dict[str, Any]:
    plain = (bool, int, float, str)
    values = {field.name: getattr(result, field.name) for field in fields(result)}
    found = {name: value for name, value in values.items() if isinstance(value, plain)}
    better = None if result.better is None else document_of(result.better)
    return found | {"gap": result.gap, "better": better, "text": str(result)}
