"""Seeded fuzzing: what a long run finds becomes a test."""
