"""What the site is made with: links, docstrings, public names, and tables of names in pages."""

from __future__ import annotations

import http.server
import re
import sys
import threading
from pathlib import Path

import pytest

import phalanx

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tools/docs_site")]
import docstrings  # noqa: E402
import external_links  # noqa: E402
import public_names  # noqa: E402
import samples  # noqa: E402
import site_links  # noqa: E402
import uses  # noqa: E402

LINKS = [
    # page, text, what it is on the site
    ("docs/tour.md", "[a](guide/run.md)", "[a](guide/run.md)"),
    ("docs/tour.md", "[`b.h`](../phalanx/ir/builder.h)", "[`b.h`](source/phalanx/ir/builder.h.md)"),
    ("docs/guide/run.md", "[s](../status.md#x)", "[s](../status.md#x)"),
    ("docs/guide/run.md", "[b](../../bench/results/)", "[b](../measurements/index.md)"),
    ("docs/tour.md", "[d](README.md)", "[d](index.md)"),
    ("docs/tour.md", "[e](../examples/)", "[e](source/examples.md)"),
    ("docs/site/index.md", "[w](../why.md)", "[w](why.md)"),
    ("docs/site/guides.md", "[c](../guide/cuda-c.md)", "[c](guide/cuda-c.md)"),
    ("docs/tour.md", "[x](https://a.b/c.md)", "[x](https://a.b/c.md)"),
    ("docs/tour.md", "`kernel[grid](tour.md)`", "`kernel[grid](tour.md)`"),
    ("docs/tour.md", "```\n[a](../README.md)\n```", "```\n[a](../README.md)\n```"),
    ("docs/tour.md", "[none](nowhere.md)", "[none](nowhere.md)"),
]


@pytest.mark.parametrize(("page", "text", "expected"), LINKS)
def test_links_lead_to_pages_of_the_site(page, text, expected):
    assert site_links.rewritten(text, page, ROOT, lambda _: None) == expected


def test_what_a_page_links_to_is_told():
    found = []
    site_links.rewritten("[a](../phalanx/LAYERS) [b](words.md)", "docs/tour.md", ROOT, found.append)
    assert found == ["phalanx/LAYERS", "docs/words.md"]


DOCSTRINGS = [
    ("A `sum` of ``x``.", "A {py:obj}`sum <phalanx.sum>` of `x`."),
    ("Takes *args and **options as they are.", "Takes \\*args and \\**options as they are."),
    (
        "First.\n\n    x = 1\n\n    y = 2\n\nLast.",
        "First.\n\n```python\nx = 1\n\ny = 2\n```\n\nLast.",
    ),
    ("So:\n\n    a b c", "So:\n\n```text\na b c\n```"),
    (">>> 1 + 1\n2", "```pycon\n>>> 1 + 1\n2\n```"),
    ("- one\n- two", "- one\n- two"),
    (
        "Args:\n    x, y: What `sum`\n        adds.\n    **more: The rest.",
        "**Args:**\n\n- `x, y`: What {py:obj}`sum <phalanx.sum>` adds.\n- `**more`: The rest.",
    ),
    ("Raises:\n    TypeError: `x` is none.", "**Raises:**\n\n- `TypeError`: `x` is none."),
    ("Returns:\n    A `sum`: of\n    all.", "**Returns:** A {py:obj}`sum <phalanx.sum>`: of\nall."),
    ("Examples\n--------\n\n>>> 1\n1", "**Examples**\n\n```pycon\n>>> 1\n1\n```"),
]


@pytest.mark.parametrize(("text", "expected"), DOCSTRINGS)
def test_docstrings_become_markdown(text, expected):
    known = {"sum": "phalanx.sum"}
    assert docstrings.markdown(text, known.get) == expected


class Server(http.server.BaseHTTPRequestHandler):
    """Knows no HEAD of /page, and nothing of /gone."""

    def do_HEAD(self):
        self.answer(405)

    def do_GET(self):
        self.answer(200 if self.path == "/page" else 404)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


def test_a_server_that_refuses_a_head_is_asked_for_the_page():
    with http.server.HTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        assert external_links.answer(f"{address}/page") == "200"
        assert external_links.answer(f"{address}/gone") == "404"
        server.shutdown()
    assert external_links.answer(f"{address}/page").startswith("no answer")


def test_names_are_those_that_are_resolved_when_asked_for():
    names = {each.name: each.kind for each in public_names.of_module("phalanx")}
    assert {"sin", "DataFrame", "njit", "asarray", "concat"} <= set(names)
    assert (names["DataFrame"], names["sin"]) == ("class", "function")
    assert not {"Any", "annotations", "importlib"} & set(names)


def test_a_member_is_one_of_the_class_that_has_it():
    error = public_names.Name("phalanx", "OutOfMemoryError", phalanx.OutOfMemoryError, "class")
    assert public_names.bases(error) == [phalanx.DeviceError]
    assert list(public_names.of_class(error)) == []


def test_programs_are_read_for_the_names_in_them():
    code = "import phalanx as px\nfrom phalanx import cuda\npx.fft.rfft(x).sum()\ncuda.jit\n"
    paths, attributes = uses.mentioned(code)
    assert {"phalanx.fft.rfft", "phalanx.cuda.jit"} <= paths
    assert "sum" in attributes


def variables_of_code():
    """Environment variables that the engine and the package read: texts with their whole name."""
    files = [*ROOT.glob("phalanx/**/*.cpp"), *ROOT.glob("phalanx/**/*.h")]
    files += [*ROOT.glob("phalanx/**/*.def"), *ROOT.glob("python/phalanx/**/*.py")]
    text = "\n".join(file.read_text() for file in files)
    return set(re.findall(r"[\"'](PHALANX_[A-Z_0-9]+)[\"']", text))


def test_the_page_has_every_environment_variable_and_no_other():
    page = (ROOT / "docs/environment.md").read_text()
    assert variables_of_code() == set(re.findall(r"PHALANX_[A-Z_0-9]+", page))


def test_every_public_name_has_a_docstring():
    import doc_coverage

    bare, *_, count = doc_coverage.missing()
    assert bare == []
    assert count > 3500


SHOWN = [
    ("cumsum", ">>> px.cumsum(px.asarray([3.0, 1.0, 2.0]))\narray([3., 4., 6.])"),
    ("save", ""),  # writes a file
    ("where_is_it", ""),  # is not there
]


@pytest.mark.parametrize(("name", "expected"), SHOWN)
def test_examples_of_the_reference_are_what_python_prints(name, expected):
    value = getattr(phalanx, name, lambda a: a)
    shown = samples.example(public_names.Name("phalanx", name, value, "function"))
    assert shown == expected


def test_methods_are_shown_without_their_own_object():
    found = {each.path: public_names.signature(each) for each in public_names.all_names()}
    assert found["phalanx.DataFrame.merge"].startswith("(right, how='inner'")
    assert found["phalanx.DataFrame.from_dict"].startswith("(data, ")
