"""The bundled example: draws of the features of noisy images of bars."""

from __future__ import annotations

from importlib.resources import as_file, files

from fangs.draws.samples import Samples

__all__ = ["example"]


def example() -> Samples:
    """Return 400 posterior draws of the features of 100 noisy images.

    The images are sums of four pictures of 6 x 6 pixels under noise, the bars of Griffiths and
    Ghahramani (2005). The draws come from four chains of a Gibbs sampler, `fangs.simulate`. The
    truth has four features. Three chains found them. The last one is stuck with another
    allocation, which is common for chains of this model. The script ``examples/make_example.py``
    makes the file.

    Returns
    -------
    Samples
        The draws, with item labels and chains.

    Examples
    --------
    >>> from fangs import datasets
    >>> draws = datasets.example()
    >>> draws
    Samples(400 draws (393 distinct), 100 items, 4 to 10 features, 4 chains)
    """
    with as_file(files("fangs.datasets") / "bars.npz") as path:
        return Samples(path)
