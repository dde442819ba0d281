"""Settings for every test: Hypothesis examples are fixed and have no time limit."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "fangs",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("fangs")
