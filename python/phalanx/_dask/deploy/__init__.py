"""Clusters of workers: one a GPU, or one for some cores."""
