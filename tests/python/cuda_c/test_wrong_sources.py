"""Source that is broken, hostile or too large: an error that says where, in seconds."""

import re
import time

import pytest
from phalanx._cuda_c import SourceOptions, compile_source

from phalanx import errors

KERNEL = 'extern "C" __global__ void f(int* x) {{ {} }}\n'
SECONDS = 20  # of a busy machine; idle ones take one or two


def refused(text, words, options=()):
    start = time.monotonic()
    with pytest.raises(errors.CompileError, match=words) as raised:
        compile_source(text, "wrong.cu", SourceOptions.parse(options))
    assert time.monotonic() - start < SECONDS
    return str(raised.value)


def kernels(text):
    """The kernels of a source that compiles, in seconds."""
    start = time.monotonic()
    module = str(compile_source(text, "right.cu"))
    assert time.monotonic() - start < SECONDS
    return re.findall(r"^kernel @(\S+?)\(", module, re.MULTILINE)


def body(statements):
    return KERNEL.format(statements)


NAME = "a" * 40_000
LONG_NAMES = [
    (body(f"x[0] = {NAME};"), "undeclared identifier"),
    (body(f"{NAME} y;"), "unknown type name"),
    (body(f"x[0] = {NAME}(1);"), "undeclared identifier"),
    (body(f"struct S {{}} s; x[0] = s.{NAME};"), "no member named"),
    (body(f"int {NAME}b = 1; x[0] = {NAME}c;"), "undeclared identifier"),
    (f"#if {NAME}(1)\n#endif\n", "missing binary operator|function-like macro"),
]


@pytest.mark.parametrize(("text", "words"), LONG_NAMES)
def test_names_of_40_kilobytes_that_are_not_known(text, words):
    assert "wrong.cu:1:" in refused(text, words)


ADDRESSES = [
    "int v; __device__ int* p = &v;",
    "int v[4]; __device__ int* p[2] = {nullptr, v + 1};",
    "int v; struct S { int n; const int* p; }; __constant__ S p = {3, &v};",
    'const char* p = "text";',
    "int v; struct B { int* q; }; struct S : B {}; __device__ S p[2] = {{{&v}}};",
]


@pytest.mark.parametrize("text", ADDRESSES)
def test_an_address_as_an_initial_value_names_the_way_out(text):
    said = refused(f"__device__ {text}\n{body('x[0] = 1;')}", "the address of a variable is no")
    assert "wrong.cu:1:" in said and "leave p without one, and assign the address in a ker" in said


def test_a_variable_without_a_constant_initializer_says_so():
    text = "__device__ int g(); __device__ int v = g();\n"
    refused(text + body("x[0] = v;"), "constant initializer|dynamic initialization")


def test_names_of_40_kilobytes():
    text = f"__device__ int {NAME}v; struct {NAME}t {{ int {NAME}m; }};\n"
    text += f"__device__ int {NAME}f({NAME}t {NAME}p) {{ return {NAME}p.{NAME}m; }}\n"
    text += body(f"{NAME}t {NAME}l; {NAME}l.{NAME}m = {NAME}v; x[0] = {NAME}f({NAME}l);")
    text += (
        f"template <typename T> __global__ void k(T* x) {{}}\ntemplate __global__ void k({NAME}t*);"
    )
    assert any(NAME in each for each in kernels(text))


NESTED = [
    "if (1) " * 100_000 + "x[0] = 1;",
    "if (x[0]) " * 5_000 + "x[0] = 1;",
    "while (x[0]) " * 5_000 + "x[0] = 1;",
    "for (;;) " * 5_000 + "x[0] = 1;",
    "do " * 3_000 + "x[0] = 1;" + " while (x[0]);" * 3_000,
    "".join(f"if (x[0] == {i}) x[1] = {i}; else " for i in range(5_000)) + ";",
    "switch (x[0]) case 0: " * 3_000 + "x[0] = 1;",
]


@pytest.mark.parametrize("statements", NESTED, ids=lambda text: text[:12].strip())
def test_statements_within_statements_have_a_limit(statements):
    assert "wrong.cu:1:" in refused(body(statements), "within each other|nesting level")


EXPRESSIONS = [
    "x[0] = " + "(x[0] && " * 900 + "x[1]" + ")" * 900 + ";",
    "x[0] = " + "x[0] ? " * 2_000 + "1" + " : 2" * 2_000 + ";",
    "x[0] = " + "x[0] || x[1] && " * 3_000 + "x[2];",
]


@pytest.mark.parametrize("statement", EXPRESSIONS, ids=lambda text: text[7:20])
def test_expressions_that_branch_have_a_limit(statement):
    start = time.monotonic()
    try:
        compile_source(body(statement), "wrong.cu")
    except errors.CompileError as error:
        assert "wrong.cu:1:" in str(error) and "within each other" in str(error)
    assert time.monotonic() - start < SECONDS


def test_statements_that_are_as_deep_as_programs_have_them():
    chain = " else ".join(f"if (x[0] == {i}) x[1] = {i};" for i in range(400))
    nested = "for (int i = 0; i < 2; ++i) { if (x[i]) { " * 50 + "x[0] += 1;" + " } }" * 50
    assert kernels(body(chain + nested)) == ["f"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (body("x[0] = 1"), "expected ';'"),
        (body("x[0] = (1;"), r"expected '\)'"),
        (body("x[0] = 'ab"), "missing terminating|expected expression"),
        (body('x[0] = "'), "missing terminating|expected expression"),
        (body("x[0] = 1; }"), "extraneous closing brace"),
        (body("x[0] = 08;"), "invalid digit '8'"),
        (body("@"), "expected expression|unexpected '@'"),
        ("/* never ends\n" + body("x[0] = 1;"), "unterminated /\\* comment"),
        ("#if 1\n" + body("x[0] = 1;"), "unterminated conditional directive"),
        ("#define M(a) a a\n" + body("M(x[0] = 1;"), "unterminated function-like macro"),
        ('R"(' + body("x[0] = 1;"), "raw string missing terminating|expected"),
        ("\ufeff\u202e" + body("x[0] = 1;"), "non-ASCII|unexpected character"),
        ("#pragma once\n#error no\n", "no"),
        ("import std;\n", "unknown type name|expected"),
        ("int x = 1 / 0;\n__global__ void k(int (*a)[-1]) {}", "negative size"),
    ],
)
def test_source_that_does_not_parse_names_the_line(text, words):
    assert "wrong.cu:" in refused(text, words)


ENDLESS = [
    ("template <int N> struct S { static const int v = S<N + 1>::v; };\n" + body("x[0] = S<0>::v;"),
     "recursive template instantiation exceeded maximum depth"),
    ("template <typename T> __device__ int g(T v) { return g(&v); }\n" + body("x[0] = g(1);"),
     "recursive template instantiation exceeded maximum depth"),
    ("constexpr int f(int n) { return f(n + 1); }\n" + body("constexpr int v = f(0); x[0] = v;"),
     "must be initialized by a constant expression"),
    ("constexpr int f() { int n = 0; while (true) ++n; return n; }\n"
     + body("constexpr int v = f(); x[0] = v;"), "must be initialized by a constant expression"),
    ("template <typename T, int N> struct P : P<P<T, N>, N - 1> {};\n"
     "template <typename T> struct P<T, 0> {};\n"
     + body("P<int, 5000> p; x[0] = sizeof(p);"), "recursive template instantiation"),
    ("#define A B B B B B B B B\n#define B C C C C C C C C\n#define C D D D D D D D D\n"
     "#define D E E E E E E E E\n#define E + 1\n" + body("x[0] = 0 A A;\n undeclared;"),
     "undeclared identifier"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), ENDLESS)
def test_what_never_ends_at_compile_time_is_ended(text, words):
    assert "wrong.cu" in refused(text, words)


def test_headers_that_include_themselves(tmp_path):
    (tmp_path / "own.h").write_text('#include "own.h"\n')
    (tmp_path / "one.h").write_text('#include "other.h"\n')
    (tmp_path / "other.h").write_text('#include "one.h"\n')
    for name in ("own.h", "one.h"):
        refused(f'#include "{name}"\n', "include nested too deeply", [f"-I{tmp_path}"])


HOSTILE = ["/etc/passwd", "../../../../etc/passwd", "//etc/passwd", "/dev/zero", "/proc/self/mem",
           "link.h", "folder/../../outside.h", "./../outside.h", "wrong.cu/../outside.h",
           "nul\\0.h", "a" * 5000, "x" * 300 + "/y.h", "."]  # fmt: skip


@pytest.mark.parametrize("path", HOSTILE)
@pytest.mark.parametrize("how", ['"{}"', "<{}>"])
def test_only_given_folders_are_read(tmp_path, path, how):
    inside = tmp_path / "inside"
    (inside / "folder").mkdir(parents=True)
    (tmp_path / "outside.h").write_text("#error it was read\n")
    (inside / "link.h").symlink_to(tmp_path / "outside.h")
    text = f"#include {how.format(path)}\n"
    message = refused(text, "wrong.cu:1", [f"-I{inside}"])
    assert "it was read" not in message and "root:" not in message
    refused(text, "wrong.cu:1")


@pytest.mark.parametrize(
    "text",
    ['#include_next "/etc/passwd"\n', '#embed "/etc/passwd"\n', '#import "/etc/passwd"\n',
     'int a[] = {\n#embed "/etc/passwd"\n};\n', '#pragma clang module import "/etc/passwd"\n',
     '__asm__(".incbin \\"/etc/passwd\\"");\nvoid f( {}\n'],
)  # fmt: skip
def test_other_ways_to_read_files(text):
    assert "root:" not in refused(text, "wrong.cu:")


@pytest.mark.parametrize("where", ["begin", "middle", "end", "literal", "comment"])
def test_null_bytes(where):
    good = body("x[0] = 1;")
    texts = {"begin": "\0" + good, "middle": good[:30] + "\0" + good[30:], "end": good + "\0",
             "literal": body('const char* s = "a\0b";'), "comment": "// \0\n" + good}  # fmt: skip
    refused(texts[where], "null byte")


def test_sources_of_ten_megabytes():
    """Of comments, of functions that nobody calls, and of one expression."""
    comment = "/*" + "x" * 10_000_000 + "*/" + body("x[0] = 1;")
    assert kernels(comment) == ["f"]
    unused = "".join(f"__device__ int g{i}(int v) {{ return v * {i}; }}\n" for i in range(40_000))
    assert kernels(unused + body("x[0] = g7(1);")) == ["f"]
    table = "__constant__ int t[] = {" + "1234567, " * 200_000 + "};\n"
    assert kernels(table + body("x[0] = t[x[1]];")) == ["f"]
    refused("x" * 10_000_000, "wrong.cu:1:")
    refused("#error " + "x" * 10_000_000, "wrong.cu:1:")


def test_not_utf8_and_odd_bytes():
    text = body('x[0] = sizeof("\xe4");').encode("latin-1")
    assert kernels(text) == ["f"]  # as C compilers: bytes of a literal
    refused(b"\xff\xfe\x00i\x00n\x00t", "null byte")
    refused(bytes(range(1, 256)), "wrong.cu:")


def test_the_state_is_intact_after_errors():
    for _ in range(3):
        refused(body("x[0] = y;"), "undeclared")
        assert kernels(body("x[0] = 1;")) == ["f"]


ADVICE = [
    ("texture<float, 2> t;\n" + body("x[0] = 1;"), "take a parameter of type cudaTextureObject_t"),
    (
        "__global__ void g() {}\n" + body("g<<<1, 1>>>();"),
        "kernels that launch kernels are not supported",
    ),
    (body("throw 5;"), "exceptions are not there"),
    (body("goto in; { int q = 5; in: x[0] = q; }"), "a goto into a statement is not supported"),
    (
        body(
            "switch (x[0]) {" + "".join(f"case {i}: x[1] = {i}; break;" for i in range(5000)) + "}"
        ),
        "over 4096 statements together",
    ),
]


@pytest.mark.parametrize(("text", "words"), ADVICE)
def test_what_is_not_there_says_what_to_write_instead(text, words):
    refused(text, words)


def test_a_class_of_ones_own_may_be_called_texture():
    own = "template <class T> struct texture { T t; };\n"
    assert kernels(own + body("texture<int> t = {3}; x[0] = t.t;")) == ["f"]
