#!/usr/bin/env bash
# Installs what building and testing need, and only what is missing:
#   tools/setup.sh          Debian packages (apt, as root or with sudo) and .venv/
#   tools/setup.sh lint     also what the lint checks need
# The interpreter of .venv/ is python3, or the one named by PYTHON.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(
  g++ make cmake ninja-build ccache python3-venv python3-dev
  llvm-19-dev libclang-19-dev lld-19 libsleef-dev libhwy-dev libfmt-dev libgtest-dev libpcre2-dev zlib1g-dev libzstd-dev universal-ctags
)
extras=(test wheel)
if [ "${1:-}" = lint ]; then
  packages+=(clang-format-19 clang-tidy-19)
  extras+=(lint)
fi

say() { printf '== %s\n' "$*"; }

# Runs a command with its output in a log; shows the log only when it fails.
quietly() {
  local log=build/setup.log
  mkdir -p build
  "$@" >"$log" 2>&1 || {
    local status=$?
    tail -n 30 "$log" >&2
    say "failed: $* (whole output in $log)" >&2
    exit "$status"
  }
}

install_debian_packages() {
  command -v dpkg-query >/dev/null || {
    say "no apt here: these must be there already: ${packages[*]}"
    return
  }
  local missing=() package as_root=()
  for package in "${packages[@]}"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
      missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    say "Debian packages: all there"
    return
  fi
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      say "need root or sudo to install: ${missing[*]}" >&2
      exit 1
    }
    as_root=(sudo)
  fi
  say "Debian packages: updating the package lists"
  quietly "${as_root[@]}" apt-get update
  say "Debian packages: installing ${missing[*]}"
  quietly "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}"
}

# The requirements of the build, of the package and of the chosen extras, one a line.
requirements() {
  .venv/bin/python - "$@" <<'PY'
import sys
import tomllib

with open("pyproject.toml", "rb") as file:
    project = tomllib.load(file)
lists = [project["build-system"]["requires"], project["project"]["dependencies"]]
lists += [project["project"]["optional-dependencies"][extra] for extra in sys.argv[1:]]
print("\n".join(dict.fromkeys(requirement for group in lists for requirement in group)))
PY
  echo wheel
}

install_python_packages() {
  local python=${PYTHON:-python3}
  if [ ! -x .venv/bin/pip ]; then
    say "Python: making .venv/ with $("$python" --version)"
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
      say "Python 3.11 or newer is needed; name one with PYTHON=..." >&2
      exit 1
    }
    "$python" -m venv .venv
  fi
  local wanted stamp=.venv/phalanx-requirements.txt
  wanted=$(requirements "${extras[@]}")
  # A list that was installed before with more in it is good as well.
  if [ -e "$stamp" ] && ! grep -qvxFf "$stamp" <<<"$wanted"; then
    say "Python packages: all there"
    return
  fi
  say "Python packages: installing into .venv/: $(tr '\n' ' ' <<<"$wanted")"
  mapfile -t wanted <<<"$wanted"
  quietly .venv/bin/python -m pip install --disable-pip-version-check "${wanted[@]}"
  printf '%s\n' "${wanted[@]}" >"$stamp"
}

install_debian_packages
install_python_packages
