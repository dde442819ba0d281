"""Generated problems and damaged files, as many as wanted: what a long run finds becomes a test."""
