"""What is computed of columns."""

from .. import columns as columns  # Columns ask grouping for codes: they are loaded first.
