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
    """As `numpy.random.RandomState.beta`.

    >>> px.random.RandomState(7).beta(2.0, 5.0, size=2).round(3)
    array([0.264, 0.188])
    """
def binomial(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.binomial`.

    >>> px.random.RandomState(7).binomial(10, 0.5, size=2)
    array([3, 6])
    """
def bytes(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.bytes`.

    >>> px.random.RandomState(7).bytes(2)
    b'\\xaf\\xf0'
    """
def chisquare(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.chisquare`.

    >>> px.random.RandomState(7).chisquare(3.0, size=2).round(3)
    array([1.465, 1.01 ])
    """
def choice(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.choice`.

    >>> px.random.RandomState(7).choice(5, size=2)
    array([4, 1])
    """
def dirichlet(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.dirichlet`.

    >>> px.random.RandomState(7).dirichlet([1.0, 2.0], size=2).round(3)
    array([[0.058, 0.942],
           [0.468, 0.532]])
    """
def exponential(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.exponential`.

    >>> px.random.RandomState(7).exponential(2.0, size=2).round(3)
    array([0.159, 3.028])
    """
def f(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.f`.

    >>> px.random.RandomState(7).f(3.0, 5.0, size=2).round(3)
    array([1.017, 0.483])
    """
def gamma(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.gamma`.

    >>> px.random.RandomState(7).gamma(2.0, size=2).round(3)
    array([1.135, 0.842])
    """
def geometric(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.geometric`.

    >>> px.random.RandomState(7).geometric(0.3, size=2)
    array([1, 5])
    """
def get_state(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.get_state`.

    >>> px.random.RandomState(7).get_state()[0]
    'MT19937'
    """
def gumbel(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.gumbel`.

    >>> px.random.RandomState(7).gumbel(0.0, 1.0, size=2).round(3)
    array([ 2.534, -0.415])
    """
def hypergeometric(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.hypergeometric`.

    >>> px.random.RandomState(7).hypergeometric(5, 5, 4, size=2)
    array([2, 2])
    """
def laplace(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.laplace`.

    >>> px.random.RandomState(7).laplace(0.0, 1.0, size=2).round(3)
    array([-1.88 ,  0.821])
    """
def logistic(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.logistic`.

    >>> px.random.RandomState(7).logistic(0.0, 1.0, size=2).round(3)
    array([-2.494,  1.265])
    """
def lognormal(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.lognormal`.

    >>> px.random.RandomState(7).lognormal(0.0, 0.5, size=2).round(3)
    array([2.329, 0.792])
    """
def logseries(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.logseries`.

    >>> px.random.RandomState(7).logseries(0.6, size=2)
    array([4, 2])
    """
def multinomial(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.multinomial`.

    >>> px.random.RandomState(7).multinomial(10, [0.5, 0.3, 0.2], size=2)
    array([[3, 3, 4],
           [5, 2, 3]])
    """
def multivariate_normal(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.multivariate_normal`.

    >>> px.random.RandomState(7).multivariate_normal([0.0, 1.0], [[1.0, 0.5], [0.5, 2.0]], size=2).round(3)
    array([[0.578, 3.479],
           [0.354, 0.906]])
    """
def negative_binomial(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.negative_binomial`.

    >>> px.random.RandomState(7).negative_binomial(3, 0.5, size=2)
    array([1, 2])
    """
def noncentral_chisquare(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.noncentral_chisquare`.

    >>> px.random.RandomState(7).noncentral_chisquare(3.0, 1.0, size=2).round(3)
    array([0.62 , 8.608])
    """
def noncentral_f(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.noncentral_f`.

    >>> px.random.RandomState(7).noncentral_f(3.0, 5.0, 1.0, size=2).round(3)
    array([0.101, 0.662])
    """
def normal(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.normal`.

    >>> px.random.RandomState(7).normal(5.0, 2.0, size=2).round(3)
    array([8.381, 4.068])
    """
def pareto(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.pareto`.

    >>> px.random.RandomState(7).pareto(3.0, size=2).round(3)
    array([0.027, 0.656])
    """
def permutation(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.permutation`.

    >>> px.random.RandomState(7).permutation(3)
    array([2, 1, 0])
    """
def poisson(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.poisson`.

    >>> px.random.RandomState(7).poisson(4.0, size=2)
    array([5, 2])
    """
def power(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.power`.

    >>> px.random.RandomState(7).power(2.0, size=2).round(3)
    array([0.276, 0.883])
    """
def rand(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.rand`.

    >>> px.random.RandomState(7).rand(2).round(3)
    array([0.076, 0.78 ])
    """
def randint(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.randint`.

    >>> px.random.RandomState(7).randint(0, 10, size=2)
    array([4, 9])
    """
def randn(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.randn`.

    >>> px.random.RandomState(7).randn(2).round(3)
    array([ 1.691, -0.466])
    """
def random(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.random_sample`.

    >>> px.random.RandomState(7).random_sample(size=2).round(3)
    array([0.076, 0.78 ])
    """
def random_integers(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.random_integers`.

    >>> px.random.RandomState(7).random_integers(1, 6, size=2)
    array([5, 2])
    """
def random_sample(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.random_sample`.

    >>> px.random.RandomState(7).random_sample(size=2).round(3)
    array([0.076, 0.78 ])
    """
def ranf(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.random_sample`.

    >>> px.random.RandomState(7).random_sample(size=2).round(3)
    array([0.076, 0.78 ])
    """
def rayleigh(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.rayleigh`.

    >>> px.random.RandomState(7).rayleigh(1.0, size=2).round(3)
    array([0.398, 1.74 ])
    """
def sample(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.random_sample`.

    >>> px.random.RandomState(7).random_sample(size=2).round(3)
    array([0.076, 0.78 ])
    """
def seed(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.seed`.

    >>> state = px.random.RandomState(1)
    >>> state.seed(7)
    >>> state.randint(10) == px.random.RandomState(7).randint(10)
    True
    """
def set_state(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.set_state`.

    >>> state = px.random.RandomState(7)
    >>> before = state.get_state()
    >>> first = state.randint(100)
    >>> state.set_state(before)
    >>> state.randint(100) == first
    True
    """
def shuffle(x: _Any, *args: _Any, **kwargs: _Any) -> None:
    """Brings the array's own elements or rows, or a list's items, into a random order.

    >>> items = [1, 2, 3]
    >>> px.random.RandomState(7).shuffle(items)
    >>> items
    [3, 2, 1]
    """
def standard_cauchy(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.standard_cauchy`.

    >>> px.random.RandomState(7).standard_cauchy(size=2).round(3)
    array([-3.628,  0.081])
    """
def standard_exponential(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.standard_exponential`.

    >>> px.random.RandomState(7).standard_exponential(size=2).round(3)
    array([0.079, 1.514])
    """
def standard_gamma(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.standard_gamma`.

    >>> px.random.RandomState(7).standard_gamma(2.0, size=2).round(3)
    array([1.135, 0.842])
    """
def standard_normal(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.standard_normal`.

    >>> px.random.RandomState(7).standard_normal(size=2).round(3)
    array([ 1.691, -0.466])
    """
def standard_t(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.standard_t`.

    >>> px.random.RandomState(7).standard_t(5.0, size=2).round(3)
    array([2.147, 0.044])
    """
def triangular(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.triangular`.

    >>> px.random.RandomState(7).triangular(0.0, 1.0, 4.0, size=2).round(3)
    array([0.552, 2.375])
    """
def uniform(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.uniform`.

    >>> px.random.RandomState(7).uniform(1.0, 3.0, size=2).round(3)
    array([1.153, 2.56 ])
    """
def vonmises(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.vonmises`.

    >>> px.random.RandomState(7).vonmises(0.0, 2.0, size=2).round(3)
    array([-0.084, -0.754])
    """
def wald(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.wald`.

    >>> px.random.RandomState(7).wald(1.0, 2.0, size=2).round(3)
    array([3.107, 0.72 ])
    """
def weibull(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.weibull`.

    >>> px.random.RandomState(7).weibull(2.0, size=2).round(3)
    array([0.282, 1.23 ])
    """
def zipf(*args: _Any, **kwargs: _Any) -> _Any:
    """As `numpy.random.RandomState.zipf`.

    >>> px.random.RandomState(7).zipf(3.0, size=2)
    array([1, 1])
    """
