"""The pair of allocations of Figure 1 of Dahl et al. (2023)."""

import numpy as np

# Two allocations of six items with one adjacency matrix.
FIGURE_1_THREE = np.array(
    [[0, 0, 0], [1, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 1, 0]],
)
FIGURE_1_FOUR = np.array(
    [[0, 0, 0, 0], [0, 0, 1, 1], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 1, 0], [1, 0, 1, 0]],
)
