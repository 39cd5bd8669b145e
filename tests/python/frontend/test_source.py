"""Finding a function's source, wherever it was defined."""

from __future__ import annotations

import importlib
import inspect
import linecache
import pkgutil
import re
import sys
import textwrap
import types

import numpy as np
import pytest

from phalanx import _frontend, _library, cuda, errors, njit


def run(function, *arguments):
    called = cuda.jit(device=True)(function)

    @cuda.jit
    def kernel(out, a):
        out[0] = called(a)

    out = np.zeros(1)
    kernel[1, 1](out, *arguments)
    return out[0]


def defined(text, name="<cell 1>", **names):
    """What a notebook does: code under a made-up name, with its text in linecache."""
    text = textwrap.dedent(text)
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, "exec"), names)
    return names


def decorator(*_, **__):
    return lambda function: function


# fmt: off
@decorator(
    1,
    key=(
        2
    ),
)
@decorator()
def decorated(x):
    # comment

    """text"""
    if x:
# a comment at the margin
        x += 1

    return x + 1  # the last line


def with_text_at_the_margin(x):
    text = """
at the margin
"""
    return x + len(text)


def with_brackets_at_the_margin(
    x,
    y=(
1
    ),
):
    return (
x
+ y)


class Holder:
    @staticmethod
    def method(x):
        return x * 3

    if sys.version_info:

        def nested_method(x):
            return x * 5


one_liner = lambda x: x * 2 + 1  # noqa: E731
two, three = (lambda x: x * 2), (lambda x: x * 3)
over_lines = (  # noqa: E731
    lambda x:
    x
    + 4
)
# fmt: on


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (decorated, 6),
        (with_text_at_the_margin, 4 + len("\nat the margin\n")),
        (with_brackets_at_the_margin, 5),
        (Holder.method, 12),
        (Holder.nested_method, 20),
        (one_liner, 9),
        (two, 8),
        (three, 12),
        (over_lines, 8),
    ],
)
def test_functions_in_files(function, expected):
    assert run(function, 4) == expected


def test_functions_in_functions_see_their_variables():
    offset = 10

    def inner(x):
        return x + offset

    assert run(inner, 4) == 14


def test_notebook_cells_and_exec_with_a_text_in_linecache():
    names = defined(
        """
        x = 1
        def first(x):
            return x + 1

        def second(x): return x + 2
        third = lambda x: x + 3
        """
    )
    assert run(names["first"], 4) == 5
    assert run(names["second"], 4) == 6
    assert run(names["third"], 4) == 7


def test_functions_of_exec_without_a_module_name_call_each_other():
    text = "def one(x):\n    return x + 1\ndef two(x):\n    return 2 * one(x)\n"
    linecache.cache["<nameless>"] = (len(text), None, text.splitlines(keepends=True), "<nameless>")
    names = {}
    exec(compile(text, "<nameless>", "exec"), names)
    assert run(names["two"], 3) == 8


def test_a_cell_run_again_gives_the_new_text():
    assert run(defined("def f(x):\n    return x + 1\n")["f"], 1) == 2
    assert run(defined("def f(x):\n\n    return x + 2\n")["f"], 1) == 3


def test_lambdas_beside_others_with_defaults_are_found():
    first, second = (lambda x, y=2: x + y), (lambda x: x * 5)
    assert [run(first, 1), run(second, 1)] == [3, 5]


def test_no_source_says_so():
    names = {}
    exec("def lost(x):\n    with x:\n        return x", names)
    with pytest.raises(errors.UnsupportedError, match="source of lost cannot be found"):
        run(names["lost"], 1)


def test_lines_point_into_the_file():
    found = _frontend.source(decorated)
    lines = found.text.splitlines()
    first = decorated.__code__.co_firstlineno
    assert found.first_line == first
    assert lines[0] == "@decorator("
    assert lines[-1] == "    return x + 1  # the last line"
    assert found.node.lineno + found.line_shift == first + lines.index("def decorated(x):")


def test_an_error_in_an_indented_function_names_its_own_line():
    def wrong(x):
        # fmt: off
        return (
            x
            + missing  # noqa: F821
        )
        # fmt: on

    with pytest.raises(errors.TypingError) as caught:
        run(wrong, 1)
    line = wrong.__code__.co_firstlineno + 4
    assert f"{__file__}:{line}: in device function wrong" in str(caught.value)
    assert "            + missing  # noqa: F821\n              ^^^^^^^\n" in str(caught.value)


def test_reading_a_source_imports_neither_inspect_nor_numpy(run_python):
    code = """
        import sys
        before = set(sys.modules)  # the interpreter's own start may have loaded some
        from phalanx import _frontend

        def f(x):
            return x
        _frontend.source(f)
        _frontend.fingerprint(f)
        new = set(sys.modules) - before
        # From Python 3.14 on functools imports annotationlib, and that ast.
        rest = () if "annotationlib" in new else ("ast",)
        print([name for name in ("inspect", "numpy", *rest) if name in new])
        """
    done = run_python(textwrap.dedent(code))
    assert done.stdout == "[]\n"


def test_lambdas_on_one_line_are_functions_of_their_own():
    # fmt: off
    more, less, other = (lambda x, y: x + y), (lambda x, y: x - y), (lambda x, y: x + y + 1)
    ops = {"lt": lambda a, b: a < b, "gt": lambda a, b: a > b, "1": lambda a, b: a > 3}
    # fmt: on
    assert [njit(each)(5, 3) for each in (more, less, other)] == [8, 2, 9]
    assert [njit(each)(4, 7) for each in ops.values()] == [each(4, 7) for each in ops.values()]


EDITED = "from phalanx import njit\n@njit\ndef f(x):\n    return x + 1\n"


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (lambda text: text.replace("x + 1", "x + 1000"), "has changed"),
        (lambda text: text.replace("+", "-"), "has changed"),
        (lambda text: text.replace("x + 1", "x + y"), "has changed"),
        (lambda text: text.replace("def f(x)", "def f(x"), "has changed"),
        (lambda text: text.replace("@njit", "@njit\n\n"), "2"),
        (lambda text: "import os\n\n" + text + "# more\n", "2"),
        (lambda text: "\0\xff\x80", "2"),
        (lambda text: "", "2"),
    ],
)
def test_a_file_that_is_edited_after_its_import(run_python, tmp_path, edit, expected):
    module = tmp_path / "edited.py"
    module.write_text(EDITED)
    call = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import edited"
    code = f"""
        {call}
        with open(edited.__file__, "w", encoding="latin-1") as file:
            file.write({edit(EDITED)!r})
        try:
            print(edited.f(1))
        except Exception as error:
            print(error)
        """
    done = run_python(textwrap.dedent(code))
    assert expected in done.stdout, done.stdout
    module.write_text(EDITED)
    assert run_python(f"{call}; print(edited.f(1))").stdout.strip() == "2"


def test_places_are_those_of_the_import_where_a_file_was_edited_above(run_python, tmp_path):
    module = tmp_path / "moved.py"
    text = "from phalanx import njit\n@njit\ndef f(x):\n    if x:\n        raise ValueError('v')\n"
    module.write_text(text)
    code = f"""
        import sys; sys.path.insert(0, {str(tmp_path)!r}); import moved
        if EDIT:
            with open(moved.__file__, "w") as file:
                file.write("import os\\n" * 7 + {text!r})
        try:
            moved.f(1)
        except ValueError as error:
            print(error.__notes__)
        """
    notes = []
    for edit in (True, False):
        notes.append(run_python(textwrap.dedent(code).replace("EDIT", str(edit))).stdout)
        module.write_text(text)
    assert notes == [f"['raised at {module}:5']\n"] * 2


def rewritten_by_pytest(x):
    assert x == 1 + 2
    return x + 101


@pytest.mark.parametrize(
    ("old", "new", "is_refused"),
    [("101", "202", True), ("return x", "return y", True), ("== 1 + 2", "== 4 - 1", False)],
)
def test_code_that_pytest_rewrote_is_compared_outside_of_its_asserts(old, new, is_refused):
    from phalanx._frontend import sources

    code = rewritten_by_pytest.__code__
    assert any(name.startswith("@") for name in (*code.co_names, *code.co_varnames))
    text = inspect.getsource(rewritten_by_pytest)
    lines = ["\n"] * (code.co_firstlineno - 1) + text.replace(old, new).splitlines(keepends=True)
    assert sources._found(code, ["\n"] * (code.co_firstlineno - 1) + [text]) is not None
    assert (sources._found(code, lines) is None) == is_refused


NOT_COMPILED = (
    inspect.CO_VARARGS
    | inspect.CO_VARKEYWORDS
    | inspect.CO_GENERATOR
    | inspect.CO_COROUTINE
    | inspect.CO_ASYNC_GENERATOR
)


def _functions_of(module):
    for each in vars(module).values():
        function = getattr(each, "py_func", each)
        if (
            isinstance(function, types.FunctionType)
            and function.__module__ == module.__name__
            and function.__name__ != "__annotate__"  # of the module, from Python 3.14 on
            and not function.__code__.co_flags & NOT_COMPILED
            and not function.__kwdefaults__
        ):
            yield function


# What Python itself was written in, and what we hand to the compiler: all that a version's code
# objects can be made of. Each version calls attributes of imported modules in its own way.
@pytest.mark.parametrize(
    "name",
    [
        *(f"phalanx._library.{each.name}" for each in pkgutil.iter_modules(_library.__path__)),
        *("argparse", "ast", "colorsys", "fractions", "inspect", "random", "statistics"),
        "numpy.lib._function_base_impl",
    ],
)
def test_every_function_of_a_module_is_found_in_its_text(name):
    module = importlib.import_module(name)
    for function in _functions_of(module):
        found = _frontend.source(function)
        assert found.node.name == function.__name__
        assert found.text.count(f"def {function.__name__}(") == 1, found.text


GONE = """
import os, sys
sys.path.insert(0, {folder!r})
import edited, edited_kernel
os.remove(edited.__file__)
{more}
for call in (lambda: edited.f(1), lambda: edited_kernel.run()):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, error)
"""
KERNEL = """
import numpy as np
from phalanx import cuda
@cuda.jit
def k(out):
    out[0] = 2
def run():
    out = np.zeros(1)
    k[1, 1](out)
    return int(out[0])
"""


@pytest.mark.parametrize(
    "more",
    [
        "os.remove(edited_kernel.__file__)",
        "os.remove(edited_kernel.__file__); os.mkdir(edited_kernel.__file__)",
        "os.chmod(edited_kernel.__file__, 0)",
        "open(edited_kernel.__file__, 'wb').write(bytes(range(256)) * 9)",
    ],
    ids=["gone", "a folder now", "not readable", "binary"],
)
def test_a_source_file_that_is_gone_or_no_text(run_python, tmp_path, more):
    """The function is read from its bytecode; where that is not known, an error says so."""
    (tmp_path / "edited.py").write_text(EDITED)
    (tmp_path / "edited_kernel.py").write_text(KERNEL)
    done = run_python(GONE.format(folder=str(tmp_path), more=more), PHALANX_DEVICE="cpu")
    lines = done.stdout.splitlines()
    assert len(lines) == 2, done.stderr
    for line in lines:
        if sys.version_info[:2] == (3, 11):
            assert line == "2", done.stdout
        else:
            assert re.match(r"2$|UnsupportedError .*source of", line), done.stdout
