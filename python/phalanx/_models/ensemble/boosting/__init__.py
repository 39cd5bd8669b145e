"""Gradient boosting over binned features."""
