"""What is known to fail today, and why. A row that passes is struck off by deleting its line."""

REASONS: dict[str, str] = {}

KNOWN = {
    row.strip(): reason
    for reason, rows in REASONS.items()
    for row in rows.splitlines()
    if row.strip()
}
"""Reasons by row."""
