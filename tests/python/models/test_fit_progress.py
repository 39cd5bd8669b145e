"""Bars of fits with `verbose`: on a terminal, below the lines, and gone at the end."""

import io
import os
import pty
import sys
import termios
import threading

import numpy as np
import pytest
from phalanx._core import progress_bar

from phalanx import ml

RANDOM = np.random.default_rng(2)
X = RANDOM.normal(size=(300, 4))
Y = X @ RANDOM.normal(size=4)
CLASSES = (Y > 0).astype(int)

# The model, its targets, and how far the bar goes at most.
FITS = {
    "KMeans": (ml.KMeans(3, random_state=0, verbose=1), None, "300 iterations at most"),
    "MiniBatchKMeans": (
        ml.MiniBatchKMeans(3, random_state=0, batch_size=50, verbose=1),
        None,
        "600 steps at most",
    ),
    "RandomForestClassifier": (
        ml.RandomForestClassifier(5, random_state=0, verbose=1),
        CLASSES,
        "5 trees",
    ),
    "ExtraTreesRegressor": (ml.ExtraTreesRegressor(5, random_state=0, verbose=1), Y, "5 trees"),
    "HistGradientBoostingRegressor": (
        ml.HistGradientBoostingRegressor(max_iter=4, verbose=1),
        Y,
        "4 iterations",
    ),
    "UMAP": (ml.UMAP(n_epochs=7, random_state=0, verbose=1), None, "7 epochs"),
    "TSNE": (ml.TSNE(max_iter=250, random_state=0, verbose=1), None, "250 iterations"),
    "SGDClassifier": (
        ml.SGDClassifier(max_iter=40, random_state=0, verbose=1),
        CLASSES,
        "40 epochs at most",
    ),
    "LassoCV": (ml.LassoCV(cv=3, verbose=1), Y, "3 folds"),
    "LogisticRegressionCV": (ml.LogisticRegressionCV(cv=3, verbose=1), CLASSES, "3 folds"),
}


class _Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def at_once(monkeypatch):
    """Bars that are shown in each step."""
    monkeypatch.setattr(progress_bar, "SILENT", -1.0)
    monkeypatch.setattr(progress_bar, "_AGAIN", -1.0)


def _fit(name):
    model, targets, _ = FITS[name]
    return model.fit(X) if targets is None else model.fit(X, targets)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FITS)
def test_a_bar_is_shown_on_a_terminal_and_goes(name, monkeypatch, capsys, at_once):
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    _fit(name)
    shown = [each for each in terminal.getvalue().split("\r") if each.startswith(name)]
    assert shown and all(f"of {FITS[name][2]}" in each for each in shown)
    shares = [int(each.split("] ")[1].split("%")[0]) for each in shown]
    assert shares == sorted(shares) and 0 < shares[-1] <= 100
    assert terminal.getvalue().endswith("\r\x1b[K")
    # Lines begin where the bar was, and are whole.
    assert capsys.readouterr().out.count("\n") > 0 or name == "UMAP"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FITS)
def test_lines_alone_where_there_is_no_terminal(name, monkeypatch, capsys, at_once):
    file = io.StringIO()
    monkeypatch.setattr(sys, "stderr", file)
    _fit(name)
    assert file.getvalue() == "" and capsys.readouterr().out.endswith("\n")


def test_a_fit_that_fails_leaves_no_bar(monkeypatch, at_once):
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    model = ml.SGDRegressor(verbose=1, random_state=0, learning_rate="constant", eta0=1e300)
    with pytest.raises(ValueError, match="overflow"):
        model.fit(X * 1e9, Y * 1e9)
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_a_line_takes_the_place_of_the_bar(monkeypatch, at_once):
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(sys, "stdout", terminal)
    ml.KMeans(3, random_state=0, verbose=1).fit(X)
    texts = terminal.getvalue().split("\r")
    assert len(texts) > 4
    for text in texts[1:]:
        assert (text.startswith("KMeans [") and "\n" not in text) or text.startswith("\x1b[K")
    assert sum("Iteration" in text for text in texts) > 2


def test_threads_beside_the_main_one_show_no_bar(monkeypatch, at_once):
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    thread = threading.Thread(target=ml.KMeans(3, random_state=0, verbose=1).fit, args=(X,))
    thread.start()
    thread.join()
    assert terminal.getvalue() == ""


def test_a_standard_error_that_is_closed_is_no_terminal(monkeypatch):
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr(sys, "stderr", closed)
    ml.KMeans(3, random_state=0, verbose=1).fit(X)


def test_nothing_is_shown_without_verbose_and_of_short_fits(monkeypatch, capsys):
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress_bar, "SILENT", 60)
    ml.KMeans(3, random_state=0).fit(X)
    assert capsys.readouterr().out == ""
    ml.KMeans(3, random_state=0, verbose=1).fit(X)
    assert terminal.getvalue() == ""  # half a second has not passed


@pytest.mark.parametrize("columns", [10, 30, 60, 80, 200])
def test_a_bar_has_room_in_its_terminal(monkeypatch, at_once, columns):
    """A line that reaches the last column is wrapped, and half of it stays."""
    monkeypatch.setattr(progress_bar, "_columns", lambda: max(columns, 20))
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    bar = progress_bar.ProgressBar("HistGradientBoostingClassifier", "iterations at most")
    for done in range(0, 1001, 100):
        bar(done, 1000)
    shown = terminal.getvalue().split("\r")[1:]
    assert len(shown) == 11 and max(map(len, shown)) < max(columns, 20)
    assert ("#" * 11 in shown[-1]) == (columns >= 80)


def test_the_width_is_that_of_the_terminal(monkeypatch):
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 57))
    with os.fdopen(slave, "w") as file:
        monkeypatch.setattr(sys, "stderr", file)
        assert progress_bar._columns() == 57
    os.close(master)
