"""Ensembles of trees."""
