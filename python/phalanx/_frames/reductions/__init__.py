"""One value of a column: sums, extremes, quantiles; and each row's of those before it."""

from .cumulative import accumulate as accumulate
from .order import mode as mode
from .order import nunique as nunique
from .order import quantile as quantile
from .reduce import argument as argument
from .reduce import count as count
from .reduce import reduce as reduce
