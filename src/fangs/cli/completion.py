"""``fangs completion``: the script that lets a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from fangs.cli import options
from fangs.cli.exit_codes import DONE
from fangs.cli.output import show

__all__ = ["command"]


@options.command(
    "completion",
    "Print a script for completion in your shell.",
    "fangs completion bash >> ~/.bashrc",
    "fangs completion fish > ~/.config/fish/completions/fangs.fish",
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(context: click.Context, shell: str) -> int:
    """Print a script for SHELL that completes the words of fangs when you press Tab."""
    script = get_completion_class(shell)
    if script is None:
        raise click.UsageError(f"click cannot complete in {shell}")
    show(script(context.find_root().command, {}, "fangs", "_FANGS_COMPLETE").source())
    return DONE
