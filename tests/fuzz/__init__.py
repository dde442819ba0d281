"""Generated problems and damaged files; what a long run finds becomes a test."""
