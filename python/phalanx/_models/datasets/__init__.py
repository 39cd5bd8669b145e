"""Data sets drawn by chance, for tests and examples."""
