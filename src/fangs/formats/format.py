"""Format: what a kind of file can do. It knows bytes and nothing of draws."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fangs.draws.form import Form

if TYPE_CHECKING:
    from fangs.draws.samples import Samples
    from fangs.estimate import Estimate

__all__ = ["Format"]


@dataclass(frozen=True)
class Format:
    """A kind of file.

    Attributes
    ----------
    open
        Takes the path and gives the form of what is in the file, until the block ends.
    is_divisible
        Whether a part of the draws can be read without the rest, as each worker of a cluster does.
    is_folder
        Whether its files are folders in truth.
    write_samples, write_estimate
        Take the result and the path; None where the kind is only read.
    """

    open: Callable[[Path], AbstractContextManager[Form]]
    is_divisible: bool = False
    is_folder: bool = False
    write_samples: Callable[[Samples, Path], None] | None = None
    write_estimate: Callable[[Estimate, Path], None] | None = None
