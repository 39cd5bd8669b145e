"""Functions of single values made into functions of whole arrays: vectorize, guvectorize, reduce.

`decorators` is what users see; `loops` chooses the types to compute in; `operands` brings arrays
where the device reaches them and broadcasts; `kernels` writes the kernel around the user's
function; `ufunc` and `gufunc` put these together.
"""
