"""Dates read from text: ISO 8601 and what people write, and the format that a text has.

A text is taken apart into fields, each with the place where it was found: what is between the
fields is left, so that a format of ``strftime`` can be told from one text.
"""

from __future__ import annotations

import calendar
import datetime
import re
from typing import Any, NamedTuple

from phalanx.errors import DateParseError

from .duration_texts import MISSING_TEXTS as MISSING_TEXTS
from .units import PER_SECOND

# Resolutions from the coarsest to the finest.
RESOLUTIONS = ("Y", "Q", "M", "D", "h", "min", "s", "ms", "us", "ns")
_ISO = re.compile(
    r"(?P<Y>\d{4})(?:-(?P<m>\d{1,2})(?:-(?P<d>\d{1,2})"
    r"(?:(?:T|[ ]+)(?P<H>\d{1,2})(?::?(?P<M>\d{2})(?::?(?P<S>\d{2})(?:[.,](?P<f>\d+))?)?)?)?)?)?"
    r"[ ]*(?P<z>Z|UTC|[+-]\d{2}(?::?\d{2})?)?$"
)
_COMPACT = re.compile(
    r"(?P<Y>\d{4})(?P<m>\d{2})(?P<d>\d{2})"
    r"(?:[T ]?(?P<H>\d{2}):?(?P<M>\d{2})(?::?(?P<S>\d{2})(?:[.](?P<f>\d+))?)?)?"
    r"[ ]*(?P<z>Z|UTC|[+-]\d{2}(?::?\d{2})?)?$"
)
_QUARTER = re.compile(r"(?:(\d{4})-?[Qq]([1-4])|([1-4])-?[Qq]-?(\d{4}))$")
_CLOCK = re.compile(
    r"(?:(?<=\d)T|(?<![\d:]))(?P<H>\d{1,2})(?::(?P<M>\d{1,2})(?::(?P<S>\d{1,2})"
    r"(?:[.,](?P<f>\d+))?)?[ ]*(?P<p>[AaPp][Mm])?|[ ]*(?P<q>[AaPp][Mm]))(?![\w:])"
)
_ZONE = re.compile(r"[ ]*(?P<z>Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})$")
_TOKEN = re.compile(r"\d+|[A-Za-z]+|[^\dA-Za-z]+")
_PASSED = {"of", "th", "st", "nd", "rd", "and", "at", "t"}

_MONTHS = {name.lower(): i for i, name in enumerate(calendar.month_name) if name}
_SHORT_MONTHS = {name.lower(): i for i, name in enumerate(calendar.month_abbr) if name}
_SHORT_MONTHS["sept"] = 9
_WEEKDAYS = {name.lower() for name in calendar.day_name}
_SHORT_WEEKDAYS = {name.lower() for name in calendar.day_abbr} | {"tues", "wednes", "thur", "thurs"}


class Span(NamedTuple):
    """Where a field was found, and the directive of ``strftime`` that it is of."""

    start: int
    end: int
    directive: str


class ReadDate(NamedTuple):
    """What a text says; the offset from UTC is in seconds, None where none is named."""

    fields: tuple[int, int, int, int, int, int]
    nanoseconds: int
    digits: int
    offset: int | None
    resolution: str
    spans: tuple[Span, ...] = ()

    @property
    def unit(self) -> str:
        """The unit of its count: 'us', or 'ns' where its second has more than six digits."""
        return "ns" if self.digits > 6 else "us"

    def count(self, unit: str) -> int:
        """A count of a unit since 1970, of what clocks show: the offset is left aside."""
        year, month, day, hour, minute, second = self.fields
        days = datetime.date(year, month, day).toordinal() - 719163
        seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
        per_second = PER_SECOND[unit]
        return seconds * per_second + self.nanoseconds * per_second // 10**9


def read_date(text: str, *, dayfirst: bool = False, yearfirst: bool = False) -> ReadDate:
    """What a text says. Raises DateParseError where it is no date."""
    stripped = text.strip()
    shift = len(text) - len(text.lstrip())
    for pattern in (_ISO, _COMPACT):
        match = pattern.match(stripped)
        if match is not None:
            return _of_match(match, text, shift, turned=dayfirst and int(match["d"] or 13) <= 12)
    quarter = _QUARTER.match(stripped)
    if quarter is not None:
        year, number = int(quarter[1] or quarter[4]), int(quarter[2] or quarter[3])
        return ReadDate((year, number * 3 - 2, 1, 0, 0, 0), 0, 0, None, "Q")
    return _Parts(text, dayfirst=dayfirst, yearfirst=yearfirst).read()


_TURNED = {"m": "d", "d": "m"}


def _of_match(match: re.Match[str], text: str, shift: int, *, turned: bool) -> ReadDate:
    """A date that begins with its year; `turned`: the day comes before the month."""
    named = match.groupdict()
    if turned:
        named["m"], named["d"] = named["d"], named["m"]
    spans = tuple(
        Span(match.start(name) + shift, match.end(name) + shift, _name(name, turned))
        for name in _ALL
        if match[name] is not None
    )
    return _made(text, named, spans)


_ALL = ("Y", "m", "d", "H", "M", "S", "f", "z")


def _name(name: str, turned: bool) -> str:
    return _TURNED.get(name, name) if turned else name


_RESOLUTION = (("S", "s"), ("M", "min"), ("H", "h"), ("d", "D"), ("m", "M"))


def _made(text: str, named: dict[str, Any], spans: tuple[Span, ...]) -> ReadDate:
    fraction = named.get("f") or ""
    resolution = next((name for key, name in _RESOLUTION if named.get(key) is not None), "Y")
    if fraction:
        resolution = "ms" if len(fraction) <= 3 else "us" if len(fraction) <= 6 else "ns"
    year, month, day = (int(named.get(key) or 1) for key in "Ymd")
    hour, minute, second = (int(named.get(key) or 0) for key in "HMS")
    fields = (year, month, day, hour, minute, second)
    _check(fields, text)
    nanoseconds = int(fraction[:9].ljust(9, "0")) if fraction else 0
    offset = _offset(named.get("z"))
    return ReadDate(fields, nanoseconds, len(fraction), offset, resolution, spans)


def _check(fields: tuple[int, ...], text: str) -> None:
    year, month, day, hour, minute, second = fields
    for value, most, name in ((hour, 23, "hour"), (minute, 59, "minute"), (second, 59, "second")):
        if value > most:
            raise DateParseError(f"{name} must be in 0..{most}: {text}")
    if not 1 <= year <= 9999:
        raise DateParseError(f"year {year} is out of range: {text}")
    if not 1 <= month <= 12:
        raise DateParseError(f"month must be in 1..12: {text}")
    if not 1 <= day <= calendar.monthrange(year, month)[1]:
        raise DateParseError(f"day is out of range for month: {text}")


def _offset(zone: str | None) -> int | None:
    if zone is None:
        return None
    if zone in ("Z", "UTC", "GMT"):
        return 0
    digits = zone[1:].replace(":", "").ljust(4, "0")
    seconds = int(digits[:2]) * 3600 + int(digits[2:]) * 60
    return -seconds if zone[0] == "-" else seconds


class _Parts:
    """A text that is no ISO 8601: a clock's time, a zone after it, and words and numbers."""

    def __init__(self, text: str, *, dayfirst: bool, yearfirst: bool) -> None:
        self.text = text
        self.dayfirst = dayfirst
        self.yearfirst = yearfirst
        self.named: dict[str, Any] = {}
        self.spans: list[Span] = []
        self.numbers: list[tuple[str, int]] = []  # Digits, and where they begin.

    def read(self) -> ReadDate:
        rest = self._without_clock(self.text)
        for found in _TOKEN.finditer(rest):
            token = found[0]
            if token.isdigit():
                self.numbers.append((token, found.start()))
            elif token.isalpha():
                self._word(token, found.start())
            elif not set(token) <= set(" ,./-\t"):
                raise self._refused()
        if (not self.spans and not self.numbers) or self.text.startswith("-"):
            raise self._refused()
        self._dates()
        return _made(self.text, self.named, tuple(sorted(self.spans)))

    def _refused(self) -> DateParseError:
        return DateParseError(f"Unknown datetime string format, unable to parse: {self.text}")

    def _add(self, directive: str, value: Any, start: int, size: int, key: str = "") -> None:
        self.named[key or directive] = value
        self.spans.append(Span(start, start + size, directive))

    def _without_clock(self, text: str) -> str:
        """The text with blanks where its time of the day and its zone are."""
        clock = _CLOCK.search(text)
        if clock is None:
            return text
        half = clock["p"] or clock["q"]
        hour = int(clock["H"])
        if half and not 1 <= hour <= 12:
            raise self._refused()
        if half:
            hour = hour % 12 + (12 if half.lower() == "pm" else 0)
        self._add("I" if half else "H", hour, clock.start("H"), len(clock["H"]), "H")
        for name in "MSf":
            if clock[name] is not None:
                self._add(name, clock[name], clock.start(name), len(clock[name]))
        if half:
            self._add("p", half, clock.start("p" if clock["p"] else "q"), 2)
        start, end = clock.span()
        zone = _ZONE.match(text, end)
        if zone is not None:
            directive = "Z" if zone["z"] in ("UTC", "GMT") else "z"
            self._add(directive, zone["z"], zone.start("z"), len(zone["z"]), "z")
            end = zone.end()
        return text[:start] + " " * (end - start) + text[end:]

    def _word(self, word: str, start: int) -> None:
        lower = word.lower()
        if lower in _SHORT_MONTHS or lower in _MONTHS:
            if "m" in self.named:
                raise self._refused()
            # "May" is taken as the whole name, as pandas does.
            whole = lower in _MONTHS
            number = _MONTHS[lower] if whole else _SHORT_MONTHS[lower]
            self._add("B" if whole else "b", number, start, len(word), "m")
        elif lower in _WEEKDAYS or lower in _SHORT_WEEKDAYS:
            directive = "A" if lower in _WEEKDAYS else "a"
            self.spans.append(Span(start, start + len(word), directive))
        elif lower not in _PASSED:
            raise self._refused()

    def _dates(self) -> None:
        """Which numbers are the year, the month and the day."""
        numbers = self.numbers
        if len(numbers) > 3 or (len(numbers) == 3 and "m" in self.named):
            raise self._refused()
        order = self._order([each for each, _ in numbers])
        for (digits, start), key in zip(numbers, order, strict=True):
            number = int(digits)
            if key == "Y" and len(digits) <= 2:
                self._add("y", _whole_year(number), start, len(digits), "Y")
            else:
                self._add(key, number, start, len(digits))
        today = datetime.date.today()
        # A time alone is of today; the day of a month is its first.
        alone = not numbers and "m" not in self.named
        self.named.setdefault("Y", today.year)
        if alone:
            self.named.update(m=today.month, d=today.day)

    def _order(self, numbers: list[str]) -> str:
        long = [i for i, each in enumerate(numbers) if len(each) > 2 or int(each) > 31]
        if len(long) > 1 or any(len(numbers[i]) not in (2, 4) for i in long):
            raise self._refused()
        year = long[0] if long else None
        if "m" in self.named:
            return _beside_month(len(numbers), year)
        if len(numbers) <= 1:
            if numbers and year is None:
                raise self._refused()
            return "Y" * len(numbers)
        if len(numbers) == 2:
            if year is None:
                return self._day_and_month(numbers)
            return "Ym" if year == 0 else "mY"
        return self._three(numbers, year)

    def _three(self, numbers: list[str], year: int | None) -> str:
        if year == 1:
            raise self._refused()
        if year is None:
            year = 0 if self.yearfirst else 2
        rest = [each for i, each in enumerate(numbers) if i != year]
        order = self._day_and_month(rest) if year else "md"
        return "Y" + order if year == 0 else order + "Y"

    def _day_and_month(self, pair: list[str]) -> str:
        first, second = map(int, pair)
        if self.dayfirst:
            return "md" if second > 12 and first <= 12 else "dm"
        return "dm" if first > 12 and second <= 12 else "md"


def _beside_month(count: int, year: int | None) -> str:
    if count == 0:
        return ""
    if count == 1:
        return "d" if year is None else "Y"
    return "Yd" if year == 0 else "dY"


def _whole_year(number: int) -> int:
    """A year of two digits: the one of these within 50 years of now."""
    now = datetime.date.today().year
    year = now // 100 * 100 + number
    if year >= now + 50:
        return year - 100
    return year + 100 if year < now - 50 else year


def guessed_format(text: str, *, dayfirst: bool = False, yearfirst: bool = False) -> str | None:
    """The format of ``strftime`` that a text has, None where it has none or is no whole date."""
    try:
        read = read_date(text, dayfirst=dayfirst, yearfirst=yearfirst)
    except DateParseError:
        return None
    directives = {each.directive for each in read.spans}
    named = {"Y" if each == "y" else "m" if each in "bB" else each for each in directives}
    if not {"Y", "m", "d"} <= named and not _is_short_iso(text):
        return None
    made, at = "", 0
    for span in read.spans:
        between = text[at : span.start]
        if any(each.isdigit() for each in between) or any(
            each.isalpha() and each != "T" for each in between
        ):
            return None
        made += between.replace("%", "%%") + "%" + span.directive
        at = span.end
    rest = text[at:]
    return made + rest if not any(each.isalnum() for each in rest) else None


def _is_short_iso(text: str) -> bool:
    return re.fullmatch(r"\d{4}(-\d{2})?", text) is not None
