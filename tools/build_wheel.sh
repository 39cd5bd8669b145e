#!/usr/bin/env bash
# Builds dist/phalanx-*.whl and installs it into .venv/; does nothing when no source has changed.
#   tools/build_wheel.sh [--no-install]
# PHALANX_PRESET takes another preset than release.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '== %s\n' "$*"; }

preset=${PHALANX_PRESET:-release}
# One hash over every file that goes into the wheel, how it is compiled, and the machines that it has
# kernels for.
sources_hash() {
  { echo "$preset ${PHALANX_SHIP_TARGETS-all}" && list_sources; } | sha256sum | cut -d' ' -f1
}

list_sources() {
  find phalanx python packages cmake tools/shipped CMakeLists.txt CMakePresets.json pyproject.toml README.md LICENSE \
    -type f ! -path '*/__pycache__/*' ! -name '*.pyi' -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum
}

hash=$(sources_hash)
if [ "$(cat dist/sources.sha256 2>/dev/null)" = "$hash" ] && compgen -G 'dist/phalanx-*.whl' >/dev/null; then
  say "wheel: sources unchanged, keeping $(basename dist/phalanx-*.whl)"
else
  say "wheel: building (progress below; up to half an hour from nothing, seconds after an edit)"
  rm -rf dist
  export SKBUILD_CMAKE_ARGS="--preset;$preset"
  # By the name that CMake itself finds: scikit-build takes Python's, and ccache goes by names.
  export CC=${CC:-cc} CXX=${CXX:-c++}
  export CMAKE_BUILD_PARALLEL_LEVEL=${PHALANX_JOBS:-$(nproc)}
  while
    .venv/bin/python -c 'from scikit_build_core.build import build_wheel; build_wheel("dist")' || exit 1
    built=$hash
    hash=$(sources_hash)
    [ "$hash" != "$built" ]
  do
    # Objects from before and after an edit of a header must not meet in one module.
    say "wheel: sources changed during the build, building what they touch again"
  done
  # phalanx/bindings/old_glibc.cpp makes it run on glibc 2.28; check_wheel.py proves it.
  .venv/bin/python -m wheel tags --remove --platform-tag manylinux_2_28_x86_64 dist/phalanx-*.whl >/dev/null
  .venv/bin/python tools/check_wheel.py dist/phalanx-*.whl
  tools/build_cuda_c_wheel.sh
  echo "$hash" >dist/sources.sha256
fi

if [ "${1:-}" != --no-install ]; then
  if [ "$(cat .venv/phalanx-wheel.sha256 2>/dev/null)" != "$hash" ]; then
    say "wheel: installing into .venv/"
    .venv/bin/python -m pip install --disable-pip-version-check --quiet --force-reinstall --no-deps \
      dist/*.whl
    echo "$hash" >.venv/phalanx-wheel.sha256
  fi
fi
