"""Posterior draws that come with the package, to try things on."""

from fangs.datasets.bars import example

__all__ = ["example"]
