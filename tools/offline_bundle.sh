#!/usr/bin/env bash
# Puts our wheel and what it needs for one Python version into dist/offline/, for a machine that
# reaches no package index:
#   tools/offline_bundle.sh [3.12]
#   python3.12 -m pip install --no-index --find-links dist/offline phalanx        (over there)
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:-3.12}
tools/build_wheel.sh --no-install
rm -rf dist/offline
# The platform tags that Python on a glibc 2.36 machine accepts, as pip must be told each.
platforms=(--platform manylinux_2_36_x86_64 --platform manylinux_2_28_x86_64
  --platform manylinux2014_x86_64)
.venv/bin/python -m pip download --quiet --disable-pip-version-check --only-binary=:all: \
  --python-version "$version" "${platforms[@]}" --dest dist/offline dist/*.whl
ls -l dist/offline
