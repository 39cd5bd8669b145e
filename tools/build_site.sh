#!/usr/bin/env bash
# Builds the site, build/site/index.html, from docs/ and the built package; warnings are errors. Then
# counts public names without a docstring or an example.
# Sphinx and what it needs are in a virtual environment of their own, build/site-venv, above the one
# that PHALANX_VENV names, else .venv/. The package is that of build/test/python, or the installed one.
set -euo pipefail
cd "$(dirname "$0")/.."

base=${PHALANX_VENV:-$PWD/.venv}
venv=build/site-venv
wanted=$("$base/bin/python" -c '
import tomllib
with open("pyproject.toml", "rb") as file:
    print("\n".join(tomllib.load(file)["project"]["optional-dependencies"]["site"]))')
if [ "$(cat $venv/wanted.txt 2>/dev/null)" != "$base $wanted" ]; then
  rm -rf $venv
  "$base/bin/python" -m venv $venv
  # What the other environment has is seen from here, and not installed twice.
  "$base/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
    >"$($venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/base.pth"
  mapfile -t packages <<<"$wanted"
  $venv/bin/python -m pip install -q --disable-pip-version-check "${packages[@]}"
  echo "$base $wanted" >$venv/wanted.txt
fi

tree=build/test/python
if compgen -G "$tree/phalanx/_engine*.so" >/dev/null; then
  export PYTHONPATH=$PWD/$tree${PYTHONPATH:+:$PYTHONPATH}
fi
export PHALANX_DEVICE=cpu PHALANX_SITE_NOTEBOOKS=$PWD/build/site-notebooks
# docs/how-it-works.md runs the passes one by one.
export PHALANX_GOLDEN=$PWD/build/test/tests/cpp/phalanx_golden PHALANX_ROOT=$PWD
start=$SECONDS
PYTHONPATH=tools:tools/docs_site:${PYTHONPATH:-} $venv/bin/python tools/docs_site/stage.py build/site-source
printf '== site: sources in %d s\n' $((SECONDS - start))
$venv/bin/sphinx-build -q -W --keep-going -j auto -c docs/site -d build/site-doctrees build/site-source build/site
printf '== site: build/site/index.html in %d s\n' $((SECONDS - start))
PYTHONPATH=tools:tools/docs_site:${PYTHONPATH:-} $venv/bin/python tools/doc_coverage.py
