"""Our frames, series and indexes as the partitions of Dask's data frames."""
