"""Small text files that options name, such as labels; checked as what comes from outside."""

from __future__ import annotations

from pathlib import Path

from fangs.formats.guard import MAX_LABEL_BYTES, check_piece, file_errors

__all__ = ["lines_of"]


def lines_of(path: Path, what: str) -> list[str]:
    """The lines of a text file; one that is no file, no text or far too large is refused.

    Examples
    --------
    >>> lines_of(Path("/dev/null"), "names")
    Traceback (most recent call last):
    ValueError: '/dev/null' holds no names that fangs can read: it is a folder, a device or a pipe
    """
    with file_errors(path, what):
        size = path.stat().st_size
        if not path.is_file():  # a pipe would wait for ever, and a device never end
            raise ValueError("it is a folder, a device or a pipe")
        check_piece(size, name="the file", limit=MAX_LABEL_BYTES)
        return path.read_text("utf-8").splitlines()
