# One environment in .venv, made once and made again when pyproject.toml or constraints.txt change.
#
#   VENV=DIR          another place for the environment
#   PYTHON=python3.12 the interpreter that makes it (3.11 or newer)
#   TORCH_INDEX=URL   an index with CPU builds of torch; without it pip's own settings decide
#   ARGS="..."        words added to the command that a target runs

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV ?= .venv
PYTHON ?= python3
TORCH_VERSION := 2.13.0
TORCH_INDEX ?=
PRESET ?= argus_full
RUN ?=
ARGS ?=

PY := $(VENV)/bin/python
READY := $(VENV)/.ready
say = @printf '\033[1m== %s\033[0m\n' "$(1)"

.PHONY: help env train test check slow report docs clean

help: ## List these targets (the default)
	@echo 'usage: make TARGET [ARGS="words for the command"]'
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1|\2/' \
	  | awk -F'|' '{ printf "%-14s %s\n", $$1, $$2 }'

env: $(READY) ## Make the environment in .venv, if it is missing or out of date

$(READY): pyproject.toml constraints.txt
	$(call say,Environment: $(VENV) (a few minutes the first time))
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; give it with PYTHON=..." >&2; exit 2; }
	@test -x $(PY) || $(PYTHON) -m venv $(VENV)
	$(call say,Installing torch $(TORCH_VERSION))
	@$(PY) -m pip install -q --disable-pip-version-check torch==$(TORCH_VERSION) -c constraints.txt \
	  $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX))
	$(call say,Installing argus_rl and its tools)
	@$(PY) -m pip install -q --disable-pip-version-check -e '.[dev]' -c constraints.txt
	@touch $@

train: env ## Install what is missing, then train: preset argus_full, on a CPU, in minutes
	$(call say,python -m argus_rl.train +preset=$(PRESET) $(ARGS))
	@$(PY) -m argus_rl.train +preset=$(PRESET) $(ARGS)

test: env ## Install what is missing, then run the fast tests
	$(call say,Tests: all but those marked slow gpu and hub)
	@OMP_NUM_THREADS=1 $(PY) -m pytest -q -n auto -m "not slow and not gpu and not hub" $(ARGS)

slow: env ## Run the tests that take more than five seconds each
	$(call say,Tests marked slow)
	@OMP_NUM_THREADS=1 $(PY) -m pytest -q -n auto -m "slow and not gpu and not hub" $(ARGS)

check: env ## Lint, format, types, import layers and contract tests
	$(call say,ruff check)
	@$(PY) -m ruff check .
	$(call say,ruff format --check)
	@$(PY) -m ruff format --check .
	$(call say,pyright)
	@$(PY) -m pyright --pythonpath $(PY)
	$(call say,lint-imports)
	@$(VENV)/bin/lint-imports
	$(call say,Contract tests)
	@$(PY) -m pytest -q tests/contracts

report: env ## Make the HTML page of a run: make report RUN=DIR (default: the newest in runs/)
	@run="$(RUN)"; run="$${run:-$$(ls -dt runs/*/ 2>/dev/null | head -n 1)}"; \
	  test -n "$$run" || { echo "There is no run yet: make train first, or give RUN=DIR." >&2; exit 2; }; \
	  $(PY) -m argus_rl.report "$$run" $(ARGS)

docs: env ## Write docs/flags.md and docs/wiring.md again from the code
	@$(PY) scripts/flags_page.py
	@$(PY) scripts/wiring_page.py

clean: ## Remove the environment and caches; runs/ stays
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find argus_rl tests scripts -name __pycache__ -type d -prune -exec rm -rf {} +
