"""What numba-cuda's own tests need around them to run on Phalanx; nothing of it is theirs."""
