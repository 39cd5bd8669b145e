"""`phalanx run` where the package numba-cuda is installed too."""

from __future__ import annotations

import os

import pytest
from beside_numba import run

pytest.importorskip("numba", reason="what falls back needs Numba")

REDIRECTOR = """
import sys

class NumbaCudaFinder:
    def find_spec(self, name, path, target=None):
        if "numba.cuda" in name:
            for each in sys.meta_path:
                spec = each.find_spec(name, path, target)
                if spec is not None:
                    return spec

finder = NumbaCudaFinder()
sys.meta_path.insert(0, finder)
"""


def test_the_finder_of_numba_cuda_is_not_asked_for_ever(tmp_path):
    (tmp_path / "_numba_cuda_redirector.py").write_text(REDIRECTOR)
    (tmp_path / "sitecustomize.py").write_text("import _numba_cuda_redirector")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = run(
        """
        try:
            import numba.cuda.compiler.nothing
        except ModuleNotFoundError as error:
            print(error.name)
        """,
        PYTHONPATH=path,
    )
    assert done.lines == ["numba.cuda.compiler.nothing"], done.stderr
