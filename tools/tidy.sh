#!/usr/bin/env bash
# clang-tidy over files, or over the rooms named by TIDY_ROOMS; the checks are in .clang-tidy.
# TIDY_BUILD names the build folder whose compile commands are used (build/test: `make build`).
set -euo pipefail
cd "$(dirname "$0")/.."

build=${TIDY_BUILD:-build/test}
if [ ! -f "$build/compile_commands.json" ]; then
  echo "tidy: no $build/compile_commands.json; run 'make build', or name a build in TIDY_BUILD" >&2
  exit 2
fi
files=("$@")
if [ $# -eq 0 ]; then
  for room in ${TIDY_ROOMS:-base ir infer numpy}; do
    mapfile -d '' -O "${#files[@]}" files < <(find "phalanx/$room" -name '*.cpp' -print0 | sort -z)
  done
fi
printf '== tidy: %d files\n' "${#files[@]}"
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "${PHALANX_JOBS:-$(nproc)}" clang-tidy-19 -p "$build" --quiet 2>/dev/null
