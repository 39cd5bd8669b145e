"""PyCUDA's own tests, with the import name `pycuda` served by Phalanx."""
