"""What a refusal must name: the argument, the value and the remedy's call, in any sentence."""

import re

import pytest


def refuses(*words, error=(TypeError, ValueError)):
    """Expect an error of at most 600 characters that has each of the words, as a whole word."""
    pattern = "".join(rf"(?=.*(?<!\w){re.escape(word)}(?!\w))" for word in words)
    return pytest.raises(error, match=rf"(?s)^{pattern}.{{1,600}}$")
