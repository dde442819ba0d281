"""The verification study: the paper's tables and figures again, on draws made here."""
