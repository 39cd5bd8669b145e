"""Missing numbers and texts: found, and filled."""
