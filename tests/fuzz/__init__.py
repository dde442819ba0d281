"""Generated problems and damaged files, for as long as wanted: what a long run finds becomes a test."""
