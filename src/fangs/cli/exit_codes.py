"""What the ``fangs`` program returns to the shell."""

DONE = 0
FAILED = 2
INTERRUPTED = 130
"""128 + SIGINT, as in shells."""
