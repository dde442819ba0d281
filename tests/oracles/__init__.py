"""Plain references: slow, obvious, and written from the definitions."""
