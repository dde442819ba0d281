"""The entry point of the ``fangs`` command: run it, and turn every failure into one line."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from fangs._extras import MissingExtraError, require
from fangs.cli.exit_codes import DONE, FAILED, INTERRUPTED
from fangs.distributed import ClusterError

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 2 could not, 130 interrupted.

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
    try:
        code = _run(arguments)
    except KeyboardInterrupt:
        code = _fail("interrupted", INTERRUPTED)
    except OSError as error:
        code = _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (ClusterError, MissingExtraError, TypeError, ValueError) as error:
        code = _fail(str(error))
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
    except click.Abort:
        return _fail("interrupted", INTERRUPTED)
    return result if isinstance(result, int) else DONE


def _fail(message: str, code: int = FAILED) -> int:
    """Say what went wrong on stderr, in one line."""
    print("fangs:", " ".join(message.split()), file=sys.stderr)
    return code
