"""What series and frames have in common: methods of columns over an index."""
