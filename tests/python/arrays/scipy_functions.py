"""Functions of SciPy's on arrays of ours and of NumPy's: prints what became of each, as JSON.

    SCIPY_ARRAY_API=1 python scipy_functions.py DEVICE

SciPy asks arrays for their namespace where that variable is set before it is imported.
"""

import json
import sys
import warnings

import numpy as np
import scipy.cluster.hierarchy as hc
import scipy.cluster.vq as vq
import scipy.differentiate as df
import scipy.fft as fft
import scipy.integrate as it
import scipy.ndimage as nd
import scipy.optimize.elementwise as oe
import scipy.signal as sg
import scipy.special as sp
import scipy.stats as st

import phalanx as px

random = np.random.default_rng(1)
x, y = random.random(50) + 0.1, random.random(50) + 0.1
m, img = random.random((6, 7)), random.random((16, 16))
counts = np.array([16.0, 18, 16, 14, 12, 12])

# `a` makes an array of numbers of NumPy's.
FUNCTIONS = {
    "stats.zscore": lambda a: st.zscore(a(m), axis=0),
    "stats.skew": lambda a: st.skew(a(x)),
    "stats.kurtosis": lambda a: st.kurtosis(a(x)),
    "stats.describe": lambda a: st.describe(a(x)).variance,
    "stats.ttest_1samp": lambda a: st.ttest_1samp(a(x), 0.5).pvalue,
    "stats.ttest_ind": lambda a: st.ttest_ind(a(x), a(y)).pvalue,
    "stats.ttest_rel": lambda a: st.ttest_rel(a(x), a(y)).pvalue,
    "stats.pearsonr": lambda a: st.pearsonr(a(x), a(y)).statistic,
    "stats.gmean": lambda a: st.gmean(a(x)),
    "stats.hmean": lambda a: st.hmean(a(x)),
    "stats.pmean": lambda a: st.pmean(a(x), 2),
    "stats.moment": lambda a: st.moment(a(x), 3),
    "stats.variation": lambda a: st.variation(a(x)),
    "stats.sem": lambda a: st.sem(a(x)),
    "stats.entropy": lambda a: st.entropy(a(x)),
    "stats.chisquare": lambda a: st.chisquare(a(counts)).pvalue,
    "stats.power_divergence": lambda a: st.power_divergence(a(counts)).pvalue,
    "stats.normaltest": lambda a: st.normaltest(a(x)).pvalue,
    "stats.skewtest": lambda a: st.skewtest(a(x)).pvalue,
    "stats.kurtosistest": lambda a: st.kurtosistest(a(x)).pvalue,
    "stats.jarque_bera": lambda a: st.jarque_bera(a(x)).pvalue,
    "stats.bartlett": lambda a: st.bartlett(a(x), a(y)).pvalue,
    "stats.tmean": lambda a: st.tmean(a(x), (0.2, 0.8)),
    "stats.tvar": lambda a: st.tvar(a(x), (0.2, 0.8)),
    "stats.combine_pvalues": lambda a: st.combine_pvalues(a(np.array([0.1, 0.2, 0.3]))).pvalue,
    "stats.rankdata": lambda a: st.rankdata(a(x)),
    "stats.trim_mean": lambda a: st.trim_mean(a(x), 0.1),
    "stats.iqr": lambda a: st.iqr(a(x)),
    "stats.boxcox_llf": lambda a: st.boxcox_llf(0.5, a(x)),
    "stats.circmean": lambda a: st.circmean(a(x)),
    "stats.kstat": lambda a: st.kstat(a(x)),
    "stats.gstd": lambda a: st.gstd(a(x)),
    "stats.quantile": lambda a: st.quantile(a(x), a(np.array(0.3))),
    "stats.directional_stats": lambda a: st.directional_stats(a(m)).mean_direction,
    "special.logsumexp": lambda a: sp.logsumexp(a(m), axis=1),
    "special.softmax": lambda a: sp.softmax(a(m), axis=1),
    "special.log_softmax": lambda a: sp.log_softmax(a(m), axis=1),
    "special.erf": lambda a: sp.erf(a(x)),
    "special.erfc": lambda a: sp.erfc(a(x)),
    "special.gammaln": lambda a: sp.gammaln(a(x)),
    "special.expit": lambda a: sp.expit(a(x)),
    "special.logit": lambda a: sp.logit(a(x)),
    "special.ndtr": lambda a: sp.ndtr(a(x)),
    "special.ndtri": lambda a: sp.ndtri(a(x * 0.8)),
    "special.entr": lambda a: sp.entr(a(x)),
    "special.rel_entr": lambda a: sp.rel_entr(a(x), a(y)),
    "special.xlogy": lambda a: sp.xlogy(a(x), a(y)),
    "special.i0": lambda a: sp.i0(a(x)),
    "special.gammainc": lambda a: sp.gammainc(a(x), a(y)),
    "special.betainc": lambda a: sp.betainc(a(x), a(y), a(x * 0.5)),
    "special.chdtr": lambda a: sp.chdtr(a(x), a(y)),
    "special.stdtr": lambda a: sp.stdtr(a(x), a(y)),
    "signal.detrend": lambda a: sg.detrend(a(x)),
    "signal.convolve": lambda a: sg.convolve(a(x), a(y)),
    "signal.fftconvolve": lambda a: sg.fftconvolve(a(x), a(y)),
    "signal.oaconvolve": lambda a: sg.oaconvolve(a(x), a(y)),
    "signal.correlate": lambda a: sg.correlate(a(x), a(y)),
    "signal.hilbert": lambda a: sg.hilbert(a(x)),
    "signal.resample": lambda a: sg.resample(a(x), 30),
    "signal.savgol_filter": lambda a: sg.savgol_filter(a(x), 5, 2),
    "signal.lfilter": lambda a: sg.lfilter(a(np.array([1.0, 0.5])), a(np.array([1.0])), a(x)),
    "signal.medfilt": lambda a: sg.medfilt(a(x)),
    "ndimage.gaussian_filter": lambda a: nd.gaussian_filter(a(img), 1.0),
    "ndimage.sobel": lambda a: nd.sobel(a(img)),
    "ndimage.median_filter": lambda a: nd.median_filter(a(img), 3),
    "ndimage.zoom": lambda a: nd.zoom(a(img), 2),
    "ndimage.rotate": lambda a: nd.rotate(a(img), 30),
    "ndimage.label": lambda a: nd.label(a(img) > 0.5)[0],
    "ndimage.binary_erosion": lambda a: nd.binary_erosion(a(img) > 0.3),
    "integrate.trapezoid": lambda a: it.trapezoid(a(x)),
    "integrate.cumulative_trapezoid": lambda a: it.cumulative_trapezoid(a(x)),
    "integrate.cubature": lambda a: (
        it.cubature(lambda t: t[:, 0] ** 2, a(np.array([0.0])), a(np.array([1.0]))).estimate
    ),
    "cluster.whiten": lambda a: vq.whiten(a(m)),
    "cluster.vq": lambda a: vq.vq(a(m), a(m[:2]))[1],
    "cluster.kmeans2": lambda a: vq.kmeans2(a(m), a(m[:2].copy()))[0],
    "cluster.linkage": lambda a: hc.linkage(a(m)),
    "fft.fft": lambda a: fft.fft(a(x)),
    "fft.rfft2": lambda a: fft.rfft2(a(m)),
    "fft.dct": lambda a: fft.dct(a(x)),
    "fft.fftshift": lambda a: fft.fftshift(a(x)),
    "differentiate.derivative": lambda a: df.derivative(lambda t: t**2, a(x)).df,
    "optimize.elementwise.find_root": lambda a: (
        oe.find_root(
            lambda t, b: t**2 - b,
            (a(np.zeros(3)), a(np.full(3, 3.0))),
            args=(a(np.array([1.0, 2, 3])),),
        ).x
    ),
}


def outcome(function):
    """Nothing where the results are the same, and ours an array of ours."""
    theirs = function(np.asarray)
    try:
        ours = function(px.asarray)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if not isinstance(ours, px.ndarray):
        return f"the result is a {type(ours).__name__}"
    same = np.allclose(np.asarray(ours), theirs, rtol=1e-7, atol=1e-10, equal_nan=True)
    return "" if same else f"{ours!r} instead of {theirs!r}"


def main():
    """Run all on the device that the command line names."""
    warnings.simplefilter("ignore")
    with px.device(sys.argv[1]):
        print(json.dumps({name: outcome(each) for name, each in FUNCTIONS.items()}))


if __name__ == "__main__":
    main()
