"""Reshaping: labels of rows become labels of columns, and the other way round."""
