#!/usr/bin/env bash
# Stages a development build for a machine with a GPU, without building a wheel:
#   tools/gpu/stage.sh BUILD [FOLDER]     build/BUILD/python/phalanx, stripped, to FOLDER (.gpu/site)
# Add nanobind_backend there once: pip install --target FOLDER --no-deps nanobind-backend (for the
# Python of that machine). Then GPU_CHECK_SITE=FOLDER tools/gpu_check.sh info tests examples bench.
set -euo pipefail
cd "$(dirname "$0")/../.."

build=build/${1:?name of a build, as given to tools/dev_build.sh}/python/phalanx
folder=${2:-.gpu/site}
mkdir -p "$folder"
rm -rf "$folder/phalanx"
cp -rL "$build" "$folder/"
find "$folder/phalanx" -name __pycache__ -prune -exec rm -rf {} +
strip --strip-all "$folder"/phalanx/_engine*.so
du -sh "$folder"
