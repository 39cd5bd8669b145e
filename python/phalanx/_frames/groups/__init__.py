"""`groupby`: rows in groups of equal keys, and numbers of each."""
