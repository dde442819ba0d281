"""What the ``fangs`` program returns to the shell."""

DONE = 0
FAILED = 2
INTERRUPTED = 130
"""128 + SIGINT, as in shells; where another signal ended the work, 128 + that one."""
NOT_READ = 141
"""128 + SIGPIPE, as in shells: nobody reads standard output to its end."""
