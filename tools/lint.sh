#!/usr/bin/env bash
# Formatting, lint and types over the tracked files; --fix rewrites what a formatter can.
set -uo pipefail
cd "$(dirname "$0")/.."

bin=.venv/bin
fix=${1:-}
status=0
check() {
  printf '== %s\n' "$1"
  shift
  "$@" || status=1
}
tracked() { git ls-files -z --cached --others --exclude-standard -- "$@"; }

mapfile -d '' cpp < <(tracked '*.h' '*.cpp')
mapfile -d '' cmake < <(tracked '*.cmake' 'CMakeLists.txt' '*/CMakeLists.txt')

if [ "$fix" = --fix ]; then
  check clang-format clang-format-19 -i "${cpp[@]}"
  check gersemi $bin/gersemi -i "${cmake[@]}"
  check 'ruff format' $bin/ruff format -q .
  check 'ruff check' $bin/ruff check -q --fix .
else
  check clang-format clang-format-19 --dry-run -Werror "${cpp[@]}"
  check gersemi $bin/gersemi --check "${cmake[@]}"
  check 'ruff format' $bin/ruff format -q --check .
  check 'ruff check' $bin/ruff check -q .
  # The stub of the compiled module is made by the build; mypy wants it beside the sources.
  stub=$(find .venv/lib -path '*/site-packages/phalanx/_engine.pyi' 2>/dev/null | head -1)
  [ -z "$stub" ] || cp "$stub" python/phalanx/_engine.pyi
  check mypy $bin/mypy
  check typos $bin/typos
fi
exit $status
