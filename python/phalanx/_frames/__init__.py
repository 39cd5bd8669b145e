"""Data frames with pandas' names and results, over arrays: docs/decisions/0073-data-frames.md."""
