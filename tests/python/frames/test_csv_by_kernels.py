"""CSV text by a GPU's kernels: what the host's reader gives, for its tests' texts and more."""

from __future__ import annotations

import os
from dataclasses import replace
from decimal import Decimal, localcontext

import numpy as np
import pytest
from phalanx._frames import csv_columns

import phalanx as px
from phalanx import _csv

from . import csv_oracle, test_csv, test_csv_interface, test_read_csv

_PARTS = ("values", "valid", "offsets", "bytes")


def _on_host(column):
    found = {name: getattr(column, name) for name in _PARTS}
    return replace(
        column, **{name: None if each is None else np.asarray(each) for name, each in found.items()}
    )


def _read(*args, **options):
    made = csv_columns.read_csv_columns(*args, **options)
    return [(name, _on_host(column)) for name, column in made] if isinstance(made, list) else made


@pytest.fixture(autouse=True)
def _by_kernels(monkeypatch):
    monkeypatch.setenv("PHALANX_ARRAY_KERNELS", "gpu")
    for module in (csv_oracle, test_csv_interface):
        monkeypatch.setattr(module, "read_csv_columns", _read)
    with px.device("cuda" if "cuda" in os.environ.get("PHALANX_TEST_DEVICES", "cpu") else "cpu"):
        yield


def _is_by_host(part):
    return any(isinstance(each, np.ndarray) for each in part)


@pytest.fixture
def taken(monkeypatch):
    """Rows that kernels have read and the columns that the host did, of each read; else None."""
    found = []
    read = _csv.Reader.read

    def noted(self, plan):
        made = read(self, plan)
        if made is None:
            found.append(None)
        else:
            found.append((made[0], sum(map(_is_by_host, made[1]))))
        return made

    monkeypatch.setattr(_csv.Reader, "read", noted)
    return found


def both(text, monkeypatch, **options):
    """The outcome by kernels, and the host's."""
    found = csv_oracle.outcome(csv_oracle.ours, text, options)
    with monkeypatch.context() as patch, px.device("cpu"):
        patch.delenv("PHALANX_ARRAY_KERNELS")
        return found, csv_oracle.outcome(csv_oracle.ours, text, options)


@pytest.mark.parametrize("option", test_csv.OPTIONS)
def test_the_hosts_texts_are_read_alike(option, monkeypatch):
    for name, text in test_csv.TEXTS.items():
        encoded = text.encode() if isinstance(text, str) else text
        found, wanted = both(encoded, monkeypatch, **test_csv.OPTIONS[option])
        assert found == wanted, (name, option)


# Fields of a column, as they are and as special as they can be; the host reads some columns alone.
WHOLE = ["7", "-8", "+9", " 5 ", "007", "9223372036854775807", "-9223372036854775808"]
COLUMNS = {
    "whole numbers": WHOLE,
    "whole and missing": [*WHOLE, "", "NA", "-nan", "NULL"],
    "beyond int64": [*WHOLE, "9223372036854775808"],
    "beyond both": [*WHOLE, "99999999999999999999"],
    "zeros": ["0", "-0", "00", "+0"],
    "no whole numbers": ["1", "-", "+", "1-", "--1", "1 2", "0x1"],
    "decimals": [
        "0.5", "-.5", "5.", "+1.25", "\t2.5 ", "1e5", "1E-5", "1.e+3", ".5e0", "-0.0", "1e400",
        "-1e400", "1e-400", "0e99999", "5e-324", "2.5e-324", "2.4e-324", "2.2250738585072011e-308",
        "2.2250738585072014e-308", "1.7976931348623157e308", "1.7976931348623159e308",
        "9007199254740993.0", "9007199254740992.5", "9007199254740993.0000000000000000001",
        "3.141592653589793238462643", "123456789012345678901234.5", "8.5e22", "1e23", "1e22",
        "0.000000000000000000000000000000000000012345678901234567", "4503599627370496.5",
        "0.1234567890123456789012345e-300", "7.3177701707893310e+15", "inf", "-Infinity", "+INF",
    ],
    "decimals and missing": ["0.5", "", "nan", "1.#IND", "n/a", "1e3"],
    "decimals and large": ["0.5", "99999999999999999999"],
    "no decimals": ["1.5", ".", "1e", "1e+", "1_0.5", " inf", "1.5.5", "e5", "infin"],
    "truths": ["true", "False", "TRUE", "fAlSe"],
    "truths and missing": ["true", "", "None"],
    "no truths": ["true", " true", "truth"],
    "dates": ["2020-02-29", "1970-01-01", "0001-01-01", "9999-12-31", "", "NA"],
    "times": ["2020-02-29 10:20:30", "1900-03-01 00:00:00", "2000-12-31 23:59:59"],
    "minutes": ["2020-02-29T10:20", "1900-03-01T00:00"],
    "fractions": ["2020-02-29 10:20:30.5", "1969-12-31 23:59:59.123456"],
    "nanoseconds": ["2020-02-29 10:20:30.5", "1969-12-31 23:59:59.123456789"],
    "dates of two forms": ["2020-02-29", "2020-02-29 10:00"],
    "no dates": ["2019-02-29", "2020-13-01", "2020-1-1", "1900-02-29", "2020-01-01 24:00"],
    "dates beyond": ["2020-01-01 00:00:00.123456789", "9999-12-31 00:00:00.1"],
    "strings": ["x", "", "NA", "ä", "日本", "𝄞", "a b", "longer than a word of eight bytes"],
    "nothing": ["", "NA"],
}  # fmt: skip
QUOTED = {
    "quoted numbers": ['"1"', "2", '""', '"3"'],
    "quoted decimals": ['"1.5"', "2", '""', '" 3"'],
    "quoted strings": ['"{sep}"', '"a""b"', '""""', '"x{end}y"', "z", '"NA"', '""'],
    "quoted cuts": ['"' + "x{sep}{end}" * 40 + '"', "y", '"' + '""' * 63 + '"'],
}
# Whole numbers that decide a column's kind by their order.
BY_HOST = {"beyond int64", "decimals and large"}
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}
ENDS = {"feeds": "\n", "returns and feeds": "\r\n"}
DATES = {"dates", "times", "minutes", "fractions", "nanoseconds"}


def _text(fields, sep, end, ends_at_last):
    """A column between two others, several times, and at the end of records again."""
    rows = [
        sep.join([str(i), "x", field, "0.25", field.strip() if i % 2 else field])
        for i, field in enumerate(fields * 9)
    ]
    return end.join([sep.join("abcde"), *rows]) + (end if ends_at_last else "")


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("sep", SEPARATORS)
@pytest.mark.parametrize("name", [*COLUMNS, *QUOTED])
def test_columns_of_each_kind(name, sep, end, taken, monkeypatch):
    cut, line_end = SEPARATORS[sep], ENDS[end]
    fields = COLUMNS.get(name) or [
        each.replace("{sep}", cut).replace("{end}", line_end) for each in QUOTED[name]
    ]
    fields = [each for each in fields if cut != "\t" or "\t" not in each or each[0] == '"']
    options = {"sep": cut}
    if "date" in name or name in DATES:
        options["parse_dates"] = ["c", "e"]
    text = _text(fields, cut, line_end, ends_at_last=sep != "tab").encode()
    found, wanted = both(text, monkeypatch, **options)
    assert found == wanted
    assert taken == [(9 * len(fields), 2 * (name in BY_HOST))]


@pytest.mark.parametrize(
    "options",
    [
        {"na_values": [7, "x"]}, {"na_values": {"c": [0.5, "2.5"]}}, {"keep_default_na": False},
        {"na_filter": False}, {"dtype": str}, {"dtype": "float64"}, {"dtype": {"c": "Int64"}},
        {"dtype": {"a": "int8", "d": "float32"}}, {"quoting": 3}, {"quoting": 2},
        {"usecols": ["e", "a"]}, {"header": None}, {"names": list("vwxyz")}, {"quotechar": "'"},
        {"na_values": ['"']}, {"skiprows": 2}, {"index_col": False},
        {"dtype": {"b": "category"}},
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("name", ["whole and missing", "decimals and missing", "quoted decimals"])
def test_keywords_that_kernels_know(name, options, taken, monkeypatch):
    text = _text({**COLUMNS, **QUOTED}[name], ",", "\n", ends_at_last=True).encode()
    found, wanted = both(text, monkeypatch, **options)
    assert found == wanted
    assert len(taken) == 1
    assert taken[0] is not None


@pytest.mark.parametrize("name", COLUMNS)
def test_fields_that_the_first_ones_misrepresent(name, taken, monkeypatch):
    late = [COLUMNS[name][0]] * 4000 + COLUMNS[name]
    text = "a,b\n" + "".join(f"{each},a text of some length {i}\n" for i, each in enumerate(late))
    options = {"parse_dates": ["a"]} if "date" in name or name in DATES else {}
    found, wanted = both(text.encode(), monkeypatch, **options)
    assert found == wanted
    assert taken[0][0] == len(late)


def _decimal(rng):
    digits = "".join(map(str, rng.integers(0, 10, rng.integers(1, 40))))
    cut = int(rng.integers(0, len(digits) + 1))
    power = f"e{rng.integers(-330, 310)}" if rng.random() < 0.7 else ""
    return f"{'-' * int(rng.integers(0, 2))}{digits[:cut]}.{digits[cut:]}{power}"


def _halfway(rng):
    """A decimal that is in the middle of two floats, as far as it has digits for it, or near."""
    bits = int(rng.integers(0, 0x7FE0000000000000))
    one, other = (Decimal(np.uint64(bits + i).view(np.float64).item()) for i in range(2))
    with localcontext() as context:
        context.prec = int(rng.choice([17, 19, 20, 25, 800]))
        return f"{(one + other) / 2:e}"


def test_decimals_are_rounded_correctly(taken):
    rng = np.random.default_rng(80)
    made = [
        *(repr(each) for each in rng.integers(0, 1 << 63, 3000).view(np.float64).tolist()),
        *(_decimal(rng) for _ in range(3000)),
        *(_halfway(rng) for _ in range(1500)),
    ]
    texts = [each for each in made if each not in ("nan", "inf")]
    ((_, column),) = _read(("a\n" + "\n".join(texts)).encode())
    wanted = np.array([float(each) for each in texts])
    assert column.values.view(np.int64).tolist() == wanted.view(np.int64).tolist()
    assert taken == [(len(texts), 0)]


@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("end", ENDS)
def test_texts_of_many_chunks(end, quote, taken, monkeypatch):
    rng = np.random.default_rng(81)
    rows = [
        ",".join([str(number), quote + "x,"[: len(quote) + 1] * int(size) + quote, f"{number}.5"])
        for number, size in zip(
            rng.integers(-99, 10**6, 3000), rng.integers(0, 90, 3000), strict=True
        )
    ]
    found, wanted = both(("a,b,c" + ENDS[end] + ENDS[end].join(rows)).encode(), monkeypatch)
    assert found == wanted
    assert taken == [(3000, 0)]


# After a header and a record.
IRREGULAR = {
    "fewer fields": "3\n", "more fields": "3,4,5\n", "blank": "\n3,4\n", "spaces": "  \n3,4\n",
    "return alone": "1\r,2\n3,4\n", "quote within": '1,x"y"\n', "null": "1,\0\n",
    "quote not closed": '1,"x\n', "text after a quote": '"1"x,2\n',
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a\n1\n \n2\n", None),
        ("a\n1\n\n2\n", None),
        ("a\n1\n2 \n", 2),
        ("a,b\n", None),
        ("a\n1\r\n", 1),
    ],
)
def test_columns_that_are_all_of_a_text(text, rows, taken, monkeypatch):
    found, wanted = both(text.encode(), monkeypatch)
    assert found == wanted
    assert taken == [None if rows is None else (rows, 0)]


@pytest.mark.parametrize("keep_blank", [True, False])
@pytest.mark.parametrize("text", ["a", "a\n", "a,b", "a\n\n", "a\n ", "a\n1\n\n"])
def test_a_text_that_ends_early(text, keep_blank, monkeypatch):
    found, wanted = both(text.encode(), monkeypatch, skip_blank_lines=not keep_blank)
    assert found == wanted


@pytest.mark.parametrize("name", IRREGULAR)
def test_irregular_text_is_the_hosts(name, taken, monkeypatch):
    text = f"a,b\n1,2\n{IRREGULAR[name]}".encode()
    found, wanted = both(text, monkeypatch)
    assert found == wanted
    assert taken == [None]


@pytest.mark.parametrize(
    ("lead", "is_good"),
    [
        (b"\xc3\xa4", True), (b"\xe0\xa0\x80", True), (b"\xed\x9f\xbf", True),
        (b"\xf4\x8f\xbf\xbf", True),
        (b"\xc1\x80", False), (b"\xc3", False), (b"\xe0\x9f\x80", False), (b"\xed\xa0\x80", False),
        (b"\xf4\x90\x80\x80", False), (b"\xf5\x80\x80\x80", False), (b"\x80", False),
        (b"\xc3\xa4\x80", False), (b"\xf0\x90\x80", False), (b"\xf0\x90\x80\x80\x80", False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("before", [0, 61])
def test_what_is_utf8(lead, is_good, before, taken, monkeypatch):
    text = b"a,b\nx,1\n" + b"x" * before + lead + b",1\n"
    found, wanted = both(text, monkeypatch)
    assert found == wanted
    assert taken == ([(2, 0)] if is_good else [None])


def test_a_missing_number_among_the_undecided(monkeypatch):
    text = b"a\n0.5\n9007199254740993.0000000000000000001\n"
    found, wanted = both(text, monkeypatch, na_values=[9007199254740992.0])
    assert found == wanted


@pytest.mark.parametrize(
    ("size", "free", "is_host", "is_worth"),
    [
        (1 << 20, 1 << 40, False, False), (1 << 24, 1 << 40, False, True),
        (1 << 24, 1 << 25, False, False), (1 << 24, 1 << 40, True, False),
    ],
)  # fmt: skip
def test_texts_that_a_gpu_reads(size, free, is_host, is_worth, monkeypatch):
    class Device:
        def memory_info(self):
            return {"free": free}

    device = Device()
    device.is_host = is_host
    assert _csv.is_worth(size, device)  # tests run the kernels
    monkeypatch.delenv("PHALANX_ARRAY_KERNELS")
    assert _csv.is_worth(size, device) == is_worth


def test_frames_are_made_on_the_device_that_is_given(taken):
    text = b"a,b,c\n1,x,\n2,,0.5\n"
    frame = px.read_csv(text, device="cpu")
    assert {str(frame[name].to_numpy().dtype) for name in "ac"} == {"int64", "float64"}
    assert frame["a"].sum() == 3
    with px.read_csv(text, device="cpu", chunksize=1) as chunks:
        assert [len(each) for each in chunks] == [1, 1]
    assert taken == [(2, 0)]
    with pytest.raises(ValueError, match="there is no device"):
        px.read_csv(text, device="tpu")


test_the_frame_is_that_of_pandas = test_read_csv.test_the_frame_is_that_of_pandas
test_a_path_and_work_with_what_was_read = test_read_csv.test_a_path_and_work_with_what_was_read
test_what_is_wrong_is_told = test_read_csv.test_what_is_wrong_is_told
test_compressed_files = test_csv_interface.test_compressed_files
test_encodings = test_csv_interface.test_encodings
test_chunks_are_the_whole = test_csv_interface.test_chunks_are_the_whole
test_progress_tells_bytes = test_csv_interface.test_progress_tells_bytes
