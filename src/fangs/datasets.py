"""Posterior draws that come with the package, to try things on."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fangs.samples import Samples

__all__ = ["example"]


def example() -> Samples:
    """Return 400 simulated draws of the features of 16 animals.

    They imitate a posterior: the number of features differs from draw to draw, their order is
    arbitrary, some memberships are in doubt, and features come and go. The script
    ``examples/make_example.py`` makes them.

    Returns
    -------
    Samples
        The draws, with the animals as item labels.

    Examples
    --------
    >>> from fangs import datasets
    >>> draws = datasets.example()
    >>> len(draws), draws.n_items
    (400, 16)
    """
    import fangs

    with as_file(files("fangs") / "data" / "animals.npz") as path:
        return fangs.read(path)
