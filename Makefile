# The few verbs a person needs. Everything happens inside .venv, which `make` creates.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(wildcard cpp/*) CMakeLists.txt pyproject.toml

.PHONY: help demo test lint format bench bench-full study docs clean

help:  ## Show this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/.installed: $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

demo: $(VENV)/.installed  ## Estimate the bundled example and leave the results in demo/
	$(BIN)/python examples/demo.py demo

test: $(VENV)/.installed  ## Run every test, doctests included
	scripts/install-browser.sh
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/.installed  ## Check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror cpp/*.hpp cpp/bindings/* benchmarks/*.cpp tests/*.cpp
	$(BIN)/mypy

format: $(VENV)/.installed  ## Put Python and C++ into house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i cpp/*.hpp cpp/bindings/* benchmarks/*.cpp tests/*.cpp

bench: $(VENV)/.installed  ## Time the core and the search beside their peers; rewrite docs/performance.md
	$(BIN)/python -m pip install --quiet lapx
	$(BIN)/python benchmarks/kernel.py
	$(BIN)/python benchmarks/instructions.py
	$(BIN)/python benchmarks/peers.py

bench-full: $(VENV)/.installed  ## All benchmarks, R to its end too: an hour
	$(BIN)/python -m pip install --quiet lapx
	$(BIN)/python benchmarks/kernel.py
	$(BIN)/python benchmarks/instructions.py
	$(BIN)/python benchmarks/peers.py --full
	$(BIN)/python benchmarks/penalties.py
	$(BIN)/python benchmarks/path.py
	$(BIN)/python benchmarks/anytime.py
	$(BIN)/python benchmarks/scaling.py
	$(BIN)/python benchmarks/memory.py

study: $(VENV)/.installed  ## Repeat the paper's tables and figures; writes docs/study/
	$(BIN)/python -m study.run docs

docs: $(VENV)/.installed  ## Build the site in site/; warnings are errors
	$(BIN)/mkdocs build --strict

clean:  ## Remove everything that make created
	rm -rf $(VENV) build demo site
