"""The library that compiles CUDA C for phalanx, which loads it from this folder."""
