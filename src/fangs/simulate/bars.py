"""The four 6 x 6 images of Griffiths and Ghahramani, the classic demonstration of the IBP."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fangs.check.arguments import as_count
from fangs.simulate.linear_gaussian import LinearGaussianData
from fangs.simulate.priors import Seed
from fangs.simulate.validate import as_positive

_IMAGES = """
.#....  ...###  ......  ......
###...  ...#.#  ......  ......
.#....  ...###  ......  ......
......  ......  #.....  ...###
......  ......  ##....  ....#.
......  ......  ###...  ....#.
"""


def bar_images() -> NDArray[np.float64]:
    """Return the four images, one per row: (4, 36), zeros and ones.

    Examples
    --------
    >>> bar_images()[0].reshape(6, 6)[1]
    array([1., 1., 1., 0., 0., 0.])
    """
    rows = [line.split() for line in _IMAGES.strip().splitlines()]
    images = ["".join(image) for image in zip(*rows, strict=True)]
    return np.array([[pixel == "#" for pixel in image] for image in images], dtype=float)


def bars(n_items: int = 100, *, sigma_x: float = 0.5, seed: Seed = None) -> LinearGaussianData:
    """Noisy sums of the four images, each image in each item with probability one half.

    Parameters
    ----------
    n_items : int
        Number of pictures.
    sigma_x : float
        Standard deviation of the noise of a pixel.
    seed : int, SeedSequence, Generator or None
        Source of randomness.

    Returns
    -------
    LinearGaussianData
        `data` (n_items, 36), the true `matrix` (n_items, 4), and the images as `loadings`.

    References
    ----------
    Griffiths and Ghahramani (2005), Infinite latent feature models and the Indian buffet process,
    NIPS 18: 100 such pictures with noise 0.5.

    Examples
    --------
    >>> bars(seed=1).data.shape
    (100, 36)
    """
    n = as_count(n_items, name="n_items")
    noise = as_positive(sigma_x, "sigma_x")
    rng = np.random.default_rng(seed)
    z = rng.integers(0, 2, size=(n, 4), dtype=np.uint8)
    images = bar_images()
    data = z @ images + noise * rng.standard_normal((n, images.shape[1]))
    return LinearGaussianData(data=data, matrix=z, loadings=images)
