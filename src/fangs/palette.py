"""Colours of plots and reports: told apart by colour-blind readers, and by their grey in print."""

# From the palette of Okabe and Ito (2008).
INSIDE = "#0072B2"
"""What the estimate has."""
OUTSIDE = "#D55E00"
"""What it leaves out, or lacks."""
NEUTRAL = "#808080"
"""What is neither: the draws, axes, limits."""
