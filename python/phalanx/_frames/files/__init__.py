"""Formats of files: Parquet, Feather, ORC, JSON, Excel, SQL, HTML, pickles, fixed widths."""
