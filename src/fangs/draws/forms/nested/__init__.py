"""Values from R and MATLAB, nested in lists, which turn into draws of the other forms."""

from fangs.draws.forms.nested.form import NestedForm
from fangs.draws.forms.nested.places import MATLAB, R
from fangs.draws.forms.nested.values import (
    WORKSPACE,
    Array,
    List,
    Other,
    Text,
    Value,
    filled,
    text_of,
)

__all__ = ["MATLAB", "WORKSPACE", "Array", "List", "NestedForm", "Other", "R", "Text", "Value",
           "filled", "text_of"]  # fmt: skip
