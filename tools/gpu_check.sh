#!/usr/bin/env bash
# Checks the built wheel on a machine with a GPU and without a network:
#   tools/gpu_check.sh [STEP...]        steps: install info tests examples sanitizer bench (default: all)
# Takes the wheels phalanx-* and nanobind_backend-* from .wheelhouse/ (which git ignores), installs
# them into a folder of their own, runs the steps, and prints a table of them last. Full logs go to
# $OUT, or to build/gpu_check. PYTHON names another Python than python3; GPU_CHECK_SECONDS (default
# 200) is what a step may take; GPU_CHECK_PYTEST are further arguments of pytest.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

python=${PYTHON:-python3}
seconds=${GPU_CHECK_SECONDS:-200}
logs=${OUT:-build/gpu_check}
site=${GPU_CHECK_SITE:-${TMPDIR:-/tmp}/phalanx_gpu_check}
steps=("$@")
[ ${#steps[@]} -gt 0 ] || steps=(install info tests examples sanitizer bench)

mkdir -p "$logs" "$site"
export PYTHONPATH=$site${PYTHONPATH:+:$PYTHONPATH}
export PYTHONDONTWRITEBYTECODE=1
export PHALANX_DEVICE=cuda
export PHALANX_CACHE_DIR=$site/cache
export PATH=$PATH:/usr/local/cuda/bin

step_install() {
  shopt -s nullglob
  local wheels=(.wheelhouse/phalanx-*.whl .wheelhouse/nanobind_backend-*.whl)
  shopt -u nullglob
  if [ ${#wheels[@]} -lt 2 ]; then
    echo "put the wheels of phalanx and nanobind_backend into .wheelhouse/ (tools/offline_bundle.sh)"
    return 1
  fi
  "$python" -m pip install --quiet --no-index --no-deps --upgrade --disable-pip-version-check \
    --target "$site" "${wheels[@]}"
}

step_info() {
  nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
  "$python" -m phalanx info
}

step_tests() {
  # shellcheck disable=SC2086  # several arguments on purpose
  "$python" -m pytest tests/python -q -p no:cacheprovider --durations=10 \
    --junitxml="$logs/tests.xml" ${GPU_CHECK_PYTEST:-}
}

# Each example checks itself against NumPy.
step_examples() {
  "$python" -m phalanx run examples/run_all.py &&
    "$python" examples/programs/run_all.py
}

# Out-of-bounds and misaligned accesses of our generated code, in kernels that should have none.
step_sanitizer() {
  command -v compute-sanitizer >/dev/null || { echo "compute-sanitizer is not installed"; return 77; }
  compute-sanitizer --tool memcheck --error-exitcode 1 --launch-timeout 60 \
    "$python" tools/gpu/kernels_to_sanitize.py &&
    compute-sanitizer --tool racecheck --error-exitcode 1 --launch-timeout 60 \
      "$python" tools/gpu/kernels_to_sanitize.py
}

step_bench() {
  "$python" bench/launch.py --device cuda --output "$logs/launch.md"
  "$python" bench/compile_time.py --output "$logs/compile.md"
  "$python" bench/kernels.py --device cuda --output "$logs/bench.md"
}

# One step in a process of its own, which timeout can end.
if [ "${1:-}" = --step ]; then
  "step_$2"
  exit
fi

table=()
status=0
for step in "${steps[@]}"; do
  echo "== $step"
  start=$SECONDS
  timeout --kill-after=10 "$seconds" tools/gpu_check.sh --step "$step" >"$logs/$step.log" 2>&1
  code=$?
  case $code in
    0) verdict=ok ;;
    77) verdict=skipped ;;
    124 | 137) verdict="timed out" ;;
    *) verdict="failed ($code)" ;;
  esac
  [ $code -eq 0 ] || [ $code -eq 77 ] || status=1
  tail -n "${GPU_CHECK_TAIL:-15}" "$logs/$step.log"
  table+=("$step|$verdict|$((SECONDS - start))")
  if [ "$step" = install ] && [ $code -ne 0 ]; then
    break
  fi
done

printf '\n'
"$python" tools/gpu/summary.py "$logs" "${table[@]}"
exit $status
