"""The forms: labelled, table, entries, stack, list, sets and nested, and draws held already."""
