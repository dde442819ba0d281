# The few verbs a person needs. Everything happens inside .venv, which `make` creates.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CPP := $(shell find cpp benchmarks tests -name "*.?pp")
SOURCES := $(shell find cpp -name "*.?pp") CMakeLists.txt pyproject.toml
# Changes when a module is added or removed: an editable install does not see those by itself.
TREE := $(shell find src -name "*.py" | LC_ALL=C sort | cksum | cut -d " " -f 1)
INSTALLED := $(VENV)/.installed-$(TREE)
# The demo needs the library and the command alone; the development tools come with the first test.
RUNNABLE := $(VENV)/.runnable-$(TREE)

.PHONY: help demo test fuzz lint tidy format bench bench-full bench-real study docs wheels clean

help:  ## Show this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(INSTALLED): $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@rm -f $(VENV)/.installed* $(VENV)/.runnable* && touch $(RUNNABLE) $@

$(RUNNABLE): $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[cli]'
	@rm -f $(VENV)/.installed* $(VENV)/.runnable* && touch $@

demo: $(RUNNABLE)  ## Estimate the bundled example and leave the results in demo/
	$(BIN)/fangs demo demo

test: $(INSTALLED)  ## Run every test, doctests included
	scripts/install-browser.sh
	$(BIN)/python -m pytest -n auto

SECONDS ?= 1200
SEED ?= 0
fuzz: $(INSTALLED)  ## Generated problems against plain references: make fuzz SECONDS=1200 SEED=0
	cd tests && ../$(BIN)/python -m fuzz --seconds $(SECONDS) --seed $(SEED)

lint: $(INSTALLED)  ## Check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(CPP)
	$(BIN)/mypy

TIDY := build/tidy
tidy: $(INSTALLED)  ## Look for mistakes in the C++ with clang-tidy
	test -x $(TIDY)/bin/clang-tidy || $(PYTHON) -m venv $(TIDY)
	$(TIDY)/bin/python -m pip install --quiet --disable-pip-version-check \
		'clang-tidy>=20' 'cmake>=3.26' ninja nanobind
	$(TIDY)/bin/cmake -S . -B $(TIDY)/build -G Ninja -DSKBUILD_PROJECT_NAME=fangs -DFANGS_STRICT=ON -DCMAKE_UNITY_BUILD=OFF \
		-DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(TIDY)/bin/ninja \
		-DPython_EXECUTABLE=$(CURDIR)/$(TIDY)/bin/python -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
	ls cpp/bindings/*.cpp | xargs -P 2 -n 1 $(TIDY)/bin/clang-tidy -p $(TIDY)/build --quiet

format: $(INSTALLED)  ## Put Python and C++ into house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CPP)

bench: $(INSTALLED)  ## Time the core and the search beside their peers; rewrite docs/performance.md
	$(BIN)/python -m pip install --quiet lapx
	$(BIN)/python benchmarks/kernel.py
	$(BIN)/python benchmarks/instructions.py
	$(BIN)/python benchmarks/peers.py

bench-full: $(INSTALLED)  ## All benchmarks, R to its end too: an hour
	$(BIN)/python -m pip install --quiet lapx
	$(BIN)/python benchmarks/kernel.py
	$(BIN)/python benchmarks/instructions.py
	$(BIN)/python benchmarks/peers.py --full
	$(BIN)/python benchmarks/penalties.py
	$(BIN)/python benchmarks/path.py
	$(BIN)/python benchmarks/ablation.py
	$(BIN)/python benchmarks/anytime.py
	$(BIN)/python benchmarks/scaling.py
	$(BIN)/python benchmarks/memory.py

bench-real: $(INSTALLED)  ## Posteriors made by others: make bench-real REAL=folder
	REAL=$(REAL) $(BIN)/python benchmarks/real.py

study: $(INSTALLED)  ## Repeat the paper's tables and figures; [REAL=folder] adds others' draws
	REAL=$(REAL) $(BIN)/python -m study.run docs

docs: $(INSTALLED)  ## Build the site in site/; warnings are errors
	$(BIN)/sphinx-build -q -W --keep-going -b html docs site

wheels:  ## Build the wheels and the sdist into dist/, check and try them on each Python found
	PYTHON=$(PYTHON) scripts/wheels.sh

clean:  ## Remove everything that make created
	rm -rf $(VENV) build demo dist site
