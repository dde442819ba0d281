"""Pictures with matplotlib: each function takes ``ax=None`` and returns the Axes it drew on.

Styles and rcParams are respected, so that ``arviz.style.use`` works. Needs ``fangs[plot]``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the registry once more, for type checkers and the reference pages
    from fangs.plot.chain_distances import chains as chains
    from fangs.plot.chain_features import by_chain as by_chain
    from fangs.plot.core_curve import core as core
    from fangs.plot.matrices import allocation as allocation
    from fangs.plot.matrices import levels as levels
    from fangs.plot.matrices import similarity as similarity
    from fangs.plot.order import item_order as item_order
    from fangs.plot.penalties import bounds as bounds
    from fangs.plot.penalties import path as path
    from fangs.plot.posterior import feature_sizes as feature_sizes
    from fangs.plot.posterior import losses as losses
    from fangs.plot.posterior import mismatches as mismatches
    from fangs.plot.posterior import n_features as n_features
    from fangs.plot.posterior_map import map as map
    from fangs.plot.replicates import stability as stability
    from fangs.plot.search_starts import starts as starts
    from fangs.plot.side_by_side import comparison as comparison
    from fangs.plot.side_by_side import modes as modes

# Where each function lives; its module is loaded when the function is first used. A module must
# not have the name of a function here, because importing it would hide the function.
_MODULES = {
    "allocation": "matrices",
    "bounds": "penalties",
    "by_chain": "chain_features",
    "chains": "chain_distances",
    "comparison": "side_by_side",
    "core": "core_curve",
    "feature_sizes": "posterior",
    "item_order": "order",
    "levels": "matrices",
    "losses": "posterior",
    "map": "posterior_map",
    "mismatches": "posterior",
    "modes": "side_by_side",
    "n_features": "posterior",
    "path": "penalties",
    "similarity": "matrices",
    "stability": "replicates",
    "starts": "search_starts",
}

__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    function = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = function
    return function


def __dir__() -> list[str]:
    return sorted(__all__)
