"""Devices, streams, and arrays in the memory of devices or reached by them."""
