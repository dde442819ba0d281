"""How commands print: text or one JSON document on stdout, everything else on stderr."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from fangs.check.call import for_shell
from fangs.check.text import visible
from fangs.cli.exit_codes import DONE, INTERRUPTED
from fangs.formats.json import as_json, finite
from fangs.search import Interrupted

__all__ = ["Outcome", "document_of", "print_result", "until_interrupted"]


@dataclass
class Outcome:
    """What a command found, and whether Ctrl-C ended it."""

    result: Any = None
    interrupted: bool = False

    @property
    def code(self) -> int:
        """The exit code of the command."""
        return INTERRUPTED if self.interrupted else DONE


@contextmanager
def until_interrupted(quiet: bool = False) -> Iterator[Outcome]:
    """Run the block; on Ctrl-C keep the part of the result that was finished.

    Without any such part the command ends with one line.
    """
    outcome = Outcome()
    try:
        yield outcome
    except Interrupted as interruption:
        outcome.interrupted = True
        partial = interruption.partial
        outcome.result = interruption.estimate if partial is None else partial
        if outcome.result is None:
            raise click.Abort from interruption
        if not quiet:
            click.echo("fangs: interrupted; this is what was found so far", err=True)


def print_result(
    result: Any,
    *,
    as_document: bool,
    document: Callable[[Any], dict[str, Any]],
) -> None:
    """Print a result as text, or as one JSON document."""
    if as_document:
        click.echo(json.dumps(_plain(document(result))))
    else:
        click.echo("\n".join(map(visible, for_shell(str(result)).split("\n"))))


def document_of(estimate: Any) -> dict[str, Any]:
    """An estimate as a JSON document."""
    document: dict[str, Any] = json.loads(as_json(estimate))
    return document


def _plain(value: Any) -> Any:
    """Values that JSON knows; numbers that are not finite become null."""
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    return finite(value)
