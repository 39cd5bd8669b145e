#!/usr/bin/env bash
# Builds the C++ tests with the preset asan or tsan in build/PRESET and runs them; those of some
# rooms only, which alone are compiled for the sanitizer, with PHALANX_SANITIZE_ROOMS="base;runtime".
set -euo pipefail
cd "$(dirname "$0")/.."

preset=$1
PHALANX_PRESET=$preset PHALANX_JOBS=${PHALANX_JOBS:-$(nproc)} \
  tools/dev_build.sh "$preset" phalanx_tests

# LLVM itself is not instrumented: its containers must not be judged from our side of a header.
export ASAN_OPTIONS=detect_container_overflow=0:detect_stack_use_after_return=1
export UBSAN_OPTIONS=print_stacktrace=1
# Tests fork, and measure how long a process takes to end.
export TSAN_OPTIONS=halt_on_error=1:die_after_fork=0:atexit_sleep_ms=0
skipped=
if [ "$preset" = tsan ]; then
  # Their children, forked beside a thread that compiles, wait for ever for locks of the sanitizer's own
  # that the thread held: g++ 12's does not give them back. ASan runs them.
  skipped=KernelReady.AForkedChild*:KernelReady.Children*:KernelReady.TheProcessEnds*
fi
# As many processes as cores, each with its part of the tests.
export GTEST_TOTAL_SHARDS=${PHALANX_JOBS:-$(nproc)}
processes=()
for ((shard = 0; shard < GTEST_TOTAL_SHARDS; ++shard)); do
  GTEST_SHARD_INDEX=$shard "build/$preset/tests/cpp/phalanx_tests" --gtest_brief=1 \
    "--gtest_filter=-$skipped" &
  processes+=($!)
done
status=0
for process in "${processes[@]}"; do
  wait "$process" || status=1
done
exit $status
