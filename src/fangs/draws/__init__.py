"""From what a user has to packed `Samples`."""
