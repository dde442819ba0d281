"""The ``fangs`` program and its commands.

A new command is a module with `command` and `EXAMPLES`, and its name in `COMMANDS`.
"""

from __future__ import annotations

from importlib.metadata import version

import click

from fangs.cli import (
    assess,
    certify,
    chains,
    compare,
    completion,
    convert,
    demo,
    estimate,
    inspect,
    loss,
    path,
    report,
    simulate,
)
from fangs.cli.options import examples

__all__ = ["COMMANDS", "fangs"]

COMMANDS = (
    estimate,
    report,
    inspect,
    convert,
    assess,
    loss,
    compare,
    path,
    chains,
    certify,
    simulate,
    demo,
    completion,
)
"""Modules of the commands."""


@click.group(
    epilog=examples(*(module.EXAMPLES[0] for module in COMMANDS)),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 96},
)
@click.version_option(version("fangs"), prog_name="fangs", message="%(prog)s %(version)s")
def fangs() -> None:
    """Point estimates of feature allocations from posterior draws."""


for module in COMMANDS:
    fangs.add_command(module.command)
