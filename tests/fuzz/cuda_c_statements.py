"""Random statements of CUDA C: declarations, assignments, branches, loops that end, switches."""

from __future__ import annotations

from collections.abc import Callable as Function

import cuda_c_types as types
from cuda_c_expressions import Expressions, of
from cuda_c_scope import Array, Callable, Parameter, Record, Variable, What
from cuda_c_tree import Block, Node, Part, Statement
from cuda_c_types import Kind


class Statements(Expressions):
    """Writes statements; what they declare is known until their block ends."""

    def __init__(self, choices) -> None:
        super().__init__(choices)
        self.result: Kind | None = None  # what `return` may give here
        self.depth = 0
        self.loops = 0  # around this statement, in this function
        self.in_kernel = False

    def body(self, count: int, weight: int = 1) -> Block:
        """A block of statements."""
        block = Block()
        self.depth += 1
        with self.block(weight):
            for _ in range(count):
                block.parts.append(self.statement())
        self.depth -= 1
        return block

    def statement(self) -> Node:
        """One statement."""
        forms: list[tuple[int, Function[[], Node]]] = [
            (6, self.declaration),
            (8, self.assignment),
            (1, self.array),
            (1, self.record),
            (1, self.reference),
            (1, self.pointer),
            (1, self.closure),
            (2, self.procedure),
        ]
        if self.depth < 4:
            forms += [(4, self.branch), (2, self.switch)]
            if self.weight < 60:
                forms += [(4, self.loop)]
        if self.loops or self.result is not None:
            forms += [(1, self.jump)]
        weights, functions = zip(*forms, strict=True)
        with self.whole():
            return self.random.choices(functions, weights)[0]()

    # ---- Declarations ----

    def kind(self) -> Kind:
        return self.random.choice(types.KINDS)

    def declaration(self) -> Node:
        """A number: variable, constant, or of the type of its value."""
        if self.chance(0.2):
            value = self.number(3)
            name = self.name("v")
            self.add(name, Kind(value.type, value.low, value.high), is_mutable=False)
            return Statement(
                "const auto " if self.chance(0.5) else "auto ", name, " = ", value, ";\n"
            )
        kind = self.kind()
        value = self.fitted(self.number(3), kind)
        is_mutable = self.chance(0.8)
        name = self.name("v")
        self.add(name, kind, is_mutable=is_mutable)
        return Statement(f"{'' if is_mutable else 'const '}{kind.type} {name} = ", value, ";\n")

    def list_of(self, what: What) -> Node:
        """Braces with the values of an array or a struct, or with some of them."""
        if isinstance(what, Kind):
            with self.whole():
                value = self.fitted(self.number(1), what)
            # Braces refuse what may lose digits.
            return of(what, f"({what.type})(", value, ")")
        if isinstance(what, Record):
            parts = [self.list_of(each) for _, each in what.members]
        else:
            count = what.count if self.chance(0.7) else self.random.randint(0, what.count)
            parts = [self.list_of(what.element) for _ in range(count)]
        commas = [each for part in parts for each in (", ", part)][1:]
        return Node("{", *commas, "}")

    def array(self) -> Node:
        """An array of one or two dimensions, on the stack."""
        kind = self.kind()
        element: What = kind
        if self.records and self.chance(0.2):
            element = self.random.choice(self.records)
            if element.makers:
                element = kind
        counts = self.random.choice(((2,), (4,), (8,), (2, 4), (4, 2), (2, 2, 2)))
        what: What = element
        for count in reversed(counts):
            what = Array(what, count)
        values = self.list_of(what)
        name = self.name("h")
        is_mutable = self.chance(0.85)
        self.add(name, what, is_mutable=is_mutable)
        const = "" if is_mutable else "const "
        extents = "".join(f"[{each}]" for each in counts)
        spelled = element.type if isinstance(element, Kind) else element.name  # type: ignore[union-attr]
        return Statement(f"{const}{spelled} {name}{extents} = ", values, ";\n")

    def record(self) -> Node:
        """A struct: by a list, a constructor, or as a copy of another."""
        if not self.records:
            return self.array()
        record = self.random.choice(self.records)
        found = [each for each in self.visible() if each.what is record]
        name = self.name("s")
        if found and self.chance(0.3):
            text: Node = Statement(f"{record.name} {name} = {self.random.choice(found).name};\n")
        elif found and record.operators and self.chance(0.5):
            a, b = (self.random.choice(found).name for _ in "ab")
            op = self.random.choice(record.operators)
            text = Statement(f"{record.name} {name} = {a} {op} {b};\n")
        elif (made := self._made(record)) is not None and self.chance(0.6):
            text = Statement(f"{record.name} {name} = ", *made, ";\n")
        elif record.makers:
            maker = self.random.choice(record.makers)
            parts: list[Part] = []
            for number, kind in enumerate(maker):
                parts += [", " if number else "", self.fitted(self.number(1), kind)]
            opening = "(" if parts else "{"
            closing = ")" if parts else "}"
            text = Statement(f"{record.name} {name}{opening}", *parts, f"{closing};\n")
        else:
            equals = self.random.choice((" = ", ""))
            text = Statement(f"{record.name} {name}{equals}", self.list_of(record), ";\n")
        self.add(name, record)
        return text

    def _made(self, record: Record) -> list[Part] | None:
        """A call that gives a struct of the sort; None where there is none."""
        found = [each for scope in self.callables for each in scope if each.result is record]
        return self.call(self.random.choice(found), 2) if found else None

    def reference(self) -> Node:
        """Another name of a number in a variable."""
        # NVRTC gives no addresses of threadIdx and its relatives.
        found = [
            each
            for each in self.visible()
            if each.root not in self.frozen and "Idx" not in each.name and "Dim" not in each.name
        ]
        if not found:
            return self.declaration()
        variable = self.random.choice(found)
        place = self.place_of(variable)
        is_mutable = variable.is_mutable and self.chance(0.8)
        name = self.name("r")
        kind = Kind(place.type, place.low, place.high)
        self.add(name, kind, root=variable.root, is_mutable=is_mutable)
        return Statement(f"{'' if is_mutable else 'const '}{place.type}& {name} = ", place, ";\n")

    def pointer(self) -> Node:
        """A pointer into an array, or to a struct."""
        found = [each for each in self.visible() if isinstance(each.what, Array | Record)]
        if not found:
            return self.array()
        variable = self.random.choice(found)
        while isinstance(variable.what, Array) and isinstance(variable.what.element, Array):
            inner, index = variable.what.element, self.index(variable.what.count)
            whole = (f"{variable.name}[{index}]", inner, variable.root, variable.is_mutable)
            variable = Variable(*whole)
        name = self.name("p")
        is_mutable = variable.is_mutable and variable.root not in self.frozen
        const = "" if is_mutable else "const "
        if isinstance(variable.what, Record):
            self.add(name, Array(variable.what, 1, True), root=variable.root, is_mutable=not const)
            return Statement(f"{const}{variable.what.name}* {name} = &{variable.name};\n")
        assert isinstance(variable.what, Array)
        element = variable.what.element
        count = variable.what.count
        first = self.random.choice([0, 0, count // 2, count - 1])
        left = 1 << ((count - first).bit_length() - 1)
        self.add(name, Array(element, left, True), root=variable.root, is_mutable=not const)
        spelled = element.type if isinstance(element, Kind) else element.name  # type: ignore[union-attr]
        texts = [f"{variable.name} + {first}", f"&{variable.name}[{first}]"]
        texts += [f"n > 4 ? {variable.name} + {first} : {variable.name}"] if self.in_kernel else []
        return Statement(f"{const}{spelled}* {name} = {self.random.choice(texts)};\n")

    # ---- Lambdas ----

    def closure(self) -> Node:
        """A lambda: with copies, or with references to what it changes."""
        kind, parameter = self.kind(), self.kind()
        name, own = self.name("f"), self.name("q")
        by_reference = self.chance(0.5)
        reads, writes = self.all_reads, self.all_writes
        frozen, loops, result, cost = self.frozen, self.loops, self.result, self.cost
        self.all_reads, self.all_writes, self.loops, self.result = set(), set(), 0, None
        captured, extra = self._captures(by_reference)
        if not by_reference:
            self.frozen = frozen | {each.root for scope in self.scopes for each in scope}
        parts: list[Part] = []
        with self.block():
            if extra is not None:
                self.scopes[-1].append(extra)
            self.add(own, parameter)
            body = self.body(self.random.randint(0, 2)) if self.chance(0.5) else Block()
            with self.whole():
                value = self.fitted(self.number(2), kind)
            parts = [
                f"({parameter.type} {own}) -> {kind.type} {{\n",
                body,
                "return ",
                value,
                ";\n}",
            ]
        made = Callable(
            name,
            kind,
            [Parameter(parameter)],
            cost=1 + (self.cost - cost) // self.weight,
            reads=frozenset(self.all_reads) if by_reference else frozenset(),
            writes=frozenset(self.all_writes) if by_reference else frozenset(),
        )
        self.all_reads, self.all_writes = reads | self.all_reads, writes | self.all_writes
        self.frozen, self.loops, self.result = frozen, loops, result
        self.callables[-1].append(made)
        return Statement(f"auto {name} = [", *captured, "]", *parts, ";\n")

    def _captures(self, by_reference: bool) -> tuple[list[Part], Variable | None]:
        capture = "&" if by_reference else "="
        if not self.chance(0.3):
            return [capture], None
        name = self.name("k")
        with self.whole():
            value = self.number(2)
        kind = Kind(value.type, value.low, value.high)
        return [f"{capture}, {name} = ", value], Variable(name, kind, name, is_mutable=False)

    # ---- Changes ----

    def assignment(self) -> Node:
        """A place gets a value."""
        found = self.target()
        if found is None:
            return self.declaration()
        variable, place = found
        form = self.random.randrange(5)
        if form == 0:
            result: Node = Statement(*self.compound(place, 3), ";\n")
        elif form == 1:
            result = Statement(self._step(place), ";\n")
        else:
            kind = Kind(place.type, place.low, place.high)
            result = Statement(place, " = ", self.fitted(self.number(4), kind), ";\n")
        self.write(variable.root)
        return result

    def _struct_element(self) -> Node | None:
        """An element that is a struct gets a value, whose index may change something."""
        found = [
            each
            for each in self.visible()
            if isinstance(each.what, Array)
            and isinstance(each.what.element, Record)
            and self.can_write(each)
        ]
        if not found:
            return None
        array = self.random.choice(found)
        assert isinstance(array.what, Array) and isinstance(array.what.element, Record)
        record = array.what.element
        # g++ 12 finds the element before it looks at the right side, which C++17 has first: here
        # neither may change what the other reads.
        right = self._made(record)
        if right is None:
            others = [each for each in self.visible() if each.what is record]
            if not others:
                return None
            other = self.random.choice(others)
            self.read(other.root)
            right = [other.name]
        if not self.can_write(array):
            return None
        self.read(array.root)
        index = self.whole_number(self._effect(2))
        self.write(array.root)
        return Statement(f"{array.name}[(", index, f") & {array.what.count - 1}] = ", *right, ";\n")

    def procedure(self) -> Node:
        """A call for its effects, or an assignment of a struct."""
        if self.chance(0.2):
            element = self._struct_element()
            if element is not None:
                return element
        found = [each for each in self.visible() if isinstance(each.what, Record)]
        if found and self.chance(0.4):
            a, b = (self.random.choice(found) for _ in "ab")
            if a.what is b.what and self.can_write(a):
                assert isinstance(a.what, Record)
                made = self._made(a.what) if self.chance(0.5) else None
                self.write(a.root)
                return Statement(f"{a.name} = ", *(made or [b.name]), ";\n")
        choices = [each for scope in self.callables for each in scope]
        self.random.shuffle(choices)
        for callable_ in choices[:4]:
            parts = self.call(callable_, 2)
            if parts is not None:
                return Statement(*parts, ";\n")
        value = self._method(2)
        return Statement(value, ";\n")

    def jump(self) -> Node:
        """break, continue or return, under a condition."""
        condition = self.truth(2)
        words = ["break;", "continue;"] if self.loops else []
        if self.result is not None:
            with self.whole():
                value = self.fitted(self.number(2), self.result)
            if not words or self.chance(0.3):
                return Statement("if (", condition, ") return ", value, ";\n")
        return Statement("if (", condition, f") {self.random.choice(words)}\n")

    # ---- Branches and loops ----

    def branch(self) -> Node:
        """if, with else or without."""
        condition = self.truth(3)
        if self.chance(0.1):
            name = self.name("c")
            value = self.fitted(self.number(2), types.INT)
            with self.block():
                self.add(name, types.INT)
                then = self.body(self.random.randint(1, 2))
            return Statement(f"if (int {name} = ", value, ") {\n", then, "}\n")
        parts: list[Part] = ["if (", condition, ") {\n", self.body(self.random.randint(1, 3)), "}"]
        if self.chance(0.2):
            with self.whole():
                condition = self.truth(2)
            parts += [" else if (", condition, ") {\n", self.body(self.random.randint(1, 2)), "}"]
        if self.chance(0.5):
            parts += [" else {\n", self.body(self.random.randint(1, 2)), "}"]
        return Statement(*parts, "\n")

    def loop(self) -> Node:
        """A loop that ends."""
        self.loops += 1
        forms = (
            *(self._counted, self._counted, self._counted, self._while, self._do, self._walk),
            *(self._wrapping, self._wander),
        )
        result = self.random.choice(forms)(self.name("i"))
        self.loops -= 1
        return result

    def _wrapping(self, name: str) -> Node:
        """for, whose counter ends by going around.

        NVRTC takes ``++`` and ``--`` of signed char and short beyond the type for undefined.
        """
        first = self.random.randint(0, 4)
        up = f"{name} = 126; {name} > 0 || {name} < -126; {name} += 1"
        down = f"{name} = {first}; {name} <= {first}; --{name}"
        heads = (
            (f"unsigned {down}", Kind("unsigned", 0, first)),
            (f"unsigned short {down}", Kind("unsigned short", 0, first)),
            (f"unsigned char {name} = 253; {name} != 2; ++{name}", Kind("unsigned char", 0, 255)),
            (f"signed char {up}", types.NARROW[2]),
        )
        head, kind = self.random.choice(heads)
        with self.block():
            self.add(name, kind, is_mutable=False)
            body = self.body(self.random.randint(1, 2), 5)
        return Statement(f"for ({head}) {{\n", body, "}\n")

    def _wander(self, name: str) -> Node:
        """A pointer that goes on with each element that it writes or reads."""
        found = [
            each
            for each in self.visible()
            if isinstance(each.what, Array)
            and isinstance(each.what.element, Kind)
            and each.what.count <= 8
            and self.can_write(each)
        ]
        if not found:
            return self._counted(name)
        array = self.random.choice(found)
        assert isinstance(array.what, Array) and isinstance(array.what.element, Kind)
        kind, count = array.what.element, array.what.count
        self.read(array.root)
        walker = self.name("w")
        with self.block(count):
            self.add(name, Kind("int", 0, count - 1), is_mutable=False)
            with self.whole():
                value = self.fitted(self.number(2), kind)
        self.write(array.root)
        forms = ("*{0}++ = ", "*{0} = ", "{0}[0] = ", "*++{0} = ", "*(({0} += 2) - 1) = ")
        form = self.random.randrange(len(forms))
        start, steps = (f"{array.name} - 1", count) if form == 3 else (array.name, count)
        if form == 3:  # before the first there is nothing
            start, steps = array.name, count - 1
        if form == 4:
            steps = count // 2
        after = f"{walker} = {walker} + 1;\n" if form in (1, 2) else ""
        length, moved = self.name("v"), self.name("v")
        self.add(length, Kind("int", 0, 8))
        return Statement(
            f"{kind.type}* {walker} = {start};\n"
            f"for (int {name} = 0; {name} < {steps}; ++{name}) {{\n" + forms[form].format(walker),
            value,
            f";\n{after}}}\nlong long {moved} = {walker} - {array.name};\n"
            f"int {length} = (int){moved} + ({walker} > {array.name});\n",
        )

    def _counted(self, name: str) -> Node:
        """for, whose counter goes up or down."""
        count = self.random.choice((2, 3, 4, 4, 5, 8))
        step = self.random.choice((1, 1, 1, 2, 3))
        with self.whole():
            bound = self.whole_number(self.number(1))
        type_name = self.random.choice(("int", "int", "unsigned", "long long", "short", "size_t"))
        seen = {"size_t": "unsigned long long"}.get(type_name, type_name)
        low = self.random.choice((0, 0, -2)) if seen in ("int", "long long", "short") else 0
        by = self.random.choice((f"++{name}", f"{name}++")) if step == 1 else f"{name} += {step}"
        last = low + count - 1
        down = f"{name} > {low}; --{name}"
        heads: list[tuple[int, int, list[Part]]] = [
            (low, last, [f"{name} = {low}; {name} <= {last}; {by}"]),
            (low, 5, [f"{name} = {low}; {name} < (int)((", bound, f") & 7) % 6; {by}"]),
            (low + 1, last, [f"{name} = {last}; {down}"]),
            (0, count - 1, [f"{name} = {count}; {name}-- > 0;"]),
            (low, 9, [f"{name} = {low}, n{name} = 9; {name} < n{name}; {by}, --n{name}"]),
        ]
        least, most, head = heads[self.random.choice((0, 0, 0, 1, 1, 2, 3, 4))]
        with self.block():
            self.add(name, Kind(seen, least, max(least, most)), is_mutable=False)
            body = self.body(self.random.randint(1, 3), 4)
        return Statement(f"for ({type_name} ", *head, ") {\n", body, "}\n")

    def _while(self, name: str) -> Node:
        count = self.random.randint(2, 5)
        with self.block():
            self.add(name, Kind("int", 0, count), is_mutable=False)
            with self.whole():
                condition = self.truth(2)
            body = self.body(self.random.randint(1, 3), 3)
        step = f"++{name};\n"
        if self.chance(0.3):
            head: list[Part] = [
                f"for (;;) {{\nif ({name}++ >= {count} || !",
                condition,
                ") break;\n",
            ]
        else:
            head = [f"while ({name} < {count} && ", condition, f") {{\n{step}"]
        return Statement(f"int {name} = 0;\n", *head, body, "}\n")

    def _do(self, name: str) -> Node:
        count = self.random.randint(1, 4)
        with self.block():
            self.add(name, Kind("int", 0, count), is_mutable=False)
            body = self.body(self.random.randint(1, 3), 3)
            with self.whole():
                condition = self.truth(2)
        return Statement(
            f"int {name} = 0;\ndo {{\n",
            body,
            f"}} while (++{name} < {count} && ",
            condition,
            ");\n",
        )

    def _walk(self, name: str) -> Node:
        """A pointer that goes through an array, or the elements of one."""
        found = [
            each
            for each in self.visible()
            if isinstance(each.what, Array)
            and isinstance(each.what.element, Kind)
            and each.what.count <= 8
        ]
        if not found:
            return self._counted(name)
        array = self.random.choice(found)
        assert isinstance(array.what, Array) and isinstance(array.what.element, Kind)
        element, count = array.what.element, array.what.count
        is_by_range = not array.what.is_pointer and self.chance(0.5)
        reference = self.random.choice(("", "&", "const &")) if is_by_range else "const *"
        is_mutable = reference == "" or (reference == "&" and array.is_mutable)
        is_mutable = is_mutable and (reference == "" or array.root not in self.frozen)
        root = array.root if reference else name
        with self.block():
            self.add(
                name if is_by_range else f"(*{name})", element, root=root, is_mutable=is_mutable
            )
            body = self.body(self.random.randint(1, 2), count)
        if is_by_range:
            mark = "&" if reference else ""
            const = "" if is_mutable else "const "
            head = f"for ({const}{element.type}{mark} {name} : {array.name}"
        else:
            ends = (f"!= {array.name} + {count}; ++{name}", f"- {array.name} < {count}; {name}++")
            end = self.random.choice(ends)
            head = f"for (const {element.type}* {name} = {array.name}; {name} {end}"
        return Statement(f"{head}) {{\n", body, "}\n")

    def switch(self) -> Node:
        """A switch, some of whose cases fall through."""
        count = self.random.randint(2, 5)
        value = self.whole_number(self.number(2))
        loops = self.loops
        parts: list[Part] = ["switch ((", value, f") & {self.random.choice((3, 7))}) {{\n"]
        labels = self.random.sample(range(8), count)
        default = self.random.randrange(count + 1)
        for number, label in enumerate(labels):
            text = f"case {label}:\n"
            if number == default:
                text = self.random.choice((f"default:\ncase {label}:\n", "default:\n"))
            elif self.chance(0.2):
                text += f"case {label + 10}:\n"
            body = self.body(self.random.randint(0, 2))
            end = self.random.choice(("break;\n", "break;\n", ""))
            parts += [text + "{\n", body, "}\n" + end]
        self.loops = loops
        return Statement(*parts, "}\n")
