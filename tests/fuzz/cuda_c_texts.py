"""Sources of CUDA C with mistakes: the front end says what is wrong, or compiles what is left.

Tokens of kernels of the tests and of random programs are left out, doubled, exchanged, replaced.
What comes of it must be an error that has a type, or code for both devices; never a crash, an error
of another type, or a wait.
"""

from __future__ import annotations

import functools
import random
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from cuda_c_programs import program

TESTS = Path(__file__).resolve().parents[1]
MOST_SECONDS = 10.0
PTX_OF = (9, 0)
# Tokens that come in anywhere: declarations and operators that change what the rest means.
WORDS = (
    *("static", "const", "volatile", "extern", "union", "struct", "class", "enum", "goto", "asm"),
    *("__shared__", "__device__", "__constant__", "__global__", "virtual", "new", "delete", "this"),
    *("switch", "case", "default", "break", "continue", "return", "while", "do", "for", "else"),
    *("&", "*", "&&", "->", ".", "::", "?", ":", ",", "(", ")", "{", "}", "[", "]", "<", ">", ";"),
    *("int", "char", "float", "double", "void", "bool", "auto", "long", "unsigned", "__half"),
    *("sizeof", "alignas(16)", "noexcept", "operator", "template", "typename", "decltype", "throw"),
    *("0", "1", "-1", "0x7fffffff", "1e400", "nullptr", "'a'", '"text"', "%", "/", "<<", "++", "~"),
    *(
        "threadIdx",
        "__syncthreads()",
        "__int128",
        "_Complex",
        "mutable",
        "friend",
        "reinterpret_cast",
    ),
)

ALIKE = (
    ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "&&", "||", ",", "="),
    ("==", "!=", "<", ">", "<=", ">="),
    ("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "="),
    ("++", "--", "!", "~"),
    (
        "int",
        "float",
        "double",
        "bool",
        "short",
        "char",
        "unsigned",
        "long",
        "auto",
        "__int128",
        "void",
    ),
    ("break", "continue", "return"),
    ("if", "while", "switch"),
    (".", "->"),
)
# What errors say: all else that a text can raise is a defect.
EXPECTED = ("does not compile", "has one kernel at least", "writes to constant memory")

_TOKEN = re.compile(
    r"""\s+|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*"""
    r"""|[A-Za-z_]\w*|\.?\d[\w.]*|<<=|>>=|->|::|\+\+|--|<<|>>|&&|\|\||[-+*/%&|^=!<>]=|.""",
    re.DOTALL,
)
_TEXT = re.compile(r'r?"""(.*?)"""', re.DOTALL)
_WORDS_OF_KERNELS = ("__global__", "__device__")


@functools.cache
def sources() -> tuple[str, ...]:
    """The kernels of the tests and examples."""
    found = []
    for path in sorted((TESTS / "python" / "cuda_c").glob("*.py")):
        found += [each for each in _TEXT.findall(path.read_text()) if "__global__ void" in each]
    found += [each.read_text() for each in sorted((TESTS / "golden" / "cuda_c").glob("*.cu"))]
    cases = (TESTS / "python" / "cuda_c" / "cases.cu").read_text()
    head = "#define DEVICE __device__\n#define CASE(name) __device__ double name(" + (
        "int i, const int* a, const float* x)\n"
    )
    names = re.findall(r"^CASE\((\w+)\)", cases, re.MULTILINE)
    calls = "".join(f"  out[i] += {name}(i, a, x);\n" for name in names)
    kernel = 'extern "C" __global__ void f(double* out, int i, const int* a, const float* x) {\n'
    found.append(f"{head}{cases}{kernel}{calls}}}\n")
    return tuple(found)


def _base(choices: random.Random) -> str:
    if choices.random() < 0.4:
        return str(program(choices.randrange(10**6)))
    return choices.choice(sources())


def _sort_of(token: str) -> int | str | None:
    """What sort of token it is, which another of it may replace; None for those of no sort."""
    for number, alike in enumerate(ALIKE):
        if token in alike:
            return number
    if token[:1].isdigit():
        return "number"
    return "name" if len(token) < 4 and token[:1].isalpha() and token[:1].islower() else None


def _exchange(tokens: list[str], choices: random.Random) -> None:
    """A token becomes another of its sort: operator, type, number, short name."""
    places = [at for at, each in enumerate(tokens) if _sort_of(each) is not None]
    if not places:
        return
    at = choices.choice(places)
    sort = _sort_of(tokens[at])
    if isinstance(sort, int):
        tokens[at] = choices.choice(ALIKE[sort])
    else:
        tokens[at] = choices.choice([each for each in tokens if _sort_of(each) == sort])


def mutated(number: int) -> str:
    """Source `number`, the same everywhere while the tests' kernels stay."""
    choices = random.Random(f"text {number}")
    tokens = _TOKEN.findall(_base(choices))
    places = [at for at, each in enumerate(tokens) if not each.isspace()]
    is_gentle = choices.random() < 0.5
    for _ in range(choices.choice((1, 1, 1, 2, 3))):
        if is_gentle:  # most of these compile
            _exchange(tokens, choices)
            continue
        at, other = choices.choice(places), choices.choice(places)
        form = choices.randrange(7)
        if form == 0:
            tokens[at] = ""
        elif form == 1:
            tokens[at] = f"{tokens[at]} {tokens[at]}"
        elif form == 2:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif form == 3:
            tokens[at] = tokens[other]
        elif form == 4:
            tokens[at] = f"{choices.choice(WORDS)} {tokens[at]}"
        elif form == 5:
            tokens[at] = choices.choice(WORDS)
        else:
            first, last = sorted((at, min(at + choices.randrange(12), len(tokens))))
            tokens[first:last] = []
            places = [each for each, token in enumerate(tokens) if not token.isspace()] or [0]
    return "".join(tokens)


def compile_text(text: str) -> bool:
    """Makes IR, PTX and code of the CPU; returns whether there was none of an error of C++."""
    from phalanx._cuda_c import CudaCModule
    from phalanx.errors import CompileError

    from phalanx import _engine

    try:
        module = CudaCModule(text, "text.cu")
        for name in module.kernel_names:
            handle = module.kernel(name).handle
            handle.ptx(PTX_OF)
            handle.cubin(_engine.device("cpu"))
    except (CompileError, ValueError) as error:
        if any(each in str(error) for each in EXPECTED):
            return False
        raise
    return True


class Judge:
    """Compiles sources with mistakes."""

    name = "an error or code"

    def describe(self, numbers: Sequence[int], is_told: bool = False) -> Iterator[tuple[int, str]]:
        """What is wrong, by the numbers of the sources; each is said before it is tried."""
        for number in numbers:
            if is_told:
                print("at", number, flush=True)
            text, begin = mutated(number), time.process_time()  # others may have the cores
            try:
                compile_text(text)
            except Exception as error:
                yield number, f"{type(error).__name__}: {str(error)[:500]}\n{text}"
                continue
            if time.process_time() - begin > MOST_SECONDS:
                yield number, f"took {time.process_time() - begin:.0f} s\n{text}"
