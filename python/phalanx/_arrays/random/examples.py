"""A draw of each distribution, for the docstrings of generators: the numbers of the seed 7.

Each is run by tests/python/test_docstring_examples.py.
"""

from __future__ import annotations

# What follows the name of the method, and what that shows.
_COUNTED: dict[str, tuple[str, str]] = {
    "beta": ("(2.0, 5.0, size=2).round(3)", "array([0.153, 0.514])"),
    "binomial": ("(10, 0.5, size=2)", "array([4, 7])"),
    "chisquare": ("(3.0, size=2).round(3)", "array([0.938, 0.799])"),
    "choice": ("(5, size=2)", "array([2, 1])"),
    "dirichlet": (
        "([1.0, 2.0], size=2).round(3)",
        "array([[0.21 , 0.79 ],\n       [0.142, 0.858]])",
    ),
    "exponential": ("(2.0, size=2).round(3)", "array([1.452, 3.642])"),
    "f": ("(3.0, 5.0, size=2).round(3)", "array([0.481, 0.227])"),
    "gamma": ("(2.0, size=2).round(3)", "array([0.794, 0.7  ])"),
    "geometric": ("(0.3, size=2)", "array([3, 1])"),
    "gumbel": ("(0.0, 1.0, size=2).round(3)", "array([ 0.32 , -0.599])"),
    "hypergeometric": ("(5, 5, 4, size=2)", "array([3, 3])"),
    "laplace": ("(0.0, 1.0, size=2).round(3)", "array([0.726, 1.821])"),
    "logistic": ("(0.0, 1.0, size=2).round(3)", "array([0.54, 1.28])"),
    "lognormal": ("(0.0, 0.5, size=2).round(3)", "array([1.226, 0.799])"),
    "logseries": ("(0.6, size=2)", "array([1, 1])"),
    "multinomial": ("(10, [0.5, 0.3, 0.2], size=2)", "array([[4, 2, 4],\n       [7, 3, 0]])"),
    "multivariate_hypergeometric": (
        "([4, 3, 2], 3, size=2)",
        "array([[1, 2, 0],\n       [2, 1, 0]])",
    ),
    "multivariate_normal": (
        "([0.0, 1.0], [[1.0, 0.5], [0.5, 2.0]], size=2).round(3)",
        "array([[-0.137,  1.713],\n       [ 0.581,  4.765]])",
    ),
    "negative_binomial": ("(3, 0.5, size=2)", "array([2, 1])"),
    "noncentral_chisquare": ("(3.0, 1.0, size=2).round(3)", "array([2.76 , 2.559])"),
    "noncentral_f": ("(3.0, 5.0, 1.0, size=2).round(3)", "array([1.509, 0.771])"),
    "normal": ("(5.0, 2.0, size=2).round(3)", "array([5.817, 4.102])"),
    "pareto": ("(3.0, size=2).round(3)", "array([0.274, 0.835])"),
    "poisson": ("(4.0, size=2)", "array([3, 5])"),
    "power": ("(2.0, size=2).round(3)", "array([0.696, 0.402])"),
    "rayleigh": ("(1.0, size=2).round(3)", "array([1.205, 1.908])"),
    "standard_cauchy": ("(size=2).round(3)", "array([ 0.222, -1.128])"),
    "standard_exponential": ("(size=2).round(3)", "array([0.726, 1.821])"),
    "standard_gamma": ("(2.0, size=2).round(3)", "array([0.794, 0.7  ])"),
    "standard_normal": ("(size=2).round(3)", "array([ 0.408, -0.449])"),
    "standard_t": ("(5.0, size=2).round(3)", "array([ 0.506, -0.414])"),
    "triangular": ("(0.0, 1.0, 4.0, size=2).round(3)", "array([3.245, 1.55 ])"),
    "uniform": ("(1.0, 3.0, size=2).round(3)", "array([2.905, 2.   ])"),
    "vonmises": ("(0.0, 2.0, size=2).round(3)", "array([0.39 , 0.319])"),
    "wald": ("(1.0, 2.0, size=2).round(3)", "array([1.333, 1.372])"),
    "weibull": ("(2.0, size=2).round(3)", "array([0.852, 1.349])"),
    "zipf": ("(3.0, size=2)", "array([2, 1])"),
    "random": ("(size=2).round(3)", "array([0.952, 0.5  ])"),
    "integers": ("(0, 10, size=2)", "array([5, 2])"),
    "bytes": ("(2)", "b'\\xaa\\x0e'"),
    "permuted": ("([1, 2, 3])", "array([1, 2, 3])"),
    "bit_generator": (
        ".random_raw(2)",
        "array([ 2301404705374736042, 11219093499739705743], dtype=uint64)",
    ),
    "spawn": ("(2)", "[Generator(Philox4x32), Generator(Philox4x32)]"),
}
_LEGACY: dict[str, tuple[str, str]] = {
    "beta": ("(2.0, 5.0, size=2).round(3)", "array([0.264, 0.188])"),
    "binomial": ("(10, 0.5, size=2)", "array([3, 6])"),
    "chisquare": ("(3.0, size=2).round(3)", "array([1.465, 1.01 ])"),
    "choice": ("(5, size=2)", "array([4, 1])"),
    "dirichlet": (
        "([1.0, 2.0], size=2).round(3)",
        "array([[0.058, 0.942],\n       [0.468, 0.532]])",
    ),
    "exponential": ("(2.0, size=2).round(3)", "array([0.159, 3.028])"),
    "f": ("(3.0, 5.0, size=2).round(3)", "array([1.017, 0.483])"),
    "gamma": ("(2.0, size=2).round(3)", "array([1.135, 0.842])"),
    "geometric": ("(0.3, size=2)", "array([1, 5])"),
    "gumbel": ("(0.0, 1.0, size=2).round(3)", "array([ 2.534, -0.415])"),
    "hypergeometric": ("(5, 5, 4, size=2)", "array([2, 2])"),
    "laplace": ("(0.0, 1.0, size=2).round(3)", "array([-1.88 ,  0.821])"),
    "logistic": ("(0.0, 1.0, size=2).round(3)", "array([-2.494,  1.265])"),
    "lognormal": ("(0.0, 0.5, size=2).round(3)", "array([2.329, 0.792])"),
    "logseries": ("(0.6, size=2)", "array([4, 2])"),
    "multinomial": ("(10, [0.5, 0.3, 0.2], size=2)", "array([[3, 3, 4],\n       [5, 2, 3]])"),
    "multivariate_normal": (
        "([0.0, 1.0], [[1.0, 0.5], [0.5, 2.0]], size=2).round(3)",
        "array([[0.578, 3.479],\n       [0.354, 0.906]])",
    ),
    "negative_binomial": ("(3, 0.5, size=2)", "array([1, 2])"),
    "noncentral_chisquare": ("(3.0, 1.0, size=2).round(3)", "array([0.62 , 8.608])"),
    "noncentral_f": ("(3.0, 5.0, 1.0, size=2).round(3)", "array([0.101, 0.662])"),
    "normal": ("(5.0, 2.0, size=2).round(3)", "array([8.381, 4.068])"),
    "pareto": ("(3.0, size=2).round(3)", "array([0.027, 0.656])"),
    "poisson": ("(4.0, size=2)", "array([5, 2])"),
    "power": ("(2.0, size=2).round(3)", "array([0.276, 0.883])"),
    "rayleigh": ("(1.0, size=2).round(3)", "array([0.398, 1.74 ])"),
    "standard_cauchy": ("(size=2).round(3)", "array([-3.628,  0.081])"),
    "standard_exponential": ("(size=2).round(3)", "array([0.079, 1.514])"),
    "standard_gamma": ("(2.0, size=2).round(3)", "array([1.135, 0.842])"),
    "standard_normal": ("(size=2).round(3)", "array([ 1.691, -0.466])"),
    "standard_t": ("(5.0, size=2).round(3)", "array([2.147, 0.044])"),
    "triangular": ("(0.0, 1.0, 4.0, size=2).round(3)", "array([0.552, 2.375])"),
    "uniform": ("(1.0, 3.0, size=2).round(3)", "array([1.153, 2.56 ])"),
    "vonmises": ("(0.0, 2.0, size=2).round(3)", "array([-0.084, -0.754])"),
    "wald": ("(1.0, 2.0, size=2).round(3)", "array([3.107, 0.72 ])"),
    "weibull": ("(2.0, size=2).round(3)", "array([0.282, 1.23 ])"),
    "zipf": ("(3.0, size=2)", "array([1, 1])"),
    "randint": ("(0, 10, size=2)", "array([4, 9])"),
    "random": ("(size=2).round(3)", "array([0.076, 0.78 ])"),
    "random_sample": ("(size=2).round(3)", "array([0.076, 0.78 ])"),
    "random_integers": ("(1, 6, size=2)", "array([5, 2])"),
    "tomaxint": ("(size=2)", "array([ 703819759469818466, 7193481211817497851])"),
    "bytes": ("(2)", "b'\\xaf\\xf0'"),
    "permutation": ("(3)", "array([2, 1, 0])"),
    "rand": ("(2).round(3)", "array([0.076, 0.78 ])"),
    "randn": ("(2).round(3)", "array([ 1.691, -0.466])"),
    "get_state": ("()[0]", "'MT19937'"),
}

# Methods that change what they are given, or the generator.
_SESSIONS = {
    "seed": """\
>>> state = px.random.RandomState(1)
>>> state.seed(7)
>>> state.randint(10) == px.random.RandomState(7).randint(10)
True""",
    "set_state": """\
>>> state = px.random.RandomState(7)
>>> before = state.get_state()
>>> first = state.randint(100)
>>> state.set_state(before)
>>> state.randint(100) == first
True""",
}


def _documented(doc: str, name: str, generator: str, table: dict[str, tuple[str, str]]) -> str:
    if name not in table:
        return doc
    follows, shown = table[name]
    return f"{doc.rstrip()}\n\n>>> {generator}.{name}{follows}\n{shown}\n"


def of_generator(name: str, doc: str) -> str:
    """The doc of a method of `Generator`, with its example."""
    return _documented(doc, name, "px.random.default_rng(7)", _COUNTED)


def of_legacy(name: str, doc: str) -> str:
    """The doc of a method of `RandomState`, with its example."""
    if name in _SESSIONS:
        return f"{doc}\n\n{_SESSIONS[name]}\n"
    return _documented(doc, name, "px.random.RandomState(7)", _LEGACY)
