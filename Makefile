# Two commands: `make run` (the main job) and `make test` (everything that must hold).
# Both build .venv themselves; only python3 (3.11 or newer), make and a package index are needed.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

# pip compiles what it copies; an editable install it leaves where it is
BYTECODE = $(BIN)/python -m compileall -q src/carom

.PHONY: run reproduce test stock fuzz kills docs links package lint types imports pytest audit bench clean

run: $(VENV)/.run
	$(BIN)/carom run

reproduce: $(VENV)/.run
	$(BIN)/carom reproduce --all --out out

test: lint types imports pytest

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports --no-cache

# files go to processes as a whole: their fixtures are made once
pytest: $(VENV)/.dev
	$(BIN)/pytest -n $(WORKERS) --dist loadfile

WORKERS ?= 2
SEED    ?= 0
MINUTES ?= 1
COUNT   ?= 30

# runs, ensembles and impacts on Numba as it comes, which takes minutes to compile them
stock: $(VENV)/.dev
	CAROM_FRONT_END=stock $(BIN)/pytest -n $(WORKERS) --dist loadfile $(addprefix tests/,$(ON_STOCK))

ON_STOCK = backends/test_frontend.py $(addprefix integrate/test_,simulate.py engine_laws.py engine_promises.py \
	ensemble.py impact.py true_peaks.py)

# pages in Chromium, where there is one; screenshots to look at are put into out/browser
browser: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --editable '.[browser,notebook]'
	$(BIN)/pytest -rs tests/browser

# random problems against the judge, then changed and damaged files, each for so many minutes
fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.judge --seed $(SEED) --minutes $(MINUTES)
	$(BIN)/python -W ignore -m tests.mutations --seed $(SEED) --minutes $(MINUTES)

# studies killed at random moments, on every runner and by every signal: COUNT of them
kills: $(VENV)/.dev
	$(BIN)/python -m tests.studies.kills --seed $(SEED) --count $(COUNT)

# bandit over our own code; known holes of what is installed, where an index of them answers
audit: $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[audit]' || { echo "audit: no package index answers"; exit 0; }; \
	$(BIN)/bandit --quiet --configfile pyproject.toml --recursive src || exit 1; \
	found=$$($(BIN)/pip-audit --skip-editable --progress-spinner off --timeout 10 2>&1); code=$$?; echo "$$found"; \
	case "$$found" in *"Connection"*|*"Max retries"*|*"timed out"*) echo "audit: no index of known holes answers";; \
	*) exit $$code;; esac

# every page, with its tutorials, figures and published numbers computed anew; then every block of code in pages and README
docs: $(VENV)/.docs
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build/html
	$(BIN)/pytest -q tests/test_documents.py tests/test_pages.py

# links to the world outside, where there is one
links: $(VENV)/.docs
	$(BIN)/sphinx-build -b linkcheck docs docs/_build/links

# what a release would upload: built, checked, and imported from a bare environment
package: $(BIN)/python
	$(BIN)/python -m pip install --quiet build twine
	rm -rf dist && $(BIN)/python -m build --outdir dist
	$(BIN)/python -m twine check --strict dist/*
	rm -rf dist/bare && $(PYTHON) -m venv dist/bare && dist/bare/bin/python -m pip install --quiet dist/*.whl
	cd dist && bare/bin/carom impact --law hertz --stiffness 2e10 --mass 0.5 --velocity 0.3

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.run: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	$(BYTECODE)
	touch $@

$(VENV)/.dev: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[dev,study,app,notebook]'
	$(BYTECODE)
	touch $@ $(VENV)/.run

$(VENV)/.docs: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	touch $@

clean:
	rm -rf $(VENV) out dist docs/_build docs/figures docs/reference/*/ .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
