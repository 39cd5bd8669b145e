"""Other labels for the same rows, and rows in the order of other labels."""
