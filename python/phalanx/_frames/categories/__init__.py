"""Categories as pandas' programs name them: `Categorical` and ``Series.cat``."""
