"""Objects of other libraries: draws and parameters in, results out."""

from fangs.interop.given import ChainsGiven, Given, SparseColumns
from fangs.interop.recognise import recognise

__all__ = ["ChainsGiven", "Given", "SparseColumns", "recognise"]
