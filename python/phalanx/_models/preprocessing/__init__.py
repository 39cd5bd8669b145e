"""Transformers that scale, bend and encode features."""
