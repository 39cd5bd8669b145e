# Two commands do everything on a fresh Debian 12 machine, as root or with sudo:
#   make demo     install what is missing, build, run the examples
#   make test     the same set-up, then every test
# .venv/ holds the installed package afterwards. Both can be run again at any time.

SHELL := /bin/bash
PYTHON ?= python3
PRESET ?= dev
WHEEL_PRESET ?= release
export PYTHON
# Wheels for this machine hold kernels for its CPU; `make wheel` alone makes all archives, of which
# those of GPUs take half an hour of a core.
demo: export PHALANX_SHIP_TARGETS ?= $(shell grep -qw avx512vl /proc/cpuinfo && echo x86-64-v4 || echo x86-64-v3)
# Tests make a small one of their own, and compile in less time than the archive takes.
test tables: export PHALANX_SHIP_TARGETS ?=

.DEFAULT_GOAL := help
.PHONY: help setup setup-lint build wheel demo test fuzz fuzz-arrays fuzz-functions fuzz-cuda-c fuzz-csv numpy-table tables docs-site external-links lint format layers sizes docs words house asan tsan tidy clean

help:  ## this list
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1	\2/p' Makefile | expand -t 20

setup:  ## install what is missing: Debian packages and .venv/
	@tools/setup.sh

setup-lint:  ## the same, and what `make lint` needs
	@tools/setup.sh lint

build: setup  ## build the engine with assertions and its C++ tests in build/test
	@PHALANX_PRESET=$(PRESET) PHALANX_JOBS=$${PHALANX_JOBS:-$$(nproc)} tools/dev_build.sh test phalanx_checks

wheel: setup  ## build dist/*.whl and install it into .venv/
	@PHALANX_PRESET=$(WHEEL_PRESET) tools/build_wheel.sh

demo: wheel  ## show the devices, then run every example
	@.venv/bin/python -m phalanx info
	@.venv/bin/python -m phalanx run examples/run_all.py

test: wheel build  ## C++ tests, golden tests, Python tests
	@tools/run_tests.sh

fuzz: build  ## the tests over generated input, with new examples each time; KERNELS=500 SEED=...
	@PHALANX_FUZZ=$(or $(KERNELS),500) PHALANX_FUZZ_SEED=$(or $(SEED),$(shell date +%s)) build/test/tests/cpp/phalanx_tests --gtest_filter='*Fuzzed*OnTheCpu*'
	@PYTHONPATH=build/test/python .venv/bin/python -m pytest -m hypothesis --hypothesis-profile=new tests/python

numpy-table: build  ## every cell of the table of NumPy functions: 4 hours of one core; PART=1/4
	@cd tests/python && PYTHONPATH=../../build/test/python ../../.venv/bin/python -m numpy_table --all --part $(or $(PART),1/1)

tables: build  ## all cases of the tables of tests, of which `make test` runs an eighth: an hour
	@PHALANX_WHOLE_TABLES=1 tools/run_tests.sh

fuzz-arrays: build  ## random programs of arrays against NumPy: an hour of one core; PROGRAMS=1000
	@PYTHONPATH=build/test/python .venv/bin/python tests/fuzz/arrays.py --count $(or $(PROGRAMS),100000) --jobs $(shell nproc)

fuzz-functions: build  ## random functions against Python and Numba: 2 hours of one core; FUNCTIONS=1000
	@PYTHONPATH=build/test/python .venv/bin/python tests/fuzz/functions.py --count $(or $(FUNCTIONS),100000) --jobs $(shell nproc)

fuzz-cuda-c: build  ## random programs of CUDA C against g++, then sources with mistakes; PROGRAMS=1000
	@PYTHONPATH=build/test/python .venv/bin/python tests/fuzz/cuda_c.py --count $(or $(PROGRAMS),10000) --jobs $(shell nproc)
	@PYTHONPATH=build/test/python .venv/bin/python tests/fuzz/cuda_c.py --texts --count $(or $(PROGRAMS),10000) --jobs $(shell nproc)

fuzz-csv:  ## CSV text of any bytes by libFuzzer under ASan and UBSan; FUZZ_SECONDS=600 FUZZ_CXX=clang++
	@mkdir -p build/fuzz/csv
	@$(or $(FUZZ_CXX),clang++) -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I. $(filter-out %/writer.cpp %/write_rows.cpp %/number_text.cpp,$(wildcard phalanx/frames/csv/*.cpp)) tests/fuzz/csv_reader.cpp -o build/fuzz/csv_reader
	@cd build/fuzz && ./csv_reader -max_total_time=$(or $(FUZZ_SECONDS),600) -max_len=500 -timeout=20 csv

lint: setup-lint  ## formatting, lint, types
	@tools/lint.sh

format: setup-lint  ## rewrite the sources as the formatters want them
	@tools/lint.sh --fix

layers:  ## no room includes, and no package imports, what LAYERS does not allow
	@python3 tools/check_layers.py phalanx python/phalanx

sizes: setup  ## no file, function, parameter list or class is too long
	@python3 tools/check_sizes.py

docs:  ## links resolve, operations and public names are documented
	@python3 tools/check_docs.py

docs-site: build  ## the documentation site, build/site/index.html; warnings and dead links are errors
	@tools/build_site.sh

external-links:  ## links of the pages that lead out of the project, each with whether it answers
	@python3 tools/docs_site/external_links.py

words:  ## no retired word (docs/words.md) is used
	@python3 tools/check_words.py

house: setup  ## the figures that must hold of the structure, in one table
	@python3 tools/house.py

asan: setup  ## C++ tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@tools/run_sanitizer.sh asan

tsan: setup  ## C++ tests under ThreadSanitizer
	@tools/run_sanitizer.sh tsan

tidy: setup-lint  ## clang-tidy over the rooms without findings, those of TIDY_ROOMS, or FILES (--changed: as in CI)
	@tools/tidy.sh $(FILES)

clean:  ## remove what was built (not .venv/)
	rm -rf build dist
