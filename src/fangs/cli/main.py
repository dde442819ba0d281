"""The entry point of the ``fangs`` command: run it, and turn every failure into one line."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Sequence
from contextlib import suppress

from fangs._extras import MissingExtraError, require
from fangs.check.call import for_shell
from fangs.check.text import visible
from fangs.cli.exit_codes import DONE, FAILED, INTERRUPTED, NOT_READ
from fangs.cli.signals import release, signals_as_interrupt
from fangs.distributed import ClusterError

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 2 could not, 130 interrupted, 141 not read.

    Parameters
    ----------
    arguments
        The words after ``fangs`` on the command line; by default those of this process.

    Examples
    --------
    >>> main(["--version"])
    Traceback (most recent call last):
    SystemExit: 0
    """
    # Where a store cannot be written, each of Zarr's tasks would print a traceback of its own.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    try:
        with signals_as_interrupt() as received:
            code = _run(arguments)
    except KeyboardInterrupt:
        code = _fail("interrupted", INTERRUPTED)
    except OSError as error:
        code = _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (ClusterError, MissingExtraError, TypeError, ValueError) as error:
        code = _fail(str(error))
    except MemoryError as error:
        code = _fail(str(error) or "there is not enough memory")
    if code == INTERRUPTED and received:
        code = 128 + received[-1]
    release(sys.stdout, sys.stderr)
    sys.exit(code)


def _run(arguments: Sequence[str] | None) -> int:
    click = require("click", extra="cli")
    require("rich", extra="cli")
    from fangs.cli.commands import fangs

    if hasattr(sys.stdout, "reconfigure"):  # show ? for a ■ that the terminal lacks
        sys.stdout.reconfigure(errors="replace")
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        result = fangs.main(words, prog_name="fangs", standalone_mode=False)
    except click.UsageError as error:
        help_ = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
        return _fail(error.format_message().rstrip(".") + help_)
    except click.ClickException as error:
        return _fail(error.format_message())
    except click.Abort as error:
        if isinstance(error.__cause__, EOFError):  # click takes it for Ctrl-D
            return _fail(str(error.__cause__) or "what was read ended too early")
        return _fail("interrupted", INTERRUPTED)
    except SystemExit as ended:  # click's own: nobody reads what it prints, or words for a shell
        return NOT_READ if ended.code else DONE
    return result if isinstance(result, int) else DONE


def _fail(message: str, code: int = FAILED) -> int:
    """Say what went wrong on stderr, in one line, with options as the shell has them."""
    first, *listed = message.strip().split("\n")
    if listed:  # a list of choices
        message = f"{first} {'; '.join(listed)}"
    message = for_shell(message)
    message = _DIMS.sub(lambda found: " ".join(f"--dims {x}" for x in _pairs(found[1])), message)
    message = _KEYWORD.sub(lambda found: f"--{found[1].replace('_', '-')} ", message)
    if sys.stderr is not None:
        with suppress(OSError, ValueError):  # nobody reads it, or it is closed
            print("fangs:", visible(" ".join(message.split())), file=sys.stderr)
    return code


_KEYWORD = re.compile(r"\b(variable|burn_in|thin|chains|keep_chains|weights)=(?=\S)")
"""Arguments of `fangs.read` in its complaints, which are options here."""

_DIMS = re.compile(r"dims=\{([^{}]*)\}")


def _pairs(inside: str) -> list[str]:
    """``"item": "gene"`` as ``item=gene``, each."""
    pairs = (pair.replace('"', "").partition(": ") for pair in inside.split(", "))
    return [f"{role}={name}" for role, _, name in pairs]
