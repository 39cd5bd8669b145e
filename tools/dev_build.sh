#!/usr/bin/env bash
# Quick build for work on the engine, without installing anything:
#   tools/dev_build.sh NAME [ninja target...]      (default targets: _engine phalanx_tests phalanx_golden)
# configures build/NAME once with the ci preset (warnings are errors), builds, and leaves
# build/NAME/python as a package tree for quick runs:
#   PYTHONPATH=build/NAME/python python -m phalanx info
# The Python is that of the virtual environment named by PHALANX_VENV, else .venv/'s.
# PHALANX_ROOMS="base;ir" builds those rooms and their tests only (tests/cpp/ROOM/), without the module.
# PHALANX_SANITIZE_ROOMS="base;jit" compiles those only for the sanitizer of the preset, with their tests.
# PHALANX_PRESET takes another preset than ci (dev, asan, tsan), PHALANX_JOBS another number of jobs
# than 2.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -lt 1 ]; then
  sed -n '2,12s/^# \{0,1\}//p' "$0"
  exit 2
fi
name=$1
shift
build=build/$name
preset=${PHALANX_PRESET:-ci}

python=${PHALANX_VENV:-$PWD/.venv}/bin/python
if ! "$python" -c 'import nanobind' 2>/dev/null; then
  echo "no Python with nanobind: run 'make setup', or name a virtual environment in PHALANX_VENV" >&2
  exit 1
fi

# Configured once for a choice of preset and rooms, again when the choice or a preset changes.
choice="$preset $(cksum <CMakePresets.json) ${PHALANX_ROOMS:-all rooms} ${PHALANX_SANITIZE_ROOMS:-}"
if [ ! -f "$build/build.ninja" ] || [ "$(cat "$build/choice" 2>/dev/null)" != "$choice" ]; then
  rooms=(-U PHALANX_ROOMS)
  [ -z "${PHALANX_ROOMS:-}" ] || rooms=(-D "PHALANX_ROOMS=$PHALANX_ROOMS")
  rooms+=(-D "PHALANX_SANITIZE_ROOMS=${PHALANX_SANITIZE_ROOMS:-}")
  cmake --preset "$preset" -B "$build" -D "Python_EXECUTABLE=$python" "${rooms[@]}"
  echo "$choice" >"$build/choice"
fi
if [ $# -eq 0 ]; then
  set --
  for target in _engine phalanx_tests phalanx_golden; do
    if grep -q "^build $target:" "$build/build.ninja"; then
      set -- "$@" "$target"
    fi
  done
fi
ninja -C "$build" -j"${PHALANX_JOBS:-2}" "$@"

# The package tree: our Python files by link, beside the built module.
mkdir -p "$build/python/phalanx"
find "$build/python/phalanx" -maxdepth 1 -xtype l -delete
for entry in python/phalanx/*; do
  [ -e "$entry" ] || continue
  case $entry in *__pycache__ | *.so) continue ;; esac
  ln -sfn "$PWD/$entry" "$build/python/phalanx/"
done
