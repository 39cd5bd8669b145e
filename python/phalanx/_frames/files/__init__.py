"""Formats of files: Parquet, Feather, ORC, JSON, Excel, SQL, HTML, pickles, texts of fixed width."""
