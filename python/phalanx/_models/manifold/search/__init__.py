"""Near samples of many, most of them: what embeddings need, in far less time than all pairs."""
