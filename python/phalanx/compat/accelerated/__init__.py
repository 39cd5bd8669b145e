"""scikit-learn's classes, fitted by Phalanx's models of the same names in an unchanged program.

``python -m phalanx run --accelerate sklearn script.py`` installs it. Each instance decides when it
is fitted: where Phalanx has not what its parameters ask for, it is scikit-learn's own.
"""

from __future__ import annotations

from .counts import Fits, clear, fits, report
from .hook import install, uninstall

__all__ = ("Fits", "clear", "fits", "install", "report", "uninstall")
