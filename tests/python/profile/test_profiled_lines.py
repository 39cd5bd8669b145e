"""The lines of the program that records are of, where they are hard to tell."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import phalanx as px
from phalanx import _engine

SCRIPT = """
import phalanx as px
with px.profile() as p:
    float(px.sqrt(px.ones(1000) * 2).sum())
row = next(row for row in p.rows() if row.group == "expression")
print(row.sites[0].line, ascii(row.sites[0].file))
str(p), p.save("trace.json"), p.html("page.html")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_names_of_files_need_not_be_utf8(tmp_path):
    path = tmp_path / os.fsdecode(b"tile\xe9.py")
    path.write_text(SCRIPT)
    done = subprocess.run([sys.executable, path], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == b"4 'tile?.py'\n"


def test_a_thread_may_work_for_a_line_of_another():
    with px.profile() as p:
        site = _engine.profile_site()

        def work():
            with _engine.ProfileSite(site):
                float(px.sqrt(px.asarray(np.ones(1000)) * 3).sum())

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    lines = {each.site.line for each in p.records if each.kind == "expression"}
    assert lines == {work.__code__.co_firstlineno - 2}
    assert _engine.profile_site() == 0  # there is no profile
