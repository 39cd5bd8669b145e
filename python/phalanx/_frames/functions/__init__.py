"""Functions of columns, of rows and of elements that a program hands over."""
