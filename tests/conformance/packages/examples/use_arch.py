"""A GARCH model, a unit root test and a bootstrap."""

import numpy as np
from arch import arch_model
from arch.bootstrap import StationaryBootstrap, optimal_block_length
from arch.unitroot import ADF

returns = np.random.default_rng(0).standard_t(6, 500)
fitted = arch_model(returns, p=1, o=1, q=1).fit(disp="off")
print(np.round(fitted.conditional_volatility, 4).tolist())
print(float(ADF(returns.cumsum()).stat))
print(optimal_block_length(returns).values.tolist())
sample = StationaryBootstrap(12, returns, seed=1)
print(sample.conf_int(np.mean, 50).ravel().tolist())
