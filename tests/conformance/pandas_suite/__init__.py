"""What pandas' tests import: `pandas` answered by Phalanx, its helpers from the checkout."""
