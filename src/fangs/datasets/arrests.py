"""Arrests in the states of the USA: the rates, and posterior draws of their features."""

from __future__ import annotations

import csv
from importlib.resources import as_file, files
from typing import NamedTuple

import numpy as np

from fangs._typing import FloatArray
from fangs.draws.samples import Samples

__all__ = ["ArrestRates", "arrest_rates", "arrests"]


class ArrestRates(NamedTuple):
    """A table of rates: a state per row, a variable per column.

    Attributes
    ----------
    states
        (50,): names of the states.
    variables
        (4,): Murder, Assault, UrbanPop, Rape.
    rates
        (50, 4): arrests per 100,000 residents in 1973, and the per cent who live in cities.
    """

    states: tuple[str, ...]
    variables: tuple[str, ...]
    rates: FloatArray

    def standardised(self) -> FloatArray:
        """(50, 4): each variable with mean 0 and standard deviation 1 over the states."""
        standardised: FloatArray = (self.rates - self.rates.mean(axis=0)) / self.rates.std(axis=0)
        return standardised


def arrest_rates() -> ArrestRates:
    """Return arrests for three crimes and the urban population in the 50 states of the USA, 1973.

    The figures are from the World Almanac 1975 and the Statistical Abstract 1975, as McNeil (1977)
    gives them; R has them as ``USArrests``.

    Returns
    -------
    ArrestRates
        Names of states and variables, and the (50, 4) table.

    Examples
    --------
    >>> from fangs import datasets
    >>> table = datasets.arrest_rates()
    >>> table.states[0], dict(zip(table.variables, table.rates[0].tolist(), strict=True))
    ('Alabama', {'Murder': 13.2, 'Assault': 236.0, 'UrbanPop': 58.0, 'Rape': 21.2})
    """
    text = (files("fangs.datasets") / "arrests.csv").read_text(encoding="utf-8")
    header, *rows = csv.reader(text.splitlines())
    rates = np.array([row[1:] for row in rows], dtype=np.float64)
    return ArrestRates(tuple(row[0] for row in rows), tuple(header[1:]), rates)


def arrests() -> Samples:
    """Return 1,000 posterior draws of the features behind `arrest_rates`.

    The model is linear-Gaussian with an Indian buffet process prior, on standardised rates. The
    draws come from four chains of `fangs.simulate.sample_posterior`. The chains agree, and the
    posterior is diffuse, as real ones are: no two draws are the same. The script
    ``examples/make_arrests.py`` makes the file.

    Returns
    -------
    Samples
        The draws, with the names of the states and chains.

    Examples
    --------
    >>> from fangs import datasets
    >>> datasets.arrests()
    Samples(1000 draws, 50 items, 3 to 9 features, 4 chains)
    """
    with as_file(files("fangs.datasets") / "arrests.npz") as path:
        return Samples(path)
