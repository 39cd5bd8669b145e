"""Splits of samples into those to learn from and those to test with."""
