"""Colours of plots and reports; colour-blind readers and grey prints can tell them apart."""

# From the palette of Okabe and Ito (2008).
INSIDE = "#0072B2"
"""Entries in the estimate."""
OUTSIDE = "#D55E00"
"""Entries left out."""
NEUTRAL = "#808080"
"""Everything else: draws, axes, limits."""
