"""Reading and writing of rows and columns, by labels and by positions."""
