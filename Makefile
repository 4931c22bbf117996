# Two commands on a fresh machine: `make run` and `make test`. Each sets up what it needs.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
RUNS   := $(VENV)/runs
READY  := $(VENV)/ready
# One more than there are processors: tests in a browser, and of commands, wait much of their time.
WORKERS := $(shell expr $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1)
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# A file of tests from every room, about a minute on two cores.
QUICK := certificates/test_claim cli/test_cli_certify datasets/test_datasets \
         display/test_display distributed/test_distributed estimators/test_foreign \
         exact/test_scores geometry/test_geometry inputs/test_row_numbers io/test_io_header \
         loops/test_loops models/test_passes online/test_river regression/test_terms \
         report/test_report runs/test_run search/test_frame studio/test_studio_state \
         verdicts/test_answers test_package

.PHONY: help setup run studio test quick minimum check types format bench evidence coverage rocq screenshots docs lock clean

help:            ## show this list
	@grep -hE '^[a-z]+: .*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12
	@echo 'test-ROOM   the tests of one room of src/novikoff, such as test-search'

setup: $(READY)  ## make the virtual environment from the lock file

# What novikoff runs on, the studio included, in the versions of the lock file; compiled, as pip
# compiles all that it installs but what is installed in place.
$(RUNS): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "novikoff needs Python 3.11 or later")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) -c requirements.lock -e '.[studio]'
	$(BIN)/python -m compileall -q src
	touch $(RUNS)

# And what the tests need besides.
$(READY): $(RUNS)
	$(PIP) -r requirements.lock
	touch $(READY)

run: $(RUNS)     ## do the main job on built-in examples
	@$(BIN)/python examples/run.py

studio: $(RUNS)  ## open the studio in the browser
	@$(BIN)/novikoff studio

test: check      ## lint, types, import contracts, and every test
	$(BIN)/python -m pytest -n $(WORKERS)

quick: $(READY)  ## a file of tests from every room, in about a minute
	$(BIN)/python -m pytest -n $(WORKERS) -m 'not browser' $(QUICK:%=tests/%.py)

# make test-search: the tests of one room, a folder of tests/ or a file of its name.
test-%: $(READY)
	$(BIN)/python -m pytest -n $(WORKERS) $(or $(wildcard tests/$*),tests/test_$*.py)

# Old versions of others may warn of what newer ones have deprecated: only that is let pass.
minimum:         ## every test with the lowest versions that pyproject.toml allows (needs uv)
	uv venv --quiet --clear --python 3.11 $(VENV)-minimum
	uv pip install --quiet --python $(VENV)-minimum/bin/python --resolution lowest-direct -e '.[dev]'
	$(VENV)-minimum/bin/python -m pytest -n auto -m 'not browser' \
	  -W ignore::DeprecationWarning -W ignore::FutureWarning

check: $(READY)  ## lint, types and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

types: $(READY)  ## the JSDoc types of the studio's page (needs npm and a network)
	npx --yes -p typescript@5 tsc -p jsconfig.json

format: $(READY) ## rewrite the sources in the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY)  ## time novikoff against its peers; results go to docs/benchmarks/
	$(PIP) -r requirements-bench.lock
	$(BIN)/python benchmarks/all.py

evidence: $(READY) ## long attacks on proofs, readers, commands, a cluster and lessons; results go to docs/evidence.md
	$(BIN)/python scripts/evidence.py

coverage: $(READY) ## lines and branches that the tests reach; results go to docs/evidence.md
	$(BIN)/python scripts/evidence.py --only coverage

rocq:            ## check the theory in rocq/, and build its native checker (needs coqc)
	@command -v coqc >/dev/null || { echo 'make rocq needs coqc; Debian: apt-get install coq' >&2; exit 1; }
	$(MAKE) -C rocq
	@sort rocq/build/assumptions.txt | uniq -c
	@echo 'the native checker: rocq/build/novikoff-check proof.json data.csv'

screenshots: $(READY) ## pictures of the studio; needs a Chromium or Chrome
	$(BIN)/python scripts/screenshots.py

docs: $(READY)   ## the documentation as HTML, in docs/_build
	$(BIN)/python -m sphinx -q -W --keep-going docs docs/_build

lock:            ## renew the lock files (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate --upgrade \
	  pyproject.toml --extra dev -o requirements.lock
	uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate --upgrade \
	  pyproject.toml --extra bench -c requirements.lock -o requirements-bench.lock

clean:           ## remove what `make` made
	rm -rf $(VENV) $(VENV)-minimum rocq/build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
