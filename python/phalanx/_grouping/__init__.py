"""Groups, aggregations, joins and orders of rows by kernels, for columns in a GPU's memory.

The functions of `engine` are those of `_engine.frames`, which works on the host's memory, and take
arrays in the place of NumPy's.
"""
