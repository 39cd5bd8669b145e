#!/usr/bin/env bash
# Packs dist/phalanx_cuda_c-*.whl out of the library that tools/build_wheel.sh has built, and checks
# it. Without clang's libraries there is no library, and no wheel.
set -euo pipefail
cd "$(dirname "$0")/.."

library=build/wheel/python/phalanx/libphalanx_cudac.so
if [ ! -f "$library" ]; then
  printf '== wheel of CUDA C: not built, as clang 19 was not there (libclang-19-dev)\n'
  exit 0
fi
folder=build/cuda_c_wheel
rm -rf "$folder" dist/phalanx_cuda_c-*.whl
cp -r packages/cuda_c "$folder"
strip --strip-all -o "$folder/phalanx_cudac/libphalanx_cudac.so" "$library"
(
  cd "$folder"
  ../../.venv/bin/python -c 'from setuptools.build_meta import build_wheel; build_wheel("../../dist")' \
    >build.log 2>&1 || { cat build.log >&2; exit 1; }
)
.venv/bin/python -m wheel tags --remove --python-tag py3 --abi-tag none \
  --platform-tag manylinux_2_28_x86_64 dist/phalanx_cuda_c-*.whl >/dev/null
.venv/bin/python tools/check_wheel.py dist/phalanx_cuda_c-*.whl
