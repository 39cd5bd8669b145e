"""Frames and series as text and HTML, as pandas shows them."""
