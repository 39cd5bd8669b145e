"""Every NumPy name that functions and kernels offer, against NumPy: one row each.

`rows` is the table, `differences` what is not as in NumPy on purpose; `cells` crosses the rows with
dtypes, dimensions, layouts and values, and `check` runs one cell. `python -m numpy_table` in
`tests/python` runs all cells.
"""
