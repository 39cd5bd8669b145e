"""Random structs of CUDA C: members, methods, operators, constructors, bases, templates."""

from __future__ import annotations

import cuda_c_types as types
from cuda_c_scope import Array, Callable, Parameter, Record, What
from cuda_c_statements import Statements
from cuda_c_tree import Block, Node, Part, Statement
from cuda_c_types import Kind


def spelled(what: What) -> str:
    """The type of what is no array, as C writes it."""
    if isinstance(what, Kind):
        return what.type
    assert isinstance(what, Record)
    return what.name


class Records(Statements):
    """Writes structs."""

    def struct(self) -> Node:
        """A struct, which is known from here on."""
        record = Record(self.name("S"))
        base = self.random.choice(self.records) if self.records and self.chance(0.25) else None
        if base is not None and "<" not in base.name:
            return self._derived(record, base)
        members: list[Part] = []
        for _ in range(self.random.randint(1, 4)):
            name, what, text = self._member()
            record.members.append((name, what))
            members.append(text)
        parts: list[Part] = [f"struct {record.name} {{\n", *members]
        if self.chance(0.35):
            parts.append(self._constructor(record, record.members, []))
        parts += self._methods(record)
        self.records.append(record)
        return Statement(*parts, "};\n")

    def _derived(self, record: Record, base: Record) -> Node:
        """What has the members of another struct, and a constructor that makes them."""
        name, what, text = self._member()
        record.members = [*base.members, (name, what)]
        record.methods = list(base.methods)
        with self.function():
            values: list[Part] = [base.name]
            if base.makers:
                values.append("(" if base.makers[0] else "{")
                for number, kind in enumerate(base.makers[0]):
                    values += [", " if number else "", self.fitted(self.number(1), kind)]
                values.append(")" if base.makers[0] else "}")
            else:
                values.append(self.list_of(base))
        constructor = self._constructor(record, [(name, what)], values)
        parts = [constructor, *self._methods(record)]
        self.records.append(record)
        return Statement(f"struct {record.name} : {base.name} {{\n", text, *parts, "};\n")

    def _member(self) -> tuple[str, What, str]:
        name = self.name("m")
        plain = [each for each in self.records if not each.makers]
        if plain and self.chance(0.2):
            inner = self.random.choice(plain)
            return name, inner, f"{inner.name} {name};\n"
        kind = self.kind()
        if self.chance(0.3):
            count = self.random.choice((2, 4))
            return name, Array(kind, count), f"{kind.type} {name}[{count}];\n"
        return name, kind, f"{kind.type} {name};\n"

    def _constructor(
        self, record: Record, members: list[tuple[str, What]], values: list[Part]
    ) -> Node:
        """A constructor, whose list gives every member a value."""
        kinds = [self.kind() for _ in range(self.random.randint(0, 2))]
        names = [self.name("a") for _ in kinds]
        with self.function():
            for name, kind in zip(names, kinds, strict=True):
                self.add(name, kind)
            given: list[Part] = list(values)
            for name, what in members:
                given += [", "] if given else []
                if isinstance(what, Kind):
                    with self.whole():
                        given += [f"{name}(", self.fitted(self.number(2), what), ")"]
                else:
                    given += [name, self.list_of(what)]
            for name, what in record.members:
                self.add(name, what, root="this")
            body = self.body(self.random.randint(0, 2))
        record.makers.append(kinds)
        pairs = zip(kinds, names, strict=True)
        text = ", ".join(f"{kind.type} {name}" for kind, name in pairs)
        return Statement(f"__device__ {record.name}({text}) : ", *given, " {\n", body, "}\n")

    def _methods(self, record: Record) -> list[Node]:
        nodes = [self._method_of(record) for _ in range(self.random.randint(0, 2))]
        if self.chance(0.4):
            nodes.append(self._operator(record))
        if self.chance(0.2):
            nodes.append(self._static(record))
        return nodes

    def _method_of(self, record: Record) -> Node:
        """A method that reads or changes members, some of them by `this->`."""
        result, is_changed = self.kind(), self.chance(0.5)
        kinds = [self.kind() for _ in range(self.random.randint(0, 2))]
        name = self.random.choice([self.name("method"), "operator()"])
        if any(each.name == name for each in record.methods):
            name = self.name("method")
        names = [self.name("a") for _ in kinds]
        with self.function():
            for member, what in record.members:
                written = f"this->{member}" if self.chance(0.3) else member
                self.add(written, what, root="this", is_mutable=is_changed)
            body, value, cost = self.body_of(list(zip(names, kinds, strict=True)), result)
        record.methods.append(
            Callable(
                name, result, [Parameter(each) for each in kinds], cost, changes_object=is_changed
            )
        )
        pairs = zip(kinds, names, strict=True)
        text = ", ".join(f"{kind.type} {each}" for kind, each in pairs)
        const = "" if is_changed else " const"
        head = f"__device__ {result.type} {name}({text}){const} {{\n"
        return Statement(head, body, "return ", value, ";\n}\n")

    def body_of(
        self, parameters: list[tuple[str, Kind]], result: Kind, returns: bool = True
    ) -> tuple[Block, Node, int]:
        """The statements of a function, what it returns, and what it costs."""
        for name, kind in parameters:
            self.add(name, kind)
        self.result, loops, self.loops = result if returns else None, self.loops, 0
        depth, self.depth = self.depth, 1
        body = Block()
        for _ in range(self.random.randint(0, 4)):
            body.parts.append(self.statement())
        self.depth, self.loops, self.result = depth, loops, None
        with self.whole():
            value = self.fitted(self.number(3), result)
        return body, value, 1 + self.cost

    def _operator(self, record: Record) -> Node:
        """An operator that makes a struct of two."""
        op = self.random.choice(("+", "-", "*", "^"))
        changes: list[Part] = []
        with self.function():
            for prefix in ("", "other."):
                for member, what in record.members:
                    self.add(prefix + member, what, root=prefix or "this", is_mutable=False)
            numbers = [each for each in record.members if isinstance(each[1], Kind)]
            for member, kind in self.random.sample(numbers, min(2, len(numbers))):
                assert isinstance(kind, Kind)
                with self.whole():
                    value = self.fitted(self.number(2), kind)
                changes.append(Statement(f"result.{member} = ", value, ";\n"))
        record.operators.append(op)
        name = record.name.split("<")[0]
        head = f"__device__ {name} operator{op}(const {name}& other) const {{\n"
        head += f"{name} result = *this;\n"
        return Statement(head, Block(*changes), "return result;\n}\n")

    def _static(self, record: Record) -> Node:
        kind, result, own = self.kind(), self.kind(), self.name("a")
        name = self.name("common")
        with self.function():
            body, value, cost = self.body_of([(own, kind)], result)
        self.callables[0].append(
            Callable(f"{record.name}::{name}", result, [Parameter(kind)], cost)
        )
        head = f"static __device__ {result.type} {name}({kind.type} {own}) {{\n"
        return Statement(head, body, "return ", value, ";\n}\n")

    def template_struct(self) -> Node:
        """An array with methods, of any type without a sign or of floats."""
        name = self.name("Vec")
        for kind in self.random.sample([types.UINT, types.ULONG, types.FLOAT, types.DOUBLE], 2):
            record = Record(f"{name}<{kind.type}, 4>", [("v", Array(kind, 4))])
            record.methods = [
                Callable("sum", kind, [], 4),
                Callable("at", kind, [Parameter(Kind("int", 0, 3))], 1),
                Callable(
                    "put",
                    kind,
                    [Parameter(Kind("int", 0, 3)), Parameter(kind)],
                    1,
                    changes_object=True,
                ),
            ]
            record.operators = ["+"]
            self.records.append(record)
        op = self.random.choice("+-*")
        text = f"""template <typename T, int N> struct {name} {{
  T v[N];
  __device__ T sum() const {{ T s = 0; for (int j = 0; j < N; ++j) s {op}= v[j]; return s; }}
  __device__ T& operator[](int j) {{ return v[j]; }}
  __device__ const T& at(int j) const {{ return v[j]; }}
  __device__ T& put(int j, T by) {{ (*this)[j] {op}= by; return v[(j + 1) % N]; }}
  __device__ {name} operator+(const {name}& o) const {{
    {name} r = *this;
    for (int j = 0; j < N; ++j) r[j] += o.v[j];
    return r;
  }}
}};
"""
        return Statement(text)
