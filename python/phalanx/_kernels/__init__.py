"""What ``cuda.jit`` makes: kernels, their options, and code that they are linked with."""
