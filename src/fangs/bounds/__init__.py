"""Lower bounds on the expected loss of every allocation, and certificates of optimality."""

from fangs.bounds.certify import Certificate, certify, lower_bound

__all__ = ["Certificate", "certify", "lower_bound"]
