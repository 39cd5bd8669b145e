"""Rows and columns of several frames put together."""
