# Every target works from any folder: make -C path/to/duelbench test
PYTHON ?= python3
EXTRAS ?= dev
PYTEST_ARGS ?= -n auto

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed-$(EXTRAS)
TYPES := $(VENV)/types/duelbench

# The rules run three times: compiled, compiled with checked array bounds, and as plain Python. So do the files
# with `pytestmark = pytest.mark.numba_modes`.
RULES_TESTS = $(sort $(wildcard tests/test_*_rules.py) $(shell grep -l '^pytestmark = .*numba_modes' tests/test_*.py))

.DEFAULT_GOAL := help
.PHONY: help install quickstart test lint types test-rules format bench bench-peers clean distclean

help:  ## this list
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/:[^#]*## /\t/' | expand -t 16

install: $(STAMP)  ## .venv with everything pinned; a second call does nothing

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "duelbench needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>&1 || true)." \
	         "Name a newer one: make $(firstword $(MAKECMDGOALS)) PYTHON=python3.12" >&2; exit 1; }
	@[ -x $(BIN)/python ] || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
	@echo "Installing into $(VENV): one to three minutes, about 2 GB of disk (with a CUDA build of torch, several more)"
	@$(BIN)/python -m pip install --disable-pip-version-check -c constraints.txt -e '.[$(EXTRAS)]'
	@touch $@

quickstart: install  ## train, play and rank five agents of Tarot Duel: a few minutes
	$(BIN)/duelbench run configs/quickstart.yaml

test: lint types test-rules  ## style, types, the rules in the two other modes, all tests
	$(BIN)/pytest $(PYTEST_ARGS)

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# mypy does not follow an editable installation, so it is shown the package through links.
types: install
	@mkdir -p $(TYPES)
	@ln -sfn ../../../envs ../../../agents ../../../experiments ../../../analysis $(TYPES)/
	$(BIN)/mypy

test-rules: install
	NUMBA_BOUNDSCHECK=1 $(BIN)/pytest $(PYTEST_ARGS) $(RULES_TESTS)
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest $(PYTEST_ARGS) $(RULES_TESTS)

format: install  ## rewrite the sources in the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: install  ## speeds on one core
	$(BIN)/duelbench bench

bench-peers:  ## the same, measured in turn with OpenSpiel and PettingZoo's classic games
	@$(MAKE) --no-print-directory install EXTRAS=dev,peers
	$(BIN)/duelbench bench --peers

clean:  ## remove caches and build leftovers; runs/ and .venv stay
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find envs agents experiments analysis tests -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean  ## remove .venv too
	rm -rf $(VENV)
