"""`resample` and `Grouper`: rows in bins of time."""
