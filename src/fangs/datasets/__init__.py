"""Posterior draws that come with the package, to try things on."""

from fangs.datasets.arrests import ArrestRates, arrest_rates, arrests
from fangs.datasets.bars import example

__all__ = ["ArrestRates", "arrest_rates", "arrests", "example"]
