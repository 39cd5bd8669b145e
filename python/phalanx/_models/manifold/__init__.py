"""Embeddings of samples in few dimensions."""
