"""Where sorts run, with a GPU of the fake driver, which computes nothing."""

from __future__ import annotations

import fake_gpu

pytestmark = fake_gpu.needed

NAMES = "sort argsort median"


def run(script, tmp_path):
    made = fake_gpu.run(script, tmp_path)
    assert made.returncode == 0, made.stdout + made.stderr
    assert "Warning" not in made.stderr


def test_arrays_of_a_device_that_is_not_current(tmp_path):
    run(
        "import phalanx as px\n"
        "x = px.zeros((3, 2000))\n"
        "x._evaluate()\n"
        "with px.device('cpu'):\n"
        f"    for name in '{NAMES}'.split():\n"
        "        made = getattr(px, name)(x)\n"
        "        assert made._place.kind == 'cuda', name\n"
        "    assert px.searchsorted(x[0], x[1])._place.kind == 'cuda'\n"
        "    assert px.histogram(x, [0.0, 1.0, 2.0])[0]._place.kind == 'cuda'\n",
        tmp_path,
    )


def test_what_may_be_on_any_device_stays_so(tmp_path):
    run(
        "import os\n"
        "os.environ['PHALANX_DEVICE'] = 'auto'\n"
        "import phalanx as px\n"
        "x = px.zeros((3, 2000))\n"
        f"for name in '{NAMES}'.split():\n"
        "    assert getattr(px, name)(x)._place is None, name\n"
        "assert px.fft.fft(x)._place is None\n"
        "assert px.linalg.inv(px.eye(3) * 2)._place is None\n",
        tmp_path,
    )


def test_sorted_memory_may_be_spilled(tmp_path):
    run(
        "import phalanx as px\n"
        "arrays = [px.full(1 << 17, 1.0) for _ in range(12)]\n"
        "for each in arrays: each._evaluate()\n"
        "for each in arrays: px.sort(each)\n"
        "px.set_memory_limit(8 << 20)\n"
        "more = [px.full(1 << 17, 2.0) for _ in range(4)]\n"
        "for each in more: each._evaluate()\n",
        tmp_path,
    )


def test_tiles_fit_every_gpu(tmp_path):
    run(
        "import itertools\n"
        "import phalanx as px\n"
        "from phalanx._sorting import key_order, radix\n"
        "x = px.full(100_000, 1.0)\n"
        "x._evaluate()\n"
        "for dtype, wide in itertools.product(('float64', 'float32', 'uint8'), (False, True)):\n"
        "    for positions in ('none', 'first', 'moved'):\n"
        "        what = radix.Pass(key_order.key_type(dtype), positions, True, wide)\n"
        "        kernel = radix.sweep(what, radix.tile_of(what))\n"
        "        keys = px.empty(10, what.key.stored)._open()\n"
        "        words = px.zeros(300, 'uint64' if wide else 'uint32')._open()\n"
        "        turn = px.zeros(1, 'int32')._open()\n"
        "        order = (0, __import__('numpy').dtype(what.key.held).type(1))\n"
        "        given = words if positions == 'moved' else keys\n"
        "        kernel.set_advises(False)\n"
        "        kernel[1, 512]((keys, keys), (given, words if positions != 'none' else keys),\n"
        "                       words, words, turn, order)\n"
        "        (size,) = kernel.get_shared_mem_per_block().values()\n"
        "        assert 30_000 < size <= 65536, (dtype, wide, positions, size)\n"
        "        print(dtype, wide, positions, size)\n",
        tmp_path,
    )


def test_tiles_of_exchanges_fit_every_gpu(tmp_path):
    run(
        "import phalanx as px\n"
        "from phalanx._sorting import exchange\n"
        "import itertools\n"
        "dtypes = 'float64', 'float32', 'uint8'\n"
        "for dtype, devices, most in itertools.product(dtypes, (2, 3), (9, 2**31)):\n"
        "    part = px.full(100_000, 1, dtype)\n"
        "    what = exchange.exchange_of(dtype, devices, most)\n"
        "    borders = exchange.Splitters(\n"
        "        tuple(exchange.np.dtype(what.key.held).type(i) for i in range(devices - 1)),\n"
        "        tuple(exchange.np.int32(i) for i in range(devices - 1)),\n"
        "    )\n"
        "    outs = [px.empty(100_000, dtype) for _ in range(devices)]\n"
        "    zeros = (exchange.np.zeros(n, 'int64') for n in (what.of_bucket, 9))\n"
        "    begins = exchange.begins(what, *zeros, part._device)\n"
        "    exchange.counts(part, what, borders)\n"
        "    exchange.send(part, what, borders, begins, outs)\n"
        "    shape = exchange.tile_of(what)\n"
        "    for kernel in (exchange._send(what, shape), exchange._count(what, shape)):\n"
        "        (size,) = kernel.get_shared_mem_per_block().values()\n"
        "        assert 1_000 < size <= 65536, (dtype, devices, most, size)\n",
        tmp_path,
    )
