"""Metrics: how good predictions and clusterings are."""
