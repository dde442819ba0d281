"""Generated problems against plain references, for as long as wanted: python -m fuzz."""
