"""`to_csv`: frames as text."""
