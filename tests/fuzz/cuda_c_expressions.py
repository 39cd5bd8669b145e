"""Random expressions of CUDA C that are defined whatever their variables hold."""

from __future__ import annotations

from collections.abc import Callable as Function

import cuda_c_types as types
from cuda_c_scope import Array, Callable, Parameter, Record, Scope, Variable, What
from cuda_c_tree import Expression, Node, Part
from cuda_c_types import Kind, converted, is_float

FLOAT_LITERALS = ("0.0", "1.0", "-1.5", "0.1", "3.0", "-7.25", "1e10", "1e-3", "0.333", "-0.0")
OPERATORS = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "+", "-", "*")
COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
# name, parameters, result, what it gives at least and at most
FUNCTIONS = (
    ("__popc", ("unsigned",), Kind("int", 0, 32)),
    ("__clz", ("int",), Kind("int", 0, 32)),
    ("__ffs", ("int",), Kind("int", 0, 32)),
    ("__brev", ("unsigned",), types.UINT),
    ("__umulhi", ("unsigned", "unsigned"), types.UINT),
    ("__popcll", ("unsigned long long",), Kind("int", 0, 64)),
    ("sqrtf", ("float",), types.FLOAT),
    ("sqrt", ("double",), types.DOUBLE),
    ("fabsf", ("float",), types.FLOAT),
    ("floorf", ("float",), types.FLOAT),
    ("trunc", ("double",), types.DOUBLE),
    ("fmaf", ("float", "float", "float"), types.FLOAT),
)


def of(kind: Kind, *parts: Part) -> Expression:
    return Expression(kind.type, kind.low, kind.high, *parts)


class Expressions(Scope):
    """Writes expressions over the names of a scope."""

    _indices = 0  # of elements around what is written

    # ---- Places ----

    def index(self, count: int) -> Expression:
        """A number that is below `count`, which is a power of two."""
        form = self.random.randrange(6) if self._indices < 3 else 5
        counters = [
            each
            for each in self.visible()
            if isinstance(each.what, Kind) and each.what.low >= 0 and each.what.high < count
        ]
        counters = [each for each in counters if not is_float(each.what.type)]  # type: ignore[union-attr]
        if form < 3 and counters:
            chosen = self.random.choice(counters)
            self.read(chosen.root)
            return Expression("int", 0, count - 1, chosen.name, least="0")
        if form == 5:
            return Expression("int", 0, count - 1, str(self.random.randrange(count)), least="0")
        self._indices += 1
        inner = self.whole_number(self.leaf())  # it may be written twice: nothing changes
        if self.chance(0.3):
            inner = self.combined("+", inner, self.whole_number(self.leaf()))
        self._indices -= 1
        if form == 4:
            return Expression("int", 0, count - 1, "(unsigned)(", inner, f") % {count}", least="0")
        return Expression("int", 0, count - 1, "(", inner, f") & {count - 1}", least="0")

    def _drill(self, parts: list[Part], what: What) -> tuple[list[Part], Kind]:
        """Down to a number in an array or a struct."""
        while not isinstance(what, Kind):
            if isinstance(what, Record):
                name, inner = self.random.choice(what.members)
                is_through = str(parts[0]) == "(*" and parts[-1] == ")" and self.chance(0.5)
                parts = [*parts[1:-1], f"->{name}"] if is_through else [*parts, f".{name}"]
                what = inner
                continue
            form = self.random.randrange(8)
            index = self.index(what.count)
            if form == 0:
                parts = ["(*(", *parts, " + (", index, ")))"]
            elif form == 1:
                parts = ["(*", *parts, ")"]
            elif form == 2:
                parts = ["(", index, ")[", *parts, "]"]
            else:
                parts = [*parts, "[", index, "]"]
            what = what.element
        return parts, what

    def place_of(self, variable: Variable) -> Expression:
        """A number in a variable."""
        parts, kind = self._drill([variable.name], variable.what)
        return of(kind, *parts)

    def leaf(self) -> Expression:
        """A variable or a literal."""
        found = self.visible()
        if found and self.chance(0.8):
            recent = found[-8:] if self.chance(0.5) else found
            variable = self.random.choice(recent)
            self.read(variable.root)
            return self.place_of(variable)
        return self.literal()

    def literal(self) -> Expression:
        if self.chance(0.25):
            text = self.random.choice(FLOAT_LITERALS)
            type_name = self.random.choice(types.FLOATS)
            text = f"({text}{types.SUFFIX.get(type_name, '')})" if text[0] == "-" else text
            if type_name == "float" and text[0] != "(":
                text += "f"
            return Expression(type_name, 0, 0, text)
        type_name = self.random.choice(types.WIDE)
        low, high = types.RANGES[type_name]
        value = self.random.choice((0, 1, 2, 3, 5, 7, -1, -3, 10, 100, 1000, 65535, low, high))
        value = max(low, min(high, value))
        return Expression(type_name, value, value, types.literal(type_name, value))

    # ---- Numbers ----

    def number(self, depth: int) -> Expression:
        """A number of any type."""
        if depth <= 0 or self.chance(0.1):
            return self.leaf()
        forms: tuple[tuple[int, Function[[int], Expression]], ...] = (
            (12, self._operation),
            (3, self._unary),
            (3, self.cast),
            (2, self._choice),
            (2, self.truth),
            (2, self._effect),
            (3, self._call),
            (1, self._builtin),
            (1, self._comma),
            (1, self._stepped_element),
            (1, self._extreme),
        )
        weights, functions = zip(*forms, strict=True)
        return self.random.choices(functions, weights)[0](depth - 1)

    def integer(self, depth: int) -> Expression:
        """An integer of any type."""
        return self.whole_number(self.number(depth))

    def whole_number(self, given: Expression) -> Expression:
        """An integer: of a float, what a function makes of it that knows a float's limits."""
        if not is_float(given.type):
            return given
        kind = self.random.choice((types.INT, types.INT, types.LONG, types.NARROW[4]))
        return of(kind, f"whole<{kind.type}>(", given, ")")

    def _operation(self, depth: int) -> Expression:
        return self.combined(self.random.choice(OPERATORS), self.number(depth), self.number(depth))

    def combined(self, op: str, a: Expression, b: Expression) -> Expression:
        """An operation of two numbers, made defined where it may not be."""
        type_name = types.common(a.type, b.type)
        if is_float(type_name):
            if op in ("+", "-", "*", "/"):
                return Expression(type_name, 0, 0, "(", a, f" {op} ", b, ")")
            a, b = self.whole_number(a), self.whole_number(b)
        if op in ("<<", ">>"):
            return self._shift(op, a, b)
        if op in ("/", "%"):
            b = self.divisor(b)
        type_name = types.common(a.type, b.type)
        if op in ("/", "%") and type_name not in types.UNSIGNED and self.chance(0.3):
            most = max(map(abs, self._as(a, type_name)))
            if most <= types.RANGES[type_name][1]:
                return Expression(type_name, -most, most, "(", a, f" {op} -", b, ")")
        for _ in range(2):
            low, high = types.result(op, self._as(a, type_name), self._as(b, type_name))
            if types.is_inside(low, high, type_name):
                return Expression(type_name, low, high, "(", a, f" {op} ", b, ")")
            if type_name in types.UNSIGNED:
                low, high = types.RANGES[type_name]
                return Expression(type_name, low, high, "(", a, f" {op} ", b, ")")
            a, b = self.small(a), self.small(b)
        raise AssertionError(f"{a} {op} {b}")

    def _as(self, given: Expression, type_name: str) -> tuple[int, int]:
        return converted(given.low, given.high, type_name)

    def small(self, given: Expression) -> Expression:
        """A number that products of two keep within an int."""
        if given.low >= -10000 and given.high <= 10000:
            return given
        type_name = types.promoted(given.type)
        low = -9999 if given.low < 0 else 0
        return Expression(type_name, low, 9999, "(", given, " % 10000)", least="1")

    def divisor(self, given: Expression) -> Expression:
        """A number above 0."""
        if given.low > 0:
            return Expression(given.type, given.low, given.high, given, least="1")
        mask = self.random.choice((7, 15, 255))
        type_name = types.promoted(given.type)
        return Expression(type_name, 1, mask + 1, "((", given, f" & {mask}) + 1)", least="1")

    def _shift(self, op: str, a: Expression, b: Expression) -> Expression:
        type_name = types.promoted(a.type)
        most = types.bits(type_name) - 1
        if (
            op == "<<"
            and type_name not in types.UNSIGNED
            and (a.low < 0 or a.high << 7 > 2**31 - 1)
        ):
            a = Expression("unsigned", 0, 2**32 - 1, "(unsigned)", a)
            type_name, most = "unsigned", 31
        most = most if type_name in types.UNSIGNED or op == ">>" else 7
        by_type = types.promoted(b.type)
        if b.low >= 0 and b.high <= most:
            by = Expression(by_type, b.low, b.high, b, least="1")
        else:
            by = Expression(by_type, 0, most, "(", b, f" & {most})", least="1")
        low, high = types.result(op, (a.low, a.high), (by.low, by.high))
        if not types.is_inside(low, high, type_name):
            low, high = types.RANGES[type_name]
        return Expression(type_name, low, high, "(", a, f" {op} ", by, ")")

    def _unary(self, depth: int) -> Expression:
        inner = self.number(depth)
        op = self.random.choice(("-", "~", "+", "-"))
        type_name = types.promoted(inner.type)
        if is_float(type_name):
            return Expression(type_name, 0, 0, "(-" if op == "-" else "(+", inner, ")")
        low, high = inner.low, inner.high
        if op == "-":
            low, high = -high, -low
            if type_name not in types.UNSIGNED and not types.is_inside(low, high, type_name):
                op, low, high = "~", -1 - inner.high, -1 - inner.low
        elif op == "~":
            low, high = -1 - high, -1 - low
        low, high = converted(low, high, type_name)
        return Expression(type_name, low, high, f"({op}", inner, ")")

    def cast(self, depth: int) -> Expression:
        type_name = self.random.choice((*types.RANGES, *types.FLOATS))
        inner = self.number(depth)
        if is_float(inner.type) and not is_float(type_name) and type_name != "bool":
            inner = self.whole_number(inner)
        form = self.random.choice(("(({0})(", "static_cast<{0}>((", "(({0})("))
        low, high = converted(inner.low, inner.high, type_name)
        if is_float(inner.type) and type_name == "bool":
            low, high = 0, 1
        return Expression(type_name, low, high, form.format(type_name), inner, "))")

    def _choice(self, depth: int) -> Expression:
        with self.in_order() as operands:
            next(operands)
            condition = self.truth(depth)
            next(operands)
            a = self.number(depth)
            next(operands)
            b = self.number(depth)
        return self.chosen(condition, a, b)

    def chosen(self, condition: Node, a: Expression, b: Expression) -> Expression:
        type_name = a.type if a.type == b.type else types.common(a.type, b.type)
        low, high = 0, 0
        if not is_float(type_name):
            one, other = self._as(a, type_name), self._as(b, type_name)
            low, high = min(one[0], other[0]), max(one[1], other[1])
        return Expression(type_name, low, high, "(", condition, " ? ", a, " : ", b, ")")

    def _comma(self, depth: int) -> Expression:
        with self.in_order() as operands:
            next(operands)
            first = self._effect(depth)
            next(operands)
            last = self.number(depth)
        return Expression(last.type, last.low, last.high, "(", first, ", ", last, ")")

    def _extreme(self, depth: int) -> Expression:
        type_name = self.random.choice(types.WIDE)
        kind = Kind(type_name, *types.RANGES[type_name])
        a, b = (self.fitted(self.number(depth), kind) for _ in "ab")
        name = self.random.choice(("min", "max"))
        one, other = self._as(a, type_name), self._as(b, type_name)
        low, high = min(one[0], other[0]), max(one[1], other[1])
        parts = (f"{name}(({type_name})", a, f", ({type_name})", b, ")")
        return Expression(type_name, low, high, *parts)

    def _builtin(self, depth: int) -> Expression:
        name, parameters, kind = self.random.choice(FUNCTIONS)
        parts: list[Part] = [f"{name}("]
        for number, type_name in enumerate(parameters):
            inner = self.number(depth)
            if not is_float(type_name):
                inner = self.whole_number(inner)
            parts += [", " if number else "", f"({type_name})", inner]
        return of(kind, *parts, ")")

    # ---- Truth ----

    def truth(self, depth: int) -> Expression:
        """A condition."""
        form = self.random.randrange(10) if depth > 0 else 0
        if form < 5:
            op = self.random.choice(COMPARISONS)
            parts: list[Part] = [
                "(",
                self.number(depth - 1),
                f" {op} ",
                self.number(depth - 1),
                ")",
            ]
        elif form < 8:
            parts = self._logical(depth)
        elif form == 8:
            parts = ["(!", self.truth(depth - 1), ")"]
        else:
            parts = self._guarded()
        return Expression("bool", 0, 1, *parts)

    def _logical(self, depth: int) -> list[Part]:
        op = self.random.choice(("&&", "||"))
        with self.in_order() as operands:
            next(operands)
            first = self.truth(depth - 1)
            next(operands)
            second = self.truth(depth - 1)
        return ["(", first, f" {op} ", second, ")"]

    def _guarded(self) -> list[Part]:
        """What is defined only where the first operand is true."""
        a, b = self.leaf(), self.leaf()
        if is_float(a.type):
            return ["(", a, " > -1e6f && ", a, " < 1e6f && (int)(", a, ") % 3 == 1)"]
        name = types.promoted(a.type)
        b = self.whole_number(b)
        most = types.bits(types.promoted(b.type)) - 1
        forms: list[list[Part]] = [
            ["(", a, " > 0 && ", b, " / ", a, " > 3)"],
            ["(", a, " == 0 || ", "(int)((unsigned char)", b, ") % (int)(short)", a, " != 1)"],
            ["(", a, " >= 0 && ", a, f" < {most} && (((", b, " >> ", a, ") & 1)))"],
            ["(", a, " > -1000 && ", a, f" < 1000 && ({name})", a, " * 2000 > 5)"],
        ]
        if a.type not in ("short", "signed char", "char", "unsigned char", "bool"):
            del forms[1]  # what is not 0 may be 0 as a short
        return self.random.choice(forms)

    # ---- Effects and calls ----

    def target(self) -> tuple[Variable, Expression] | None:
        """A place that may be changed here; its index may read what it lies in."""
        found = [each for each in self.visible() if self.can_write(each)]
        if not found:
            return None
        variable = self.random.choice(found[-6:] if self.chance(0.6) else found)
        self.read(variable.root)
        return variable, self.place_of(variable)

    def _effect(self, depth: int) -> Expression:
        """An expression that changes a variable."""
        found = self.target()
        if found is None:
            return self.leaf()
        variable, place = found
        result = self.change(place, depth)
        self.write(variable.root)
        return result

    def _stepped_element(self, depth: int) -> Expression:
        """An element whose index changes a variable, which happens once."""
        found = [
            each
            for each in self.visible()
            if isinstance(each.what, Array) and isinstance(each.what.element, Kind)
        ]
        if not found:
            return self.leaf()
        array = self.random.choice(found)
        assert isinstance(array.what, Array) and isinstance(array.what.element, Kind)
        is_changed = self.can_write(array) and self.chance(0.6)
        self.read(array.root)
        index = self.whole_number(self._effect(depth))
        kind = array.what.element
        place = of(kind, array.name, "[(", index, f") & {array.what.count - 1}]")
        if not is_changed:
            return place
        self.write(array.root)
        is_stepped = self.chance(0.5) and (kind.low, kind.high) != (types.INT.low, types.INT.high)
        if is_stepped and kind.type not in ("bool", "int", "long long"):
            return of(kind, "(++", place, ")")
        return of(kind, "(", place, " = ", self.fitted(self.number(depth), kind), ")")

    def change(self, place: Expression, depth: int) -> Expression:
        """An assignment, or a step."""
        kind = Kind(place.type, place.low, place.high)
        form = self.random.randrange(4)
        if form == 0:
            return of(kind, "(", place, " = ", self.fitted(self.number(depth), kind), ")")
        if form == 1:
            return self._step(place)
        return of(kind, "(", *self.compound(place, depth), ")")

    def _step(self, place: Expression) -> Expression:
        """++ and --: of a signed number between two limits, if it has them."""
        kind = Kind(place.type, place.low, place.high)
        op = self.random.choice(("++", "--"))
        is_free = place.type not in ("bool", "int", "long long")
        if place.type == "bool":
            return of(kind, "(", place, " = !", place, ")")
        if is_free:
            parts: list[Part] = [op, place] if self.chance(0.5) else [place, op]
            low, high = types.RANGES.get(place.type, (0, 0))
            whole = (low, high) if not is_float(place.type) else (0, 0)
            if (place.low, place.high) != whole:
                return of(kind, "(", place, " = ", place, ")")
            return of(kind, "(", *parts, ")")
        return of(
            kind,
            "(",
            place,
            " < 1000 ? ",
            place,
            "++ : --",
            place,
            ")",
        )

    def compound(self, place: Expression, depth: int) -> list[Part]:
        """`place op= number`, which keeps to the range of the place."""
        right = self.number(depth)
        kind = Kind(place.type, place.low, place.high)
        if is_float(place.type):
            return [place, f" {self.random.choice('+-*/')}= ", right]
        is_whole = (place.low, place.high) == types.RANGES[place.type]
        right = self.whole_number(right)
        if place.type == "bool":
            return [place, f" {self.random.choice('&|^')}= ", right]
        if not is_whole:
            op = self.random.choice(("%", "/", "="))
            if op == "=":
                return [place, " = ", self.fitted(self.combined("+", place, right), kind)]
            return [place, f" {op}= ((int)(", right, ") & 15) + 1"]
        op = self.random.choice(("+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"))
        made = self.combined(op, place, right)
        operands = [each for each in made.parts if isinstance(each, Expression)]
        if len(operands) != 2 or operands[0] is not place:
            return [place, " = ", f"({place.type})", made]  # the left one was made smaller
        return [place, f" {op}= ", operands[1]]

    def fitted(self, given: Expression, kind: Kind) -> Expression:
        """A number that a variable of the kind may be assigned."""
        if is_float(kind.type):
            return given
        if is_float(given.type) and kind.type != "bool":
            given = self.whole_number(given)
        low, high = (0, 1) if is_float(given.type) else converted(given.low, given.high, kind.type)
        if kind.low <= low and high <= kind.high:
            return given
        if kind.low > -kind.high and given.low < 0:
            text = f") & {(1 << (kind.high.bit_length() - 1)) - 1})"
            return Expression(
                types.promoted(given.type), 0, kind.high, "((", given, text, least="0"
            )
        type_name = types.common(given.type, "long long" if kind.high > 2**31 else "int")
        bound = types.literal("long long" if kind.high > 2**31 else "int", kind.high)
        low = -kind.high if given.low < 0 else 0
        # One less than the limit: 0 is always inside.
        return Expression(type_name, low, kind.high, "((", given, f") % {bound})", least="0")

    def _call(self, depth: int) -> Expression:
        found = [
            each for scope in self.callables for each in scope if isinstance(each.result, Kind)
        ]
        self.random.shuffle(found)
        for callable_ in found[:4]:
            parts = self.call(callable_, depth)
            if parts is not None:
                return of(callable_.result, *parts)  # type: ignore[arg-type]
        return self._method(depth)

    def _method(self, depth: int) -> Expression:
        """A method that gives a number, of a variable that is a struct."""
        found = [each for each in self.visible() if isinstance(each.what, Record)]
        self.random.shuffle(found)
        for variable in found[:3]:
            assert isinstance(variable.what, Record)
            for method in variable.what.methods:
                is_changed = method.changes_object
                if (is_changed and not self.can_write(variable)) or not isinstance(
                    method.result, Kind
                ):
                    continue
                self.read(variable.root)
                parts = self.call(method, depth)
                if parts is None:
                    continue
                if is_changed:
                    self.write(variable.root)
                return of(method.result, f"{variable.name}.", *parts)
        return self.leaf()

    def call(self, callable_: Callable, depth: int) -> list[Part] | None:
        """A call with arguments that fit; None where it may not be made here."""
        if callable_.writes & (self.reads | self.locked | self.frozen):
            return None
        if callable_.reads & self.locked or not self.spend(callable_.cost):
            return None
        parts: list[Part] = [callable_.name, "("]
        outer, changed = set(self.reads), []
        self.reads |= callable_.reads
        for number, parameter in enumerate(callable_.parameters):
            argument = self._argument(parameter, depth, outer, changed)
            if argument is None:
                return None
            parts += [", " if number else "", argument]
        for root in (*changed, *callable_.writes):
            self.write(root)
        self.all_reads |= callable_.reads
        return [*parts, ")"]

    def _argument(
        self, parameter: Parameter, depth: int, outer: set[str], changed: list[str]
    ) -> Part | None:
        what = parameter.what
        if isinstance(what, Kind) and not parameter.is_changed:
            return self.fitted(self.number(min(depth, 1)), what)
        found = [each for each in self.visible() if each.what == what or self._points(each, what)]
        if parameter.is_changed:
            # By reference: nothing else of the call may be of the same memory.
            taken = outer | set(changed) | self.locked | self.frozen | self.reads
            found = [each for each in found if each.is_mutable and each.root not in taken]
        if not found:
            return None
        variable = self.random.choice(found)
        self.read(variable.root)
        if parameter.is_changed:
            changed.append(variable.root)
        return Node(variable.name)

    @staticmethod
    def _points(variable: Variable, what: What) -> bool:
        """Returns whether an array may be given for a pointer."""
        if not isinstance(what, Array) or not isinstance(variable.what, Array):
            return False
        return variable.what.element == what.element and variable.what.count >= what.count
