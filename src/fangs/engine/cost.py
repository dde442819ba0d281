"""The cost model: roughly how long a pass over the draws takes on one core."""

from __future__ import annotations

from fangs import _core
from fangs.draws.info import SamplesInfo


def pass_seconds(info: SamplesInfo, n_features: int) -> float:
    """Seconds to match all draws to an allocation with `n_features` features.

    The core chooses its number of threads by the same model.
    """
    mean_features = float(info.n_features.mean())
    return 1e-9 * info.n_draws * _core.pass_nanoseconds(info.n_items, mean_features, n_features)


def matching_cost(info: SamplesInfo) -> tuple[float, int]:
    """About the most seconds and bytes that it takes to match two of the draws with each other.

    Where features are so many that this matters, most of them overlap equally with many others.
    """
    widest = int(info.n_features.max(initial=0))
    return 2.5e-8 * widest**2, 4 * widest**2
