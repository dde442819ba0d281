"""Lower bounds on the expected loss of every allocation, and certificates of optimality."""

from fangs.bounds.certificate import Certificate
from fangs.bounds.certify import MAX_SECONDS, METHODS, certify, lower_bound

__all__ = ["MAX_SECONDS", "METHODS", "Certificate", "certify", "lower_bound"]
