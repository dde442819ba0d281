"""The ``fangs`` program and its commands.

A new command is a module with a `command`, and its name in `COMMANDS`.
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
    modes,
    path,
    report,
    simulate,
    stability,
)
from fangs.cli.options import examples

__all__ = ["COMMANDS", "fangs"]

COMMANDS = tuple(
    module.command
    for module in (
        estimate,
        report,
        inspect,
        convert,
        assess,
        loss,
        compare,
        path,
        chains,
        modes,
        certify,
        stability,
        simulate,
        demo,
        completion,
    )
)
"""In the order of the help."""


@click.group(
    epilog=examples(*(command.examples[0] for command in COMMANDS)),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 96},
)
@click.version_option(version("fangs"), prog_name="fangs", message="%(prog)s %(version)s")
def fangs() -> None:
    """Point estimates of feature allocations from posterior draws."""


for command in COMMANDS:
    fangs.add_command(command)
