"""`Series.str` and `Index.str`: texts row by row, on all cores where the engine has the method."""
