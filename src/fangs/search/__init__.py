"""The search for the allocation of lowest expected loss: FANGS (Dahl et al. 2023), and better."""

from fangs.search.api import Interrupted, estimate, run_search
from fangs.search.params import SearchParams
from fangs.search.record import SearchSettings
from fangs.search.state import Progress

__all__ = ["Interrupted", "Progress", "SearchParams", "SearchSettings", "estimate", "run_search"]
