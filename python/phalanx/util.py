"""What pandas has as ``pandas.util``: hashes of rows."""

from ._frames.hashing import hash_array as hash_array
from ._frames.hashing import hash_pandas_object as hash_pandas_object
