"""Several estimates for a posterior with several modes."""

from fangs.modes.params import ModesParams
from fangs.modes.result import Modes
from fangs.modes.rule import ModesStep
from fangs.modes.run import modes, run_modes

__all__ = ["Modes", "ModesParams", "ModesStep", "modes", "run_modes"]
