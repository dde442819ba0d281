"""What other draws would have given: bootstrapped estimates, and the loss over held-out draws."""

from fangs.posterior.stability.api import Stability, stability
from fangs.posterior.stability.held_out import HeldOutLoss, held_out_loss

__all__ = ["HeldOutLoss", "Stability", "held_out_loss", "stability"]
