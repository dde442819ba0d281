"""Point estimates of feature allocations, with their uncertainty, from posterior draws."""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

from fangs.allocation import left_ordered
from fangs.draws.samples import Samples
from fangs.estimate import Estimate, load
from fangs.modes import modes
from fangs.posterior import (
    align,
    assess,
    compare_chains,
    credible_ball,
    expected_loss,
    faro_loss,
    pairwise_similarity,
    summary,
    typicality,
)
from fangs.search import estimate

if TYPE_CHECKING:  # loaded when used; type checkers and editors read these lines
    from fangs import alternatives, datasets, distributed, formats, plot, results, simulate
    from fangs.alternatives.compare import compare
    from fangs.bounds import certify, lower_bound
    from fangs.formats import convert, inspect, read
    from fangs.path import choose_a, flip_optimal_interval, sparsity_path
    from fangs.posterior.core import core
    from fangs.posterior.stability import held_out_loss, stability

    __version__: str

__all__ = [
    "Estimate",
    "Samples",
    "align",
    "alternatives",
    "assess",
    "certify",
    "choose_a",
    "compare",
    "compare_chains",
    "convert",
    "core",
    "credible_ball",
    "datasets",
    "distributed",
    "estimate",
    "expected_loss",
    "faro_loss",
    "flip_optimal_interval",
    "formats",
    "held_out_loss",
    "inspect",
    "left_ordered",
    "load",
    "lower_bound",
    "modes",
    "pairwise_similarity",
    "plot",
    "read",
    "results",
    "simulate",
    "sparsity_path",
    "stability",
    "summary",
    "typicality",
]

_LATER = {
    "alternatives.compare": ("compare",),
    "bounds": ("certify", "lower_bound"),
    "formats": ("convert", "inspect", "read"),
    "path": ("choose_a", "flip_optimal_interval", "sparsity_path"),
    "posterior.core": ("core",),
    "posterior.stability": ("held_out_loss", "stability"),
}
_HOME = {name: module for module, names in _LATER.items() for name in names}
_PACKAGES = frozenset(
    (
        "alternatives", "bounds", "datasets", "distributed", "formats", "path", "plot", "results",
        "simulate",
    )
)  # fmt: skip


def __getattr__(name: str) -> object:
    """Load what is not needed for an estimate when it is first asked for (PEP 562)."""
    if name == "__version__":
        value: object = _import_module("importlib.metadata").version("fangs")
    elif name in _HOME:
        value = getattr(_import_module(f"fangs.{_HOME[name]}"), name)
    elif name in _PACKAGES:
        value = _import_module(f"fangs.{name}")
    else:
        raise AttributeError(f"module 'fangs' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
