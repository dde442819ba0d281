"""Every way a matrix can lie in memory is packed to the same bits, and strange values are found."""

import numpy as np
import pytest

import fangs

LAYOUTS = {
    "rows together": np.ascontiguousarray,
    "columns together": np.asfortranarray,
    "every other column": lambda z: np.repeat(z, 2, axis=1)[:, ::2],
    "every other row": lambda z: np.repeat(z, 2, axis=0)[::2],
    "backwards": lambda z: np.ascontiguousarray(z[::-1, ::-1])[::-1, ::-1],
}


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int16, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("n_items", [1, 7, 8, 9, 63, 64, 65, 130])
def test_packing_gives_the_matrix_back(n_items, layout, dtype):
    rng = np.random.default_rng(n_items)
    for n_features in (1, 15, 16, 17, 40):
        matrix = rng.integers(2, size=(n_items, n_features))
        matrix[rng.integers(n_items, size=n_features), np.arange(n_features)] = 1
        given = LAYOUTS[layout](matrix.astype(dtype))
        np.testing.assert_array_equal(fangs.Samples([given])[0], matrix)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("n_features", [3, 20])
@pytest.mark.parametrize("value", [2, -1, 0.5, np.nan])
def test_a_strange_value_is_found_wherever_it_stands(value, n_features, layout):
    for item in (0, 8, 65, 69):
        for feature in (0, n_features - 1):
            matrix = np.ones((70, n_features))
            matrix[item, feature] = value
            with pytest.raises(ValueError, match=rf"{item}\b.*{feature}\b"):
                fangs.Samples([LAYOUTS[layout](matrix)])
