"""Models with scikit-learn's contract, for CPU and GPU: what `phalanx.ml` shows."""
