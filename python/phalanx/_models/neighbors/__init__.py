"""Models of the samples that are near to a sample."""
