"""Priors, models and samplers that make draws: a tool for demonstrations, tests and studies."""

from fangs.simulate.bars import bar_images, bars
from fangs.simulate.gibbs import Gamma, Posterior, sample_posterior
from fangs.simulate.linear_gaussian import (
    LinearGaussianData,
    expected_loadings,
    linear_gaussian,
    log_likelihood,
)
from fangs.simulate.posterior_like import CASE_STUDIES, PosteriorLike, case_study, posterior_like
from fangs.simulate.priors import AIBD, IBP, harmonic

__all__ = [
    "AIBD",
    "CASE_STUDIES",
    "IBP",
    "Gamma",
    "LinearGaussianData",
    "Posterior",
    "PosteriorLike",
    "bar_images",
    "bars",
    "case_study",
    "expected_loadings",
    "harmonic",
    "linear_gaussian",
    "log_likelihood",
    "posterior_like",
    "sample_posterior",
]
