"""Rows in the order of their values, equal rows, ranks."""
