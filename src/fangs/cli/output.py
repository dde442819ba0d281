"""How commands print and end: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import numpy as np

from fangs.check.call import for_shell
from fangs.check.text import visible
from fangs.cli.exit_codes import DONE, INTERRUPTED
from fangs.estimate import Estimate
from fangs.formats.json import as_json, finite
from fangs.search import Interrupted
from fangs.search.progress import progress_display

__all__ = ["Output", "document_of", "say", "show"]


@dataclass
class Output:
    """How a command was asked to print, and how its work went."""

    as_document: bool = False
    quiet: bool = False
    interrupted: bool = False
    is_unwritten: bool = False
    failure: Exception | None = None
    written: list[Path] = field(default_factory=list)

    def run(self, function: Callable[..., Any], *given: Any, **settings: Any) -> Any:
        """What a function of the library returns; on Ctrl-C, the part of it that was finished.

        Without any such part the command ends with one line.
        """
        try:
            return function(*given, **settings)
        except Interrupted as interruption:
            self.interrupted = True
            partial = interruption.partial
            found = interruption.estimate if partial is None else partial
            if found is None:
                raise click.Abort from interruption
            return found

    def search(self, function: Callable[..., Any], *given: Any, **settings: Any) -> Any:
        """The same with a progress bar."""
        with nullcontext(False) if self.quiet else progress_display() as progress:
            return self.run(function, *given, progress=progress, **settings)

    def write(self, writer: Callable[[Any, Path], object], content: Any, target: Path) -> None:
        """Write a file; that it cannot be written is said at the end, after the result."""
        try:
            writer(content, target)
            self.written.append(target)
        except KeyboardInterrupt:
            self.interrupted = self.is_unwritten = True
        except (OSError, ValueError) as error:  # a full disk, perhaps
            self.is_unwritten, self.failure = True, self.failure or error

    def finish(self, result: Any, document: Callable[[Any], Any] | None = None) -> int:
        """Print the result, unless --quiet was given and files hold it; then `end`.

        ``document`` makes the JSON document of a result; an estimate has one already.
        """
        try:
            if self.as_document:
                show(_json(result, document))
            elif self.is_unwritten or not (self.quiet and self.written):
                show("\n".join(map(visible, for_shell(str(result)).split("\n"))))
        except (OSError, click.ClickException) as error:
            self.failure = self.failure or error
        return self.end()

    def end(self) -> int:
        """Say what was written and what went wrong; the exit code."""
        if not self.quiet:
            if self.written:
                say(f"Wrote {', '.join(map(str, self.written))}")
            if self.interrupted:
                say("fangs: interrupted; this is what was found so far")
        if self.failure is not None:
            raise self.failure
        return INTERRUPTED if self.interrupted else DONE


def show(text: str) -> None:
    """Print on standard output."""
    if sys.stdout is None:
        raise click.ClickException("standard output is closed: the result cannot be printed")
    try:
        click.echo(text)
    except BrokenPipeError:  # for which click ends the program
        raise
    except OSError as error:
        raise click.ClickException(f"standard output: {error.strerror or error}") from error


def say(text: str) -> None:
    """Print on standard error; that nobody reads it is no reason to stop."""
    with suppress(OSError, ValueError):
        click.echo(text, err=True)


def document_of(estimate: Any) -> dict[str, Any]:
    """An estimate as a JSON document."""
    document: dict[str, Any] = json.loads(as_json(estimate))
    return document


def _json(result: Any, document: Callable[[Any], Any] | None) -> str:
    if document is None:
        return as_json(result)
    if isinstance(result, Estimate):  # all that was found before Ctrl-C
        return json.dumps({"estimate": document_of(result)})
    return json.dumps(_plain(document(result)))


def _plain(value: Any) -> Any:
    """Values that JSON knows; numbers that are not finite become null."""
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    return finite(value)
