"""Runs the command line as ``python -m fangs``."""

from fangs.cli import main

if __name__ == "__main__":
    main()
