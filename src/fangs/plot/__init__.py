"""Pictures with matplotlib: each function takes ``ax=None`` and returns the Axes it drew on.

Styles and rcParams are respected, so that ``arviz.style.use`` works. Needs ``fangs[plot]``.
"""

from fangs.plot.course import bounds, chains, path, starts
from fangs.plot.matrices import allocation, comparison, similarity
from fangs.plot.order import item_order
from fangs.plot.posterior import feature_sizes, losses, mismatches, n_features

__all__ = [
    "allocation",
    "bounds",
    "chains",
    "comparison",
    "feature_sizes",
    "item_order",
    "losses",
    "mismatches",
    "n_features",
    "path",
    "similarity",
    "starts",
]
