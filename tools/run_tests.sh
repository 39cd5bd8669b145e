#!/usr/bin/env bash
# Runs every test against the build in build/test and the package installed in .venv/.
# Arguments go to pytest. All suites run, also when an earlier one fails.
set -uo pipefail
cd "$(dirname "$0")/.."

# Where build/test is for the sanitizers (PRESET=asan). LLVM itself is not instrumented: its containers
# must not be judged from our side of a header.
export ASAN_OPTIONS=detect_container_overflow=0:detect_stack_use_after_return=1
export UBSAN_OPTIONS=print_stacktrace=1

status=0
printf '== C++ tests\n'
ctest --test-dir build/test --output-on-failure -j "${PHALANX_JOBS:-$(nproc)}" || status=1

printf '== golden tests and Python tests\n'
export PHALANX_GOLDEN=$PWD/build/test/tests/cpp/phalanx_golden
export PHALANX_BUILD=$PWD/build/wheel
export PHALANX_FAKE_LIBCUDA=$PWD/build/test/tests/cpp/fake_libcuda
[ $status -eq 0 ] || printf '== the C++ tests failed, see above\n'
.venv/bin/python -m pytest "$@" || status=1
exit $status
