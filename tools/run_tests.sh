#!/usr/bin/env bash
# Runs every test against the build in build/test and the package installed in .venv/.
# Arguments go to pytest. All suites run, also when an earlier one fails.
set -uo pipefail
cd "$(dirname "$0")/.."

jobs=${PHALANX_JOBS:-$(nproc)}
# A file's tests run in one process, as they share what it has made.
several=(-n "$jobs" --dist loadfile)
status=0
printf '== C++ tests\n'
ctest --test-dir build/test --output-on-failure -j "$jobs" || status=1

printf '== golden tests and Python tests\n'
export PHALANX_GOLDEN=$PWD/build/test/tests/cpp/phalanx_golden
export PHALANX_BUILD=$PWD/build/wheel
export PHALANX_FAKE_LIBCUDA=$PWD/build/test/tests/cpp/fake_libcuda
# What one of the runs below has compiled the others load.
PHALANX_TESTS_CACHE=$(mktemp -d -t phalanx-tests-XXXXXX)
export PHALANX_TESTS_CACHE
trap 'rm -rf "$PHALANX_TESTS_CACHE"' EXIT
[ $status -eq 0 ] || printf '== the C++ tests failed, see above\n'
.venv/bin/python -m pytest -q "${several[@]}" "$@" || status=1

printf '== the kernels that arrays have on GPUs, on the CPU device\n'
# The rest of each list takes minutes more: `make tables`.
files=(tests/python/arrays/test_{squares,row_fusion,reductions,strips}.py)
[ -z "${PHALANX_WHOLE_TABLES:-}" ] || files+=(tests/python/arrays/test_{compaction,scans,scatter,sorting,sets}.py)
PHALANX_ARRAY_KERNELS=gpu .venv/bin/python -m pytest -q "${several[@]}" "${files[@]}" || status=1

printf '== arrays that may be on any device\n'
files=(tests/python/arrays/test_{programs,reductions,shapes}.py)
[ -z "${PHALANX_WHOLE_TABLES:-}" ] || files+=(tests/python/arrays/test_{indexing,scans}.py)
PHALANX_DEVICE=auto .venv/bin/python -m pytest -q "${several[@]}" "${files[@]}" || status=1
printf '== several devices, which share the cores\n'
PHALANX_CPU_DEVICES=3 .venv/bin/python -m pytest -q "${several[@]}" tests/python/several_devices \
  "tests/python/test_guide.py::test_the_blocks_of_a_page_run[cpu-several-gpus]" || status=1
PHALANX_CPU_DEVICES=3 PHALANX_ARRAY_KERNELS=gpu .venv/bin/python -m pytest -q "${several[@]}" \
  tests/python/several_devices/test_data_elsewhere.py -k "keys or beside" || status=1
exit $status
