# Two commands for everybody: `make demo` and `make test`. Both set up what they need in .venv.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SOURCES := $(shell git ls-files 'src/*' 'core/*' 'bind/*' 2>/dev/null)
CXX_FILES := $(shell git ls-files 'core/*.cc' 'core/*.hh' 'bind/*.cc' 'bind/*.hh' 2>/dev/null)

BUILD := build/release
IN_BUILD := --config-settings=build-dir=$(BUILD)
# C++ tests of the core, built beside the Python module from the same objects.
CORE_TESTS := --config-settings=cmake.define.TUNESMITH_CORE_TESTS=ON

.PHONY: demo test dev check pytest ctest lint slow mutate tsan asan clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(BIN)/python pyproject.toml CMakeLists.txt $(SOURCES)
	$(BIN)/pip install --quiet . $(IN_BUILD)
	@touch $@

$(VENV)/installed-test: $(BIN)/python pyproject.toml CMakeLists.txt $(SOURCES)
	$(BIN)/pip install --quiet '.[test]' $(CORE_TESTS) $(IN_BUILD)
	@touch $@ $(VENV)/installed

demo: $(VENV)/installed
	$(BIN)/tunesmith demo

test: $(VENV)/installed-test
	$(MAKE) check

check: lint pytest ctest

pytest:
	$(BIN)/python -m pytest -q --doctest-modules --pyargs tunesmith -p no:cacheprovider
	$(BIN)/python -m pytest -n 2 $(PYTEST_ARGS)

ctest:
	$(BIN)/ctest --test-dir $(BUILD) --output-on-failure --no-tests=error

slow:
	$(BIN)/python -m pytest --slow $(PYTEST_ARGS)

# Faults at random in some rooms, and whether their tests notice; killed, it goes on where it was.
mutate:
	nice -n 15 $(BIN)/python tests/mutation/run.py $(MUTATE_ARGS)

lint:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(if $(CXX_FILES),$(BIN)/clang-format --dry-run --Werror $(CXX_FILES))

# For work on the code itself: an editable install that compiles only what changed.
dev: $(BIN)/python
	$(BIN)/pip install --quiet scikit-build-core nanobind setuptools wheel
	$(if $(shell command -v ccache),CMAKE_CXX_COMPILER_LAUNCHER=ccache) \
	  $(BIN)/pip install --quiet --no-build-isolation -e '.[test]' $(CORE_TESTS) $(IN_BUILD) \
	  --config-settings=cmake.define.TUNESMITH_UNITY=OFF

tsan:
	cmake --preset tsan && cmake --build --preset tsan && ctest --preset tsan

# The interpreter is not built with the sanitiser, so its runtime is loaded first; Python keeps
# memory until exit, so leaks are not looked for.
asan: $(BIN)/python
	$(BIN)/pip install --quiet scikit-build-core nanobind setuptools wheel
	$(BIN)/pip install --quiet '.[test]' --no-build-isolation \
	  --config-settings=cmake.define.TUNESMITH_SANITIZE=address,undefined $(CORE_TESTS) \
	  --config-settings=cmake.build-type=RelWithDebInfo --config-settings=build-dir=build/asan
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	  $(BIN)/python -m pytest $(PYTEST_ARGS)
	UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	  $(BIN)/ctest --test-dir build/asan --output-on-failure --no-tests=error

clean:
	rm -rf build $(VENV)
