"""Arrays over another library's memory of a GPU, with one of the fake driver."""

from __future__ import annotations

import fake_gpu

pytestmark = fake_gpu.needed

OTHER = """
import phalanx as px
kept = px.zeros(4, "int64")
class Other:
    def __init__(self, typestr, **more):
        data = kept._share().address, False
        given = {"shape": (4,), "typestr": typestr, "data": data, "version": 3, **more}
        self.__cuda_array_interface__ = given
def refused(other, words):
    try:
        px.asarray(other)
    except ValueError as error:
        assert words in str(error), error
    else:
        raise AssertionError(words)
"""


def run(script, tmp_path):
    made = fake_gpu.run(OTHER + script, tmp_path)
    assert made.returncode == 0, made.stdout + made.stderr


def test_dates_have_their_unit(tmp_path):
    run(
        "for dtype in ('<M8[us]', '<m8[ns]', '<i8', '|u1', '<c8'):\n"
        "    made = px.asarray(Other(dtype))\n"
        "    assert made.dtype == dtype and made.shape == (4,), made.dtype\n"
        "    assert made._share().address == kept._share().address\n",
        tmp_path,
    )


def test_what_has_no_meaning_here_is_refused(tmp_path):
    run(
        "refused(Other('>i4'), 'big-endian')\n"
        "refused(Other('<i8', mask=kept), 'does not support masked arrays')\n",
        tmp_path,
    )


def test_lists_of_them_are_taken_apart(tmp_path):
    run(
        "made = px.asarray([Other('<f4'), [1, 2, 3, 4]])\n"
        "assert made.shape == (2, 4) and made.dtype == 'float64'\n",
        tmp_path,
    )


def test_numbers_of_numpys_come_to_the_array(tmp_path):
    run(
        "import numpy as np\n"
        "with px.device('cpu'): x = px.asarray([1.0, 2], dtype='float32')\n"
        "two, three = np.float32(2), np.float64(3)\n"
        "for made in (x * two, three + x, px.add(x, two), np.multiply(two, x), x < three):\n"
        "    assert made._place.kind == 'cpu', made\n"
        "assert (x * two).dtype == 'float32' and (x + three).dtype == 'float64'\n"
        "x += two\n"
        "assert x.tolist() == [3, 4]\n",
        tmp_path,
    )
