"""Pictures with matplotlib: each function takes ``ax=None`` and returns the Axes it drew on.

Styles and rcParams are respected, so that ``arviz.style.use`` works. Needs ``fangs[plot]``.
"""

from fangs.plot.course import chains, path, starts
from fangs.plot.matrices import allocation, comparison, similarity
from fangs.plot.order import item_order
from fangs.plot.posterior import feature_sizes, losses, n_features

__all__ = [
    "allocation",
    "chains",
    "comparison",
    "feature_sizes",
    "item_order",
    "losses",
    "n_features",
    "path",
    "similarity",
    "starts",
]
