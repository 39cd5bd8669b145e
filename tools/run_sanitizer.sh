#!/usr/bin/env bash
# Builds the C++ tests with the preset asan or tsan in build/PRESET and runs them.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=$1
PHALANX_PRESET=$preset PHALANX_JOBS=${PHALANX_JOBS:-$(nproc)} \
  tools/dev_build.sh "$preset" phalanx_tests

# LLVM itself is not instrumented: its containers must not be judged from our side of a header.
export ASAN_OPTIONS=detect_container_overflow=0:detect_stack_use_after_return=1
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1
exec "build/$preset/tests/cpp/phalanx_tests" --gtest_brief=1
