"""Trees that grow on a GPU: all trees of a forest at once, level by level, by histograms."""
