#!/usr/bin/env bash
# clang-tidy; the checks are in .clang-tidy.
#   tools/tidy.sh FILE...       these sources
#   tools/tidy.sh               whole rooms: those without findings, or those of TIDY_ROOMS
#   tools/tidy.sh --changed     what .ci/run has time for: of the rooms without findings, the sources
#                               that the newest landing changed (the newest merge, and what came after
#                               it), and one that includes each header it changed; where it changed
#                               none, the rooms at the bottom
# TIDY_BUILD names the build folder whose compile commands are used: one where each source has its own
# (build/tidy is configured for it).
set -euo pipefail
cd "$(dirname "$0")/.."

clean='base ir infer numpy passes views frames libs jit arrays cudac' # rooms without findings; the others are to follow
bottom='base ir numpy'
tool=clang-tidy-19
most_changed=16 # sources; of some 8 s of a core each: a minute or two

sources() {
  local room
  for room in "$@"; do
    if [ ! -d "phalanx/$room" ]; then
      echo "tidy: there is no room $room" >&2
      return 2
    fi
    find "phalanx/$room" -name '*.cpp' | sort
  done
}

changed() {
  local landing rooms=() room file includer
  landing=$(git rev-list --first-parent --merges --max-count=1 HEAD 2>/dev/null) || return 0
  [ -n "$landing" ] || return 0
  for room in $clean; do rooms+=("phalanx/$room"); done
  git diff --name-only --diff-filter=d "$landing^1" -- "${rooms[@]}" | while read -r file; do
    case $file in
      *.cpp) echo "$file" ;;
      *)
        includer=$(grep -rlF --include='*.cpp' "#include \"$file\"" "${rooms[@]}" | sort | sed -n 1p || true)
        if [ -n "$includer" ]; then
          echo "$includer"
        else
          echo "== tidy: not looked at, as no source of these rooms includes it: $file" >&2
        fi
        ;;
    esac
  done | sort -u
}

if ! command -v "$tool" >/dev/null; then
  echo "tidy: no $tool; 'make setup-lint' installs it" >&2
  exit 2
fi
build=${TIDY_BUILD:-build/tidy}
if [ "$build" = build/tidy ] && [ -f CMakePresets.json ]; then
  cmake --preset dev -B "$build" -D "Python_EXECUTABLE=$PWD/.venv/bin/python" >/dev/null
fi
if [ ! -f "$build/compile_commands.json" ]; then
  echo "tidy: no $build/compile_commands.json; name a build in TIDY_BUILD" >&2
  exit 2
fi
if [ $# -eq 0 ]; then
  listed=$(sources ${TIDY_ROOMS:-$clean})
  mapfile -t files <<<"$listed"
elif [ "$1" = --changed ]; then
  mapfile -t files < <(changed)
  [ ${#files[@]} -ne 0 ] || mapfile -t files < <(sources $bottom)
  if [ ${#files[@]} -gt $most_changed ]; then
    printf '== tidy: not looked at, for their number: %s\n' "${files[*]:most_changed}"
    files=("${files[@]:0:most_changed}")
  fi
else
  files=("$@")
fi
if [ -z "${files[*]}" ]; then
  echo "tidy: no sources" >&2
  exit 2
fi
printf '== tidy: %d files\n' "${#files[@]}"
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "${PHALANX_JOBS:-$(nproc)}" "$tool" -p "$build" --quiet 2>/dev/null
