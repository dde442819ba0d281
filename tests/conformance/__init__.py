"""One door: an object, and every file that it can be written to, hold the same draws."""

import pytest

pytest.register_assert_rewrite("conformance.rows")
