"""Clusterers."""
