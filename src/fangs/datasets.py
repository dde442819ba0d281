"""Posterior draws that come with the package, to try things on."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fangs.samples import Samples

__all__ = ["example"]


def example() -> Samples:
    """Return 400 posterior draws of the features of 100 noisy images.

    The images are sums of four pictures of 6 x 6 pixels under noise, the bars of Griffiths and
    Ghahramani (2005); the draws come from four chains of a Gibbs sampler, `fangs.simulate`. The
    truth has four features. Three chains found them; the last one is stuck with another
    allocation, as chains of this model often are. The script ``examples/make_example.py`` makes
    the file.

    Returns
    -------
    Samples
        The draws, with item labels and chains.

    Examples
    --------
    >>> from fangs import datasets
    >>> draws = datasets.example()
    >>> draws
    Samples(400 draws, 100 items, 4 to 10 features, 4 chains)
    """
    import fangs

    with as_file(files("fangs") / "data" / "bars.npz") as path:
        return fangs.read(path)
