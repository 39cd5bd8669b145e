"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.random."""

from typing import Any as _Any
from ._arrays.random.counters import Philox4x32 as Philox4x32
from ._arrays.random.generator import Generator as Generator
from ._arrays.random.generator import default_rng as default_rng
from ._arrays.random.numpys import MT19937 as MT19937
from ._arrays.random.numpys import PCG64 as PCG64
from ._arrays.random.numpys import PCG64DXSM as PCG64DXSM
from ._arrays.random.numpys import Philox as Philox
from ._arrays.random.numpys import RandomState as RandomState
from ._arrays.random.numpys import SFC64 as SFC64
from numpy.random.bit_generator import BitGenerator as BitGenerator
from numpy.random.bit_generator import SeedSequence as SeedSequence

__all__: list[str]
def beta(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.beta`."""
def binomial(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.binomial`."""
def bytes(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.bytes`."""
def chisquare(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.chisquare`."""
def choice(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.choice`."""
def dirichlet(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.dirichlet`."""
def exponential(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.exponential`."""
def f(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.f`."""
def gamma(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.gamma`."""
def geometric(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.geometric`."""
def get_state(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.get_state`."""
def gumbel(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.gumbel`."""
def hypergeometric(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.hypergeometric`."""
def laplace(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.laplace`."""
def logistic(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.logistic`."""
def lognormal(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.lognormal`."""
def logseries(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.logseries`."""
def multinomial(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.multinomial`."""
def multivariate_normal(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.multivariate_normal`."""
def negative_binomial(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.negative_binomial`."""
def noncentral_chisquare(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.noncentral_chisquare`."""
def noncentral_f(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.noncentral_f`."""
def normal(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.normal`."""
def pareto(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.pareto`."""
def permutation(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.permutation`."""
def poisson(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.poisson`."""
def power(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.power`."""
def rand(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.rand`."""
def randint(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.randint`."""
def randn(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.randn`."""
def random(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.random_sample`."""
def random_integers(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.random_integers`."""
def random_sample(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.random_sample`."""
def ranf(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.random_sample`."""
def rayleigh(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.rayleigh`."""
def sample(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.random_sample`."""
def seed(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.seed`."""
def set_state(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.set_state`."""
def shuffle(x: _Any, *args: _Any, **kwargs: _Any) -> None:
    """Brings the array's own elements or rows, or a list's items, into a random order."""
def standard_cauchy(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.standard_cauchy`."""
def standard_exponential(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.standard_exponential`."""
def standard_gamma(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.standard_gamma`."""
def standard_normal(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.standard_normal`."""
def standard_t(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.standard_t`."""
def triangular(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.triangular`."""
def uniform(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.uniform`."""
def vonmises(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.vonmises`."""
def wald(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.wald`."""
def weibull(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.weibull`."""
def zipf(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.zipf`."""
