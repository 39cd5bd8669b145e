"""Random programs of CUDA C: a kernel with functions, structs, constants and shared memory."""

from __future__ import annotations

import random

import cuda_c_types as types
from cuda_c_expressions import of
from cuda_c_records import Records, spelled
from cuda_c_scope import Array, Callable, Parameter, Record
from cuda_c_tree import Block, Expression, Node, Part, Statement
from cuda_c_types import Kind

THREADS, BLOCKS = 64, 2
COUNT = THREADS * BLOCKS
SLOTS = 10  # numbers of each sort that a thread gives
BINS = 8

PRELUDE = """\
template <typename T> __device__ T handed(T* place, T value, int other) {
  place[threadIdx.x] = value;
  __syncthreads();
  T result = place[other];
  __syncthreads();
  return result;
}
template <typename T> __device__ T whole(double v) {
  const double most = sizeof(T) == 2 ? 30000 : 999999;
  return v > -most && v < most ? (T)v : (T)7;
}
"""
HEAD = """\
extern "C" __global__ void kernel(
    long long* out, double* real, unsigned* bins,
    const int* a, const unsigned* u, const float* x, const double* y, int n) {
int i = blockIdx.x * blockDim.x + threadIdx.x;
"""
QUERIES = (
    ("threadIdx.x", Kind("unsigned", 0, THREADS - 1)),
    ("blockIdx.x", Kind("unsigned", 0, BLOCKS - 1)),
    ("blockDim.x", Kind("unsigned", THREADS, THREADS)),
    ("gridDim.x", Kind("unsigned", BLOCKS, BLOCKS)),
    ("(blockIdx.x * blockDim.x + threadIdx.x)", Kind("unsigned", 0, COUNT - 1)),
    ("((int)(threadIdx.x + blockIdx.x * blockDim.x))", Kind("int", 0, COUNT - 1)),
)
INPUTS = (
    ("a", types.INT),
    ("u", types.UINT),
    ("x", types.FLOAT),
    ("y", types.DOUBLE),
)
FULL = "0xffffffffu"
ATOMICS = ("atomicAdd", "atomicMax", "atomicXor", "atomicOr", "atomicMin", "atomicAnd")
SHUFFLED = [types.INT, types.UINT, types.LONG, types.ULONG, types.FLOAT, types.DOUBLE]


class Writer(Records):
    """Writes a whole program."""

    def program(self) -> Node:
        """The definitions, the kernel last."""
        for name, kind in QUERIES:
            self.add(name, kind, is_mutable=False)
        definitions = Block()
        for _ in range(self.random.randint(0, 3)):
            definitions.parts.append(self._constant())
        for _ in range(self.random.randint(1, 7)):
            make = self.random.choice(
                (
                    self.struct,
                    self.function_,
                    self.function_,
                    self.template,
                    self.recursion,
                    self.maker,
                )
            )
            make = self.template_struct if self.chance(0.1) else make
            definitions.parts.append(make())
        return Node(PRELUDE, definitions, self._kernel())

    # ---- Definitions ----

    def _literal_of(self, kind: Kind) -> str:
        if types.is_float(kind.type):
            return f"{self.random.randint(-40, 40)}.25{types.SUFFIX.get(kind.type, '')}"
        low, high = kind.low, kind.high
        value = self.random.choice(
            (low, high, 0, self.random.randint(max(low, -50), min(high, 50)))
        )
        return types.literal(kind.type, value)

    def _constant(self) -> Node:
        """A constant of the module: a number, a table, an enumeration."""
        kind, name = self.kind(), self.name("g")
        form = self.random.randrange(4)
        if form == 0:
            names = [f"{name}_{number}" for number in range(3)]
            values = self.random.sample(range(-8, 8), 3)
            for each, value in zip(names, values, strict=True):
                self.add(each, Kind("int", value, value), is_mutable=False)
            text = ", ".join(f"{each} = {value}" for each, value in zip(names, values, strict=True))
            return Statement(f"enum {name} : int {{ {text} }};\n")
        if form == 1:
            self.add(name, kind, is_mutable=False)
            return Statement(
                f"constexpr __device__ {kind.type} {name} = {self._literal_of(kind)};\n"
            )
        count = self.random.choice((4, 8))
        values = [self._literal_of(kind) for _ in range(count)]
        place = self.random.choice(("__constant__", "__device__ const"))
        self.add(name, Array(kind, count), is_mutable=False)
        return Statement(f"{place} {kind.type} {name}[{count}] = {{{', '.join(values)}}};\n")

    def _parameter(self) -> tuple[Parameter, str, str]:
        """What a function takes, its name and its text."""
        name, kind = self.name("a"), self.kind()
        form = self.random.randrange(8)
        if form < 4 or (form >= 6 and not self.records):
            return Parameter(kind), name, f"{kind.type} {name}"
        if form == 4:
            return Parameter(kind, True), name, f"{kind.type}& {name}"
        if form == 5:
            count, is_changed = self.random.choice((2, 4)), self.chance(0.5)
            const = "" if is_changed else "const "
            return (
                Parameter(Array(kind, count, True), is_changed),
                name,
                f"{const}{kind.type}* {name}",
            )
        record = self.random.choice(self.records)
        forms = (f"{record.name} {name}", f"const {record.name}& {name}", f"{record.name}& {name}")
        chosen = self.random.randrange(3)
        return Parameter(record, chosen == 2), name, forms[chosen]

    def function_(self) -> Node:
        """A function of numbers, references, pointers and structs."""
        given = [self._parameter() for _ in range(self.random.randint(1, 4))]
        result, name = self.kind(), self.name("fun")
        with self.function():
            for parameter, own, text in given:
                is_own = isinstance(parameter.what, Kind) or not text.startswith("const")
                is_own = is_own and not (isinstance(parameter.what, Array) and "const" in text)
                self.add(own, parameter.what, is_mutable=is_own)
            body, value, cost = self.body_of([], result)
        made = Callable(name, result, [parameter for parameter, _, _ in given], cost)
        self.callables[0].append(made)
        attribute = self.random.choice(("", "", "static ", "__forceinline__ ", "__noinline__ "))
        texts = ", ".join(text for _, _, text in given)
        head = f"{attribute}__device__ {result.type} {name}({texts}) {{\n"
        return Statement(head, body, "return ", value, ";\n}\n")

    def maker(self) -> Node:
        """A function that gives a struct, which one of its parameters may be."""
        plain = [each for each in self.records if not each.makers]
        if not plain:
            return self.struct()
        record, name, kind = self.random.choice(plain), self.name("make"), self.kind()
        with self.function():
            self.add("p", record)
            self.add("q", record, is_mutable=False)
            self.add("by", kind)
            body, _, cost = self.body_of([], types.INT, returns=False)
            with self.whole():
                made = self.list_of(record)
            condition = self.truth(2)
        parameters = [Parameter(record), Parameter(record), Parameter(kind)]
        self.callables[0].append(Callable(name, record, parameters, cost))
        head = (
            f"__device__ {record.name} {name}({record.name} p, const {record.name}& q, "
            f"{kind.type} by) {{\n"
        )
        end = self.random.choice((" return p", " return q", f" return {record.name}(q)"))
        return Statement(
            head, body, "if (", condition, f")\n{end};\nreturn {record.name}", made, ";\n}\n"
        )

    def template(self) -> Node:
        """A function of any type that cannot overflow, and a number."""
        name = self.name("tmpl")
        number = self.random.randint(1, 4)
        ops = [self.random.choice("+-*") for _ in range(4)]
        for kind in self.random.sample([types.UINT, types.ULONG, types.FLOAT, types.DOUBLE], 2):
            self.callables[0].append(
                Callable(f"{name}<{kind.type}, {number}>", kind, [Parameter(kind)] * 2, number)
            )
        pick = self.random.choice(("a < b", "a * b >= r", "N > 2", "sizeof(T) == 4"))
        test = self.random.choice(("if", "if constexpr")) if pick[0] in "Ns" else "if"
        return Statement(f"""template <typename T, int N> __device__ T {name}(T a, T b) {{
  T r = a {ops[0]} b;
  for (int j = 0; j < N; ++j) {{
    {test} ({pick}) r = r {ops[1]} (T)j;
    else r {ops[2]}= a;
  }}
  return r {ops[3]} (T)N;
}}
""")

    def recursion(self) -> Node:
        """A function that calls itself a few times."""
        kind, name, own = self.kind(), self.name("again"), self.name("a")
        depth = Kind("int", 0, self.random.randint(1, 5))
        with self.function():
            self.add("n", depth, is_mutable=False)
            self.add(own, kind)
            with self.whole():
                last = self.fitted(self.number(2), kind)
            with self.whole():
                step = self.fitted(self.number(2), kind)
            inner = of(kind, f"{name}(n - 1, ", step, ")")
            with self.whole():
                value = self.fitted(self.combined("+", inner, self.number(1)), kind)
            cost = 6 * (1 + self.cost)
        self.callables[0].append(Callable(name, kind, [Parameter(depth), Parameter(kind)], cost))
        head = f"__device__ {kind.type} {name}(int n, {kind.type} {own}) {{\nif (n <= 0) return "
        return Statement(head, last, ";\nreturn ", value, ";\n}\n")

    # ---- The kernel ----

    def _kernel(self) -> Node:
        body = Block()
        with self.function():
            self.add("i", Kind("int", 0, COUNT - 1), is_mutable=False)
            self.add("n", Kind("int", 0, 9), is_mutable=False)
            for name, kind in INPUTS:
                self.add(name, Array(kind, COUNT, True), is_mutable=False)
            self.depth, self.in_kernel = 1, True
            for name, kind in (("a0", types.INT), ("u0", types.UINT), ("x0", types.FLOAT)):
                self.add(name, kind)
                body.parts.append(Statement(f"{kind.type} {name} = {name[0]}[i];\n"))
            for _ in range(self.random.randint(3, 9)):
                make = self.exchange if self.chance(0.25) else self.statement
                body.parts.append(make())
            body.parts += self._results()
        return Node(HEAD, body, "}\n")

    def _results(self) -> list[Part]:
        """Stores what variables hold at the end."""
        found = [each for each in self.visible() if each.is_mutable]
        self.random.shuffle(found)
        counts = {"out": 0, "real": 0}
        parts: list[Part] = []
        for variable in found:
            with self.whole():
                place = self.place_of(variable)
            name = "real" if types.is_float(place.type) else "out"
            if counts[name] < SLOTS:
                number = counts[name]
                counts[name] += 1
                type_name = "double" if name == "real" else "long long"
                head = f"{name}[i * {SLOTS} + {number}] = ({type_name})"
                parts.append(Statement(head, place, ";\n"))
        return parts

    # ---- Threads with each other ----

    def exchange(self) -> Node:
        """Something that all threads of a block do together."""
        forms = (
            self._shared,
            self._structs,
            self._tree,
            self._counts,
            self._bins,
            self._shuffle,
            self._vote,
        )
        if self.chance(0.2):
            with self.block():
                name = self.name("i")
                self.add(name, Kind("int", 0, 2), is_mutable=False)
                inner = Block(*(self._one(forms) for _ in range(self.random.randint(1, 2))))
            head = self.random.choice(
                (f"for (int {name} = 0; {name} < 3; ++{name})", f"if (int {name} = n > 3)")
            )
            return Statement(f"{head} {{\n", inner, "}\n")
        return self._one(forms)

    def _one(self, forms) -> Node:
        with self.whole():
            return self.random.choice(forms)()  # type: ignore[no-any-return]

    def _other_thread(self) -> Part:
        return self.random.choice(
            (
                f"(threadIdx.x ^ {self.random.randint(1, 63)})",
                f"(threadIdx.x + {self.random.randint(1, 63)}) % {THREADS}",
                f"{THREADS - 1} - threadIdx.x",
                self.index(THREADS),
            )
        )

    def _shared(self) -> Node:
        """Values change hands through shared memory."""
        kind, shared, name = self.kind(), self.name("sh"), self.name("v")
        value = self.fitted(self.number(2), kind)
        with self.whole():
            other = self._other_thread()
        self.add(name, kind)
        if self.chance(0.3):
            head = f"__shared__ {kind.type} {shared}[{THREADS}];\n{kind.type} {name} = "
            call = f"handed<{kind.type}>({shared}, "
            return Statement(head + call, value, ", ", other, ");\n")
        return Statement(
            f"__shared__ {kind.type} {shared}[{THREADS}];\n{shared}[threadIdx.x] = ",
            value,
            f";\n__syncthreads();\n{kind.type} {name} = {shared}[",
            other,
            "];\n__syncthreads();\n",
        )

    def _structs(self) -> Node:
        """Structs, or rows, change hands through shared memory."""
        found = [
            each
            for each in self.visible()
            if isinstance(each.what, Record)
            and not each.what.makers
            and each.root == each.name
            and "*" not in each.name
        ]
        if not found:
            return self._shared()
        chosen = self.random.choice(found)
        record, shared, name = chosen.what, self.name("sh"), self.name("s")
        assert isinstance(record, Record)
        with self.whole():
            other = self._other_thread()
        self.add(name, record)
        return Statement(
            f"__shared__ {record.name} {shared}[2][{THREADS // 2}];\n"
            f"{shared}[threadIdx.x & 1][threadIdx.x / 2] = {chosen.name};\n__syncthreads();\n"
            f"{record.name} {name} = {shared}[(",
            other,
            ") & 1][(",
            other,
            ") / 2];\n__syncthreads();\n",
        )

    def _tree(self) -> Node:
        """A sum of a block."""
        kind = self.random.choice((types.UINT, types.ULONG, types.FLOAT, types.DOUBLE))
        shared, name = self.name("sh"), self.name("v")
        value = self.number(2)
        if not types.is_float(kind.type):
            value = self.whole_number(value)
        self.add(name, kind)
        op = self.random.choice("+-")
        return Statement(
            f"__shared__ {kind.type} {shared}[{THREADS}];\n{shared}[threadIdx.x] = ",
            value,
            f";\n__syncthreads();\nfor (int s = {THREADS // 2}; s > 0; s >>= 1) {{\n"
            f"if (threadIdx.x < s) {shared}[threadIdx.x] {op}= {shared}[threadIdx.x + s];\n"
            f"__syncthreads();\n}}\n{kind.type} {name} = {shared}[0];\n__syncthreads();\n",
        )

    def _counts(self) -> Node:
        """Atomics on shared memory: of one sort, so that their order makes no difference."""
        shared, name, atomic = self.name("sh"), self.name("v"), self.random.choice(ATOMICS)
        index = self.index(BINS)
        value = self.whole_number(self.number(2))
        with self.whole():
            other = self.index(BINS)
        condition = self.truth(1) if self.chance(0.5) else None
        guard: list[Part] = ["if (", condition, ") "] if condition is not None else []
        self.add(name, types.UINT)
        return Statement(
            f"__shared__ unsigned {shared}[{BINS}];\n"
            f"if (threadIdx.x < {BINS}) {shared}[threadIdx.x] = threadIdx.x * 77u;\n"
            "__syncthreads();\n",
            *guard,
            f"{atomic}(&{shared}[",
            index,
            "], (unsigned)",
            value,
            f");\n__syncthreads();\nunsigned {name} = {shared}[",
            other,
            "];\n__syncthreads();\n",
        )

    def _bins(self) -> Node:
        """An atomic on global memory, of the sort that its element has."""
        number = self.random.randrange(BINS)
        atomic = ATOMICS[number % len(ATOMICS)]
        value = self.whole_number(self.number(2))
        return Statement(f"{atomic}(&bins[{number}], (unsigned)", value, ");\n")

    def _shuffle(self) -> Node:
        """A value of another thread of the warp."""
        kind, name = self.random.choice(SHUFFLED), self.name("v")
        form = self.random.choice(("", "_xor", "_up", "_down"))
        value = self.fitted(self.number(2), kind)
        by: Part = self.index(32) if form == "" else str(self.random.randint(0, 31))
        self.add(name, kind)
        head = f"{kind.type} {name} = __shfl{form}_sync({FULL}, ({kind.type})("
        return Statement(head, value, "), ", by, ");\n")

    def _vote(self) -> Node:
        """What the threads of a warp say together."""
        name = self.name("v")
        condition = self.truth(2)
        function = self.random.choice(("__ballot_sync", "__any_sync", "__all_sync"))
        self.add(name, types.UINT)
        return Statement(f"unsigned {name} = {function}({FULL}, ", condition, ");\n")


def program(number: int) -> Node:
    """Program `number`, the same everywhere."""
    return Writer(random.Random(f"CUDA C {number}")).program()


__all__ = [
    "BINS",
    "BLOCKS",
    "COUNT",
    "SLOTS",
    "THREADS",
    "Expression",
    "Record",
    "program",
    "spelled",
]
