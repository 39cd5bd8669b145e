"""Decompositions of samples into components."""
