"""The search for the allocation of lowest expected loss: FANGS (Dahl et al. 2023), and better."""

from fangs.estimate import SearchSettings
from fangs.search.params import SearchParams
from fangs.search.run import Interrupted, estimate, run_search
from fangs.search.state import Progress

__all__ = ["Interrupted", "Progress", "SearchParams", "SearchSettings", "estimate", "run_search"]
