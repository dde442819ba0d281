"""Names of the array types that every signature uses."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

BinaryMatrix = npt.NDArray[np.uint8]
"""0/1 values, such as an (n, K) allocation."""
IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
