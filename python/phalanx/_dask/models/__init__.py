"""Models over Dask's arrays and frames: partial sums of blocks, added up by tasks."""
