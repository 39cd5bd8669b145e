"""The cell magic, in a shell that has what IPython's has of it."""

from __future__ import annotations

import sys
import types

import pytest
from phalanx._profile import magic


class Shell:
    """What the magic asks of a shell."""

    def __init__(self):
        self.user_ns = {}
        self.magics = {"cell": {}}
        self.magics_manager = self

    def register_magic_function(self, function, magic_kind):
        self.magics[magic_kind][function.__name__] = function

    def run_cell(self, cell):
        exec(compile(cell, "<cell>", "exec"), self.user_ns)


@pytest.fixture
def shell(monkeypatch):
    shown = []
    display = types.ModuleType("IPython.display")
    display.display = shown.append
    monkeypatch.setitem(sys.modules, "IPython", types.ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    made = Shell()
    made.shown = shown
    magic.register_magic(made)
    return made


def test_a_cell_is_run_and_its_profile_shown_and_kept(shell, tmp_path):
    run = shell.magics["cell"]["phalanx_profile"]
    page, trace = tmp_path / "a b.html", tmp_path / "trace.json"
    cell = "import phalanx as px\ntotal = float(px.ones(100).sum())"
    run(f"--html '{page}' --save {trace}", cell)
    assert shell.user_ns["total"] == 100
    (taken,) = shell.shown
    assert taken is shell.user_ns["phalanx_profile"]
    assert any(each.kind == "expression" for each in taken.records)
    assert page.read_text().startswith("<!doctype html>")
    assert trace.read_text().startswith("{")
    assert "<canvas" in taken._repr_html_()


def test_the_home_folder_is_found(shell, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    shell.magics["cell"]["phalanx_profile"]("--save ~/trace.json", "pass")
    assert (tmp_path / "trace.json").is_file()


@pytest.mark.parametrize("line", ["--csv x", "--html"])
def test_other_options_are_refused(shell, line):
    with pytest.raises(ValueError, match="usage: %%phalanx_profile"):
        shell.magics["cell"]["phalanx_profile"](line, "pass")


@pytest.mark.parametrize("option", ["--save", "--html"])
def test_a_folder_that_is_not_there_is_told_before_the_cell_runs(shell, option, tmp_path):
    with pytest.raises(FileNotFoundError, match=f"{option}: there is no folder .*make it first"):
        shell.magics["cell"]["phalanx_profile"](f"{option} '{tmp_path / 'no' / 'f'}'", "ran = 1")
    assert "ran" not in shell.user_ns


@pytest.mark.parametrize(("option", "file"), [("--save", "x.html"), ("--html", "x.json")])
def test_a_name_for_the_other_option_is_told_before_the_cell_runs(shell, option, file, tmp_path):
    with pytest.raises(ValueError, match="does not write"):
        shell.magics["cell"]["phalanx_profile"](f"{option} '{tmp_path / file}'", "ran = 1")
    assert "ran" not in shell.user_ns


def test_it_is_taken_away_again(shell):
    magic.remove_magic(shell)
    assert shell.magics["cell"] == {}
    magic.remove_magic(shell)
