"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.special."""

from typing import Any as _Any
from ._arrays.elementwise import sinc as sinc
from ._arrays.special import bdtr as bdtr
from ._arrays.special import bdtrc as bdtrc
from ._arrays.special import beta as beta
from ._arrays.special import betainc as betainc
from ._arrays.special import betaincc as betaincc
from ._arrays.special import betaln as betaln
from ._arrays.special import binom as binom
from ._arrays.special import boxcox as boxcox
from ._arrays.special import cbrt as cbrt
from ._arrays.special import chdtr as chdtr
from ._arrays.special import chdtrc as chdtrc
from ._arrays.special import digamma as _of_digamma
from ._arrays.special import digamma as digamma
from ._arrays.special import entr as entr
from ._arrays.special import erf as erf
from ._arrays.special import erfc as erfc
from ._arrays.special import erfcinv as erfcinv
from ._arrays.special import erfcx as erfcx
from ._arrays.special import erfinv as erfinv
from ._arrays.special import exp1 as exp1
from ._arrays.special import exp10 as exp10
from ._arrays.special import exp2 as exp2
from ._arrays.special import expi as expi
from ._arrays.special import expit as expit
from ._arrays.special import expm1 as expm1
from ._arrays.special import exprel as exprel
from ._arrays.special import fdtr as fdtr
from ._arrays.special import fdtrc as fdtrc
from ._arrays.special import gamma as gamma
from ._arrays.special import gammainc as gammainc
from ._arrays.special import gammaincc as gammaincc
from ._arrays.special import gammaln as gammaln
from ._arrays.special import gammasgn as gammasgn
from ._arrays.special import gdtr as gdtr
from ._arrays.special import gdtrc as gdtrc
from ._arrays.special import huber as huber
from ._arrays.special import i0 as i0
from ._arrays.special import i0e as i0e
from ._arrays.special import i1 as i1
from ._arrays.special import i1e as i1e
from ._arrays.special import inv_boxcox as inv_boxcox
from ._arrays.special import j0 as j0
from ._arrays.special import j1 as j1
from ._arrays.special import k0 as k0
from ._arrays.special import k0e as k0e
from ._arrays.special import k1 as k1
from ._arrays.special import k1e as k1e
from ._arrays.special import kl_div as kl_div
from ._arrays.special import log1p as log1p
from ._arrays.special import log_expit as log_expit
from ._arrays.special import log_ndtr as log_ndtr
from ._arrays.special import log_softmax as log_softmax
from ._arrays.special import logit as logit
from ._arrays.special import logsumexp as logsumexp
from ._arrays.special import nbdtr as nbdtr
from ._arrays.special import nbdtrc as nbdtrc
from ._arrays.special import ndtr as ndtr
from ._arrays.special import ndtri as ndtri
from ._arrays.special import pdtr as pdtr
from ._arrays.special import pdtrc as pdtrc
from ._arrays.special import rel_entr as rel_entr
from ._arrays.special import rgamma as rgamma
from ._arrays.special import sici as sici
from ._arrays.special import softmax as softmax
from ._arrays.special import stdtr as stdtr
from ._arrays.special import xlog1py as xlog1py
from ._arrays.special import xlogy as xlogy
from ._arrays.special import y0 as y0
from ._arrays.special import y1 as y1

def SpecialFunctionError(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.SpecialFunctionError`, which computes it on the host."""
def SpecialFunctionWarning(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.SpecialFunctionWarning`, which computes it on the host."""
def agm(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.agm`, which computes it on the host."""
def ai_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ai_zeros`, which computes it on the host."""
def airy(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.airy`, which computes it on the host."""
def airye(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.airye`, which computes it on the host."""
def assoc_laguerre(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.assoc_laguerre`, which computes it on the host."""
def assoc_legendre_p(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.assoc_legendre_p`, which computes it on the host."""
def assoc_legendre_p_all(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.assoc_legendre_p_all`, which computes it on the host."""
def bdtri(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.bdtri`, which computes it on the host."""
def bdtrik(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.bdtrik`, which computes it on the host."""
def bdtrin(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.bdtrin`, which computes it on the host."""
def bei(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.bei`, which computes it on the host."""
def bei_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.bei_zeros`, which computes it on the host."""
def beip(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.beip`, which computes it on the host."""
def beip_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.beip_zeros`, which computes it on the host."""
def ber(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ber`, which computes it on the host."""
def ber_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ber_zeros`, which computes it on the host."""
def bernoulli(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.bernoulli`, which computes it on the host."""
def berp(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.berp`, which computes it on the host."""
def berp_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.berp_zeros`, which computes it on the host."""
def besselpoly(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.besselpoly`, which computes it on the host."""
def betainccinv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.betainccinv`, which computes it on the host."""
def betaincinv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.betaincinv`, which computes it on the host."""
def bi_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.bi_zeros`, which computes it on the host."""
def boxcox1p(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.boxcox1p`, which computes it on the host."""
def btdtria(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.btdtria`, which computes it on the host."""
def btdtrib(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.btdtrib`, which computes it on the host."""
def c_roots(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.c_roots`, which computes it on the host."""
def cg_roots(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.cg_roots`, which computes it on the host."""
def chdtri(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.chdtri`, which computes it on the host."""
def chdtriv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.chdtriv`, which computes it on the host."""
def chebyc(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.chebyc`, which computes it on the host."""
def chebys(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.chebys`, which computes it on the host."""
def chebyt(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.chebyt`, which computes it on the host."""
def chebyu(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.chebyu`, which computes it on the host."""
def chndtr(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.chndtr`, which computes it on the host."""
def chndtridf(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.chndtridf`, which computes it on the host."""
def chndtrinc(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.chndtrinc`, which computes it on the host."""
def chndtrix(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.chndtrix`, which computes it on the host."""
def comb(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.comb`, which computes it on the host."""
def cosdg(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.cosdg`, which computes it on the host."""
def cosm1(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.cosm1`, which computes it on the host."""
def cotdg(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.cotdg`, which computes it on the host."""
def dawsn(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.dawsn`, which computes it on the host."""
def diric(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.diric`, which computes it on the host."""
def ellip_harm(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ellip_harm`, which computes it on the host."""
def ellip_harm_2(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ellip_harm_2`, which computes it on the host."""
def ellip_normal(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ellip_normal`, which computes it on the host."""
def ellipe(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ellipe`, which computes it on the host."""
def ellipeinc(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ellipeinc`, which computes it on the host."""
def ellipj(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ellipj`, which computes it on the host."""
def ellipk(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ellipk`, which computes it on the host."""
def ellipkinc(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ellipkinc`, which computes it on the host."""
def ellipkm1(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ellipkm1`, which computes it on the host."""
def elliprc(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.elliprc`, which computes it on the host."""
def elliprd(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.elliprd`, which computes it on the host."""
def elliprf(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.elliprf`, which computes it on the host."""
def elliprg(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.elliprg`, which computes it on the host."""
def elliprj(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.elliprj`, which computes it on the host."""
def erf_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.erf_zeros`, which computes it on the host."""
def erfi(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.erfi`, which computes it on the host."""
def errstate(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.errstate`, which computes it on the host."""
def euler(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.euler`, which computes it on the host."""
def eval_chebyc(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.eval_chebyc`, which computes it on the host."""
def eval_chebys(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.eval_chebys`, which computes it on the host."""
def eval_chebyt(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.eval_chebyt`, which computes it on the host."""
def eval_chebyu(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.eval_chebyu`, which computes it on the host."""
def eval_gegenbauer(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.eval_gegenbauer`, which computes it on the host."""
def eval_genlaguerre(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.eval_genlaguerre`, which computes it on the host."""
def eval_hermite(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.eval_hermite`, which computes it on the host."""
def eval_hermitenorm(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.eval_hermitenorm`, which computes it on the host."""
def eval_jacobi(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.eval_jacobi`, which computes it on the host."""
def eval_laguerre(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.eval_laguerre`, which computes it on the host."""
def eval_legendre(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.eval_legendre`, which computes it on the host."""
def eval_sh_chebyt(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.eval_sh_chebyt`, which computes it on the host."""
def eval_sh_chebyu(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.eval_sh_chebyu`, which computes it on the host."""
def eval_sh_jacobi(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.eval_sh_jacobi`, which computes it on the host."""
def eval_sh_legendre(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.eval_sh_legendre`, which computes it on the host."""
def expn(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.expn`, which computes it on the host."""
def factorial(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.factorial`, which computes it on the host."""
def factorial2(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.factorial2`, which computes it on the host."""
def factorialk(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.factorialk`, which computes it on the host."""
def fdtri(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.fdtri`, which computes it on the host."""
def fdtridfd(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.fdtridfd`, which computes it on the host."""
def fresnel(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.fresnel`, which computes it on the host."""
def fresnel_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.fresnel_zeros`, which computes it on the host."""
def fresnelc_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.fresnelc_zeros`, which computes it on the host."""
def fresnels_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.fresnels_zeros`, which computes it on the host."""
def gammainccinv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.gammainccinv`, which computes it on the host."""
def gammaincinv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.gammaincinv`, which computes it on the host."""
def gdtria(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.gdtria`, which computes it on the host."""
def gdtrib(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.gdtrib`, which computes it on the host."""
def gdtrix(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.gdtrix`, which computes it on the host."""
def gegenbauer(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.gegenbauer`, which computes it on the host."""
def genlaguerre(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.genlaguerre`, which computes it on the host."""
def geterr(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.geterr`, which computes it on the host."""
def h1vp(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.h1vp`, which computes it on the host."""
def h2vp(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.h2vp`, which computes it on the host."""
def h_roots(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.h_roots`, which computes it on the host."""
def hankel1(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.hankel1`, which computes it on the host."""
def hankel1e(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.hankel1e`, which computes it on the host."""
def hankel2(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.hankel2`, which computes it on the host."""
def hankel2e(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.hankel2e`, which computes it on the host."""
def he_roots(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.he_roots`, which computes it on the host."""
def hermite(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.hermite`, which computes it on the host."""
def hermitenorm(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.hermitenorm`, which computes it on the host."""
def hyp0f1(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.hyp0f1`, which computes it on the host."""
def hyp1f1(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.hyp1f1`, which computes it on the host."""
def hyp2f1(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.hyp2f1`, which computes it on the host."""
def hyperu(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.hyperu`, which computes it on the host."""
def inv_boxcox1p(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.inv_boxcox1p`, which computes it on the host."""
def it2i0k0(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.it2i0k0`, which computes it on the host."""
def it2j0y0(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.it2j0y0`, which computes it on the host."""
def it2struve0(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.it2struve0`, which computes it on the host."""
def itairy(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.itairy`, which computes it on the host."""
def iti0k0(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.iti0k0`, which computes it on the host."""
def itj0y0(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.itj0y0`, which computes it on the host."""
def itmodstruve0(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.itmodstruve0`, which computes it on the host."""
def itstruve0(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.itstruve0`, which computes it on the host."""
def iv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.iv`, which computes it on the host."""
def ive(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ive`, which computes it on the host."""
def ivp(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ivp`, which computes it on the host."""
def j_roots(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.j_roots`, which computes it on the host."""
def jacobi(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.jacobi`, which computes it on the host."""
def jn(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.jn`, which computes it on the host."""
def jn_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.jn_zeros`, which computes it on the host."""
def jnjnp_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.jnjnp_zeros`, which computes it on the host."""
def jnp_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.jnp_zeros`, which computes it on the host."""
def jnyn_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.jnyn_zeros`, which computes it on the host."""
def js_roots(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.js_roots`, which computes it on the host."""
def jv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.jv`, which computes it on the host."""
def jve(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.jve`, which computes it on the host."""
def jvp(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.jvp`, which computes it on the host."""
def kei(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.kei`, which computes it on the host."""
def kei_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.kei_zeros`, which computes it on the host."""
def keip(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.keip`, which computes it on the host."""
def keip_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.keip_zeros`, which computes it on the host."""
def kelvin(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.kelvin`, which computes it on the host."""
def kelvin_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.kelvin_zeros`, which computes it on the host."""
def ker(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ker`, which computes it on the host."""
def ker_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ker_zeros`, which computes it on the host."""
def kerp(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.kerp`, which computes it on the host."""
def kerp_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.kerp_zeros`, which computes it on the host."""
def kn(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.kn`, which computes it on the host."""
def kolmogi(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.kolmogi`, which computes it on the host."""
def kolmogorov(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.kolmogorov`, which computes it on the host."""
def kv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.kv`, which computes it on the host."""
def kve(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.kve`, which computes it on the host."""
def kvp(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.kvp`, which computes it on the host."""
def l_roots(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.l_roots`, which computes it on the host."""
def la_roots(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.la_roots`, which computes it on the host."""
def laguerre(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.laguerre`, which computes it on the host."""
def lambertw(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.lambertw`, which computes it on the host."""
def legendre(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.legendre`, which computes it on the host."""
def legendre_p(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.legendre_p`, which computes it on the host."""
def legendre_p_all(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.legendre_p_all`, which computes it on the host."""
def lmbda(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.lmbda`, which computes it on the host."""
def log_wright_bessel(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.log_wright_bessel`, which computes it on the host."""
def loggamma(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.loggamma`, which computes it on the host."""
def lpmv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.lpmv`, which computes it on the host."""
def lqmn(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.lqmn`, which computes it on the host."""
def lqn(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.lqn`, which computes it on the host."""
def mathieu_a(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.mathieu_a`, which computes it on the host."""
def mathieu_b(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.mathieu_b`, which computes it on the host."""
def mathieu_cem(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.mathieu_cem`, which computes it on the host."""
def mathieu_even_coef(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.mathieu_even_coef`, which computes it on the host."""
def mathieu_modcem1(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.mathieu_modcem1`, which computes it on the host."""
def mathieu_modcem2(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.mathieu_modcem2`, which computes it on the host."""
def mathieu_modsem1(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.mathieu_modsem1`, which computes it on the host."""
def mathieu_modsem2(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.mathieu_modsem2`, which computes it on the host."""
def mathieu_odd_coef(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.mathieu_odd_coef`, which computes it on the host."""
def mathieu_sem(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.mathieu_sem`, which computes it on the host."""
def modfresnelm(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.modfresnelm`, which computes it on the host."""
def modfresnelp(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.modfresnelp`, which computes it on the host."""
def modstruve(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.modstruve`, which computes it on the host."""
def multigammaln(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.multigammaln`, which computes it on the host."""
def nbdtri(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.nbdtri`, which computes it on the host."""
def nbdtrik(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.nbdtrik`, which computes it on the host."""
def nbdtrin(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.nbdtrin`, which computes it on the host."""
def ncfdtr(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ncfdtr`, which computes it on the host."""
def ncfdtri(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ncfdtri`, which computes it on the host."""
def ncfdtridfd(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ncfdtridfd`, which computes it on the host."""
def ncfdtridfn(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ncfdtridfn`, which computes it on the host."""
def ncfdtrinc(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ncfdtrinc`, which computes it on the host."""
def nctdtr(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.nctdtr`, which computes it on the host."""
def nctdtridf(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.nctdtridf`, which computes it on the host."""
def nctdtrinc(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.nctdtrinc`, which computes it on the host."""
def nctdtrit(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.nctdtrit`, which computes it on the host."""
def ndtri_exp(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ndtri_exp`, which computes it on the host."""
def nrdtrimn(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.nrdtrimn`, which computes it on the host."""
def nrdtrisd(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.nrdtrisd`, which computes it on the host."""
def obl_ang1(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.obl_ang1`, which computes it on the host."""
def obl_ang1_cv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.obl_ang1_cv`, which computes it on the host."""
def obl_cv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.obl_cv`, which computes it on the host."""
def obl_cv_seq(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.obl_cv_seq`, which computes it on the host."""
def obl_rad1(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.obl_rad1`, which computes it on the host."""
def obl_rad1_cv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.obl_rad1_cv`, which computes it on the host."""
def obl_rad2(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.obl_rad2`, which computes it on the host."""
def obl_rad2_cv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.obl_rad2_cv`, which computes it on the host."""
def owens_t(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.owens_t`, which computes it on the host."""
def p_roots(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.p_roots`, which computes it on the host."""
def pbdn_seq(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.pbdn_seq`, which computes it on the host."""
def pbdv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.pbdv`, which computes it on the host."""
def pbdv_seq(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.pbdv_seq`, which computes it on the host."""
def pbvv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.pbvv`, which computes it on the host."""
def pbvv_seq(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.pbvv_seq`, which computes it on the host."""
def pbwa(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.pbwa`, which computes it on the host."""
def pdtri(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.pdtri`, which computes it on the host."""
def pdtrik(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.pdtrik`, which computes it on the host."""
def perm(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.perm`, which computes it on the host."""
def poch(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.poch`, which computes it on the host."""
def polygamma(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.polygamma`, which computes it on the host."""
def powm1(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.powm1`, which computes it on the host."""
def pro_ang1(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.pro_ang1`, which computes it on the host."""
def pro_ang1_cv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.pro_ang1_cv`, which computes it on the host."""
def pro_cv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.pro_cv`, which computes it on the host."""
def pro_cv_seq(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.pro_cv_seq`, which computes it on the host."""
def pro_rad1(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.pro_rad1`, which computes it on the host."""
def pro_rad1_cv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.pro_rad1_cv`, which computes it on the host."""
def pro_rad2(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.pro_rad2`, which computes it on the host."""
def pro_rad2_cv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.pro_rad2_cv`, which computes it on the host."""
def ps_roots(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ps_roots`, which computes it on the host."""
def pseudo_huber(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.pseudo_huber`, which computes it on the host."""
psi = _of_digamma
def radian(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.radian`, which computes it on the host."""
def riccati_jn(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.riccati_jn`, which computes it on the host."""
def riccati_yn(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.riccati_yn`, which computes it on the host."""
def roots_chebyc(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.roots_chebyc`, which computes it on the host."""
def roots_chebys(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.roots_chebys`, which computes it on the host."""
def roots_chebyt(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.roots_chebyt`, which computes it on the host."""
def roots_chebyu(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.roots_chebyu`, which computes it on the host."""
def roots_gegenbauer(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.roots_gegenbauer`, which computes it on the host."""
def roots_genlaguerre(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.roots_genlaguerre`, which computes it on the host."""
def roots_hermite(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.roots_hermite`, which computes it on the host."""
def roots_hermitenorm(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.roots_hermitenorm`, which computes it on the host."""
def roots_jacobi(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.roots_jacobi`, which computes it on the host."""
def roots_laguerre(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.roots_laguerre`, which computes it on the host."""
def roots_legendre(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.roots_legendre`, which computes it on the host."""
def roots_sh_chebyt(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.roots_sh_chebyt`, which computes it on the host."""
def roots_sh_chebyu(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.roots_sh_chebyu`, which computes it on the host."""
def roots_sh_jacobi(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.roots_sh_jacobi`, which computes it on the host."""
def roots_sh_legendre(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.roots_sh_legendre`, which computes it on the host."""
def round(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.round`, which computes it on the host."""
def s_roots(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.s_roots`, which computes it on the host."""
def seterr(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.seterr`, which computes it on the host."""
def sh_chebyt(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.sh_chebyt`, which computes it on the host."""
def sh_chebyu(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.sh_chebyu`, which computes it on the host."""
def sh_jacobi(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.sh_jacobi`, which computes it on the host."""
def sh_legendre(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.sh_legendre`, which computes it on the host."""
def shichi(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.shichi`, which computes it on the host."""
def sindg(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.sindg`, which computes it on the host."""
def smirnov(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.smirnov`, which computes it on the host."""
def smirnovi(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.smirnovi`, which computes it on the host."""
def softplus(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.softplus`, which computes it on the host."""
def spence(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.spence`, which computes it on the host."""
def sph_harm_y(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.sph_harm_y`, which computes it on the host."""
def sph_harm_y_all(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.sph_harm_y_all`, which computes it on the host."""
def sph_legendre_p(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.sph_legendre_p`, which computes it on the host."""
def sph_legendre_p_all(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.sph_legendre_p_all`, which computes it on the host."""
def spherical_in(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.spherical_in`, which computes it on the host."""
def spherical_jn(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.spherical_jn`, which computes it on the host."""
def spherical_kn(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.spherical_kn`, which computes it on the host."""
def spherical_yn(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.spherical_yn`, which computes it on the host."""
def stdtridf(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.stdtridf`, which computes it on the host."""
def stdtrit(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.stdtrit`, which computes it on the host."""
def stirling2(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.stirling2`, which computes it on the host."""
def struve(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.struve`, which computes it on the host."""
def t_roots(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.t_roots`, which computes it on the host."""
def tandg(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.tandg`, which computes it on the host."""
def tklmbda(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.tklmbda`, which computes it on the host."""
def ts_roots(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ts_roots`, which computes it on the host."""
def u_roots(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.u_roots`, which computes it on the host."""
def us_roots(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.us_roots`, which computes it on the host."""
def voigt_profile(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.voigt_profile`, which computes it on the host."""
def wofz(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.wofz`, which computes it on the host."""
def wright_bessel(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.wright_bessel`, which computes it on the host."""
def wrightomega(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.wrightomega`, which computes it on the host."""
def y0_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.y0_zeros`, which computes it on the host."""
def y1_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.y1_zeros`, which computes it on the host."""
def y1p_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.y1p_zeros`, which computes it on the host."""
def yn(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.yn`, which computes it on the host."""
def yn_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.yn_zeros`, which computes it on the host."""
def ynp_zeros(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.ynp_zeros`, which computes it on the host."""
def yv(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.yv`, which computes it on the host."""
def yve(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.yve`, which computes it on the host."""
def yvp(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.yvp`, which computes it on the host."""
def zeta(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.zeta`, which computes it on the host."""
def zetac(*args: _Any, **kwargs: _Any) -> _Any:
    """As `scipy.special.zetac`, which computes it on the host."""
