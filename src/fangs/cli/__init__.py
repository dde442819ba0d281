"""The ``fangs`` program."""

from fangs.cli.main import main

__all__ = ["main"]
