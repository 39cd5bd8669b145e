"""What is computed of columns."""
