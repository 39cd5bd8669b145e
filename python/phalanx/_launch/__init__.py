"""What kernels and CPU functions have in common: arguments, and compiled code by their types."""
