"""Methods that give other values for the same labels, element by element or along the rows."""
