"""The joint core: the largest set of entries, items or features that hold together."""

from fangs.posterior.core.api import core
from fangs.posterior.core.result import Core

__all__ = ["Core", "core"]
