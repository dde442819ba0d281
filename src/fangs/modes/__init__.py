"""Several estimates for a posterior with several modes."""

from fangs.modes.api import modes, run_modes
from fangs.modes.number_of_modes import ModesStep
from fangs.modes.params import ModesParams
from fangs.modes.result import Modes

__all__ = ["Modes", "ModesParams", "ModesStep", "modes", "run_modes"]
