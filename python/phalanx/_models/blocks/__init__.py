"""Models over samples in blocks, whatever keeps these: partial sums of blocks, added up."""
