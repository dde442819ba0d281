"""Point estimates of feature allocations, with their uncertainty, from posterior draws."""
