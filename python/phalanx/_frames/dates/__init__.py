"""Dates of columns: their fields, `.dt`, and what makes dates of texts and numbers."""
