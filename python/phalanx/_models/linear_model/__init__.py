"""Linear models of numbers and classes."""
