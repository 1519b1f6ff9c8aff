# Targets for people: test, lint, generate, demo. `make test` does all that a change must pass, from a fresh clone.

SHELL       := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := test

BUF          := go run github.com/bufbuild/buf/cmd/buf@v1.75.0
GOTESTSUM    := go run gotest.tools/gotestsum@v1.13.0 --format pkgname --format-hide-empty-pkg
GOLANGCI     := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

# Python environments live outside the tree and are reused while their requirements stay the same.
CACHE        ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/privgym
PYTHON       ?= python3
BIN          := $(CACHE)/bin/privgym
# JUnit files of every suite, which .ci/run counts.
RESULTS      ?= $(CACHE)/results

# $(call venv,NAME): a virtual environment for python/NAME.txt, made once for each content of that file.
define venv
$(CACHE)/venv/$(1)-$(shell cat python/$(1).txt | sha256sum | cut -c1-12)
endef

VENV_STUBS := $(call venv,requirements-stubs)

.PHONY: test
test: lint check-generate test-go test-python test-client test-readers test-stats

.PHONY: build
build:
	@mkdir -p $(dir $(BIN))
	go build -o $(BIN) ./cmd/privgym

.PHONY: demo
demo:
	go run ./cmd/privgym demo

.PHONY: test-go
test-go:
	@mkdir -p $(RESULTS)
	$(GOTESTSUM) --junitfile $(RESULTS)/go.xml -- -race ./...

.PHONY: lint
lint: lint-python
	@test -z "$$(gofmt -l .)" || { echo "gofmt these files:"; gofmt -l .; exit 1; }
	go vet ./...
	$(GOLANGCI) run
	$(BUF) lint
	$(BUF) breaking --against proto/baseline.binpb

VENV_LINT := $(call venv,requirements-lint)
# All Python there is, seen from python/.
PYTHON_FILES := . ../.ci ../cmd
.PHONY: lint-python
lint-python: $(VENV_LINT)/.ready
	cd python && $(VENV_LINT)/bin/ruff check --config pyproject.toml $(PYTHON_FILES)
	cd python && $(VENV_LINT)/bin/ruff format --config pyproject.toml --check $(PYTHON_FILES)
	cd python && $(VENV_LINT)/bin/mypy --cache-dir $(CACHE)/mypy

# Generated files: the Go beside the .proto files, the stubs of the Python package, the index of the embedded families, and
# the lists of what the program is built from.
.PHONY: generate
generate: $(VENV_STUBS)/.ready
	cd proto && $(BUF) generate --template buf.gen.yaml
	$(VENV_STUBS)/bin/python -m grpc_tools.protoc -Iproto --python_out=python/src --pyi_out=python/src \
	  --grpc_python_out=python/src proto/privgym/v1/*.proto
	go generate ./...
	$(PYTHON) .ci/dependencies.py

.PHONY: check-generate
check-generate:
	@before=$$(mktemp) && after=$$(mktemp) && \
	$(MAKE) --no-print-directory hash-generated > $$before && \
	$(MAKE) --no-print-directory generate > /dev/null && \
	$(MAKE) --no-print-directory hash-generated > $$after && \
	diff $$before $$after || { echo "generated files were stale; they are fresh now: commit them"; exit 1; }

.PHONY: hash-generated
hash-generated:
	@sha256sum proto/privgym/v1/*.pb.go python/src/privgym/v1/*_pb2* env/corpus/index.json docs/dependencies.md THIRD_PARTY_LICENSES

# The wire contract may only grow. Run this when a release has made it public.
.PHONY: baseline
baseline:
	$(BUF) build -o proto/baseline.binpb

VENV_WIRE := $(call venv,requirements-wire)

$(CACHE)/venv/%/.ready:
	@rm -rf $(@D) && mkdir -p $(@D)
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check -r python/$(shell echo $* | sed 's/-[0-9a-f]*$$//').txt
	@touch $@

# A client that shares no code with ours: stubs generated from proto/ in the test's own environment.
.PHONY: test-python
test-python: build $(VENV_WIRE)/.ready
	PRIVGYM_BIN=$(BIN) $(VENV_WIRE)/bin/python -m pytest -q -p no:cacheprovider \
		--junitxml=$(RESULTS)/wire.xml python/tests

# The statistics, against scipy and statsmodels.
VENV_STATS := $(call venv,requirements-stats)
.PHONY: test-stats
test-stats: $(VENV_STATS)/.ready
	@mkdir -p $(RESULTS)
	$(VENV_STATS)/bin/python -m pytest -q -p no:cacheprovider --junitxml=$(RESULTS)/stats.xml python/tests-stats

# The package's client, with the newest gRPC and protobuf and with the oldest that it admits.
VENV_CLIENT     := $(call venv,requirements-client)
VENV_CLIENT_OLD := $(call venv,requirements-client-old)
.PHONY: test-client
test-client: build $(VENV_CLIENT)/.ready $(VENV_CLIENT_OLD)/.ready
	@mkdir -p $(RESULTS)
	for venv in $(VENV_CLIENT) $(VENV_CLIENT_OLD); do \
	  PYTHONPATH=$(CURDIR)/python/src PRIVGYM_BIN=$(BIN) $$venv/bin/python -m pytest -q -p no:cacheprovider \
	    --junitxml=$(RESULTS)/$$(basename $$venv).xml python/tests_client; \
	done

# The Parquet of `privgym sft` and `privgym prompts` with the readers of trainers: the newest, and pyarrow before 25, which
# takes the JSON type from the footer's Arrow schema alone.
VENV_READERS     := $(call venv,requirements-readers)
VENV_READERS_OLD := $(call venv,requirements-readers-old)
.PHONY: test-readers
test-readers: build $(VENV_READERS)/.ready $(VENV_READERS_OLD)/.ready
	@mkdir -p $(RESULTS)
	for venv in $(VENV_READERS) $(VENV_READERS_OLD); do \
	  HF_HUB_OFFLINE=1 PRIVGYM_BIN=$(BIN) $$venv/bin/python -m pytest -q -p no:cacheprovider \
	    --junitxml=$(RESULTS)/$$(basename $$venv).xml python/tests_sft/test_readers.py; \
	done

# Real trainers, really run, and the scripts of docs/trl.md and python/recipes as a reader would run them. One environment
# holds what needs torch.
VENV_TRL := $(call venv,requirements-trl)
.PHONY: test-trl
test-trl: build $(VENV_TRL)/.ready
	@mkdir -p $(RESULTS)
	HF_HUB_OFFLINE=1 PYTHONPATH=$(CURDIR)/python/src PRIVGYM_BIN=$(BIN) $(VENV_TRL)/bin/python -m pytest -q -p no:cacheprovider \
	  --junitxml=$(RESULTS)/trl.xml python/tests_trl

# The HTTP routes with verifiers' own client and command. Its harness is a script whose packages uv fetches at the first run.
VENV_NEMOGYM := $(call venv,requirements-nemogym)
.PHONY: test-nemogym
test-nemogym: build $(VENV_NEMOGYM)/.ready
	@mkdir -p $(RESULTS)
	PRIVGYM_BIN=$(BIN) $(VENV_NEMOGYM)/bin/python -m pytest -q -p no:cacheprovider \
	  --junitxml=$(RESULTS)/nemogym.xml python/tests_nemogym/test_verifiers.py

# The same with NeMo Gym's own agent, which needs Python 3.12; pyenv's are found too.
PYTHON312 ?= $(firstword $(foreach p,python3.13 python3.12 $(wildcard $(HOME)/.pyenv/versions/3.1[2-9].*/bin/python), \
  $(shell $(p) -c 'import sys; print(sys.executable)' 2> /dev/null)))
VENV_AGENT := $(call venv,requirements-nemogym-agent)
$(VENV_AGENT)/.ready: PYTHON = $(or $(PYTHON312),$(error Python 3.12 or newer is needed: give PYTHON312))
.PHONY: test-nemogym-agent
test-nemogym-agent: build $(VENV_AGENT)/.ready
	@mkdir -p $(RESULTS)
	PRIVGYM_BIN=$(BIN) $(VENV_AGENT)/bin/python -m pytest -q -p no:cacheprovider \
	  --junitxml=$(RESULTS)/nemogym-agent.xml python/tests_nemogym/test_agent.py

# A real model behind a real server, on the CPU. The server is compiled on the first use, which takes some minutes, and the
# run takes half an hour or more. docs/results/smollm2-eval.md has the figures.
VENV_LLAMA := $(call venv,requirements-llama)
.PHONY: eval-smollm2
eval-smollm2: build $(VENV_LLAMA)/.ready
	python/llama/eval.sh $(VENV_LLAMA) $(BIN) $(CACHE)/eval-smollm2

# Load, kills, lost clients, full disks, and damage at more places: cmd/privgym/heavy_*_test.go. Some minutes; what needs
# root or namespaces is skipped where there are none.
.PHONY: test-heavy
test-heavy:
	@mkdir -p $(RESULTS)
	$(GOTESTSUM) --junitfile $(RESULTS)/heavy.xml -- -tags heavy -run Heavy -timeout 40m ./cmd/privgym

# Every fuzz target for FUZZTIME. What it finds is kept under testdata/fuzz of its package, where a second run fails on it
# too; what fails once only is the fuzzer at the end of its time (go.dev/issue/75804).
FUZZTIME ?= 20s
.PHONY: test-fuzz
test-fuzz:
	@mkdir -p $(RESULTS)
	@grep -rHoE '^func Fuzz\w+' --include='*_test.go' . | sed -E 's|/[^/]*:func | |' | sort | { \
	  status=0; \
	  while read -r package target; do \
	    for run in first second; do \
	      $(GOTESTSUM) --junitfile $(RESULTS)/fuzz-$$(basename $$package)-$$target.xml -- \
	        -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 50x $$package < /dev/null && continue 2; \
	    done; \
	    status=1; \
	  done; \
	  exit $$status; \
	}

# What deploy/ holds, as far as it can be tried without a cluster (docs/operating.md).
VENV_DEPLOY := $(call venv,requirements-deploy)
.PHONY: test-deploy
test-deploy: build $(VENV_DEPLOY)/.ready
	@mkdir -p $(RESULTS)
	PRIVGYM_BIN=$(BIN) $(VENV_DEPLOY)/bin/python -m pytest -q -p no:cacheprovider \
	  --junitxml=$(RESULTS)/deploy.xml python/tests_deploy

# Known vulnerabilities in the program, its modules and the Go that builds it. The database is asked over the network; where
# only a Go module proxy can be reached, make it from its module first: make vulndb vulncheck VULNDB=file://$(CACHE)/vulndb
VULNDB ?=
.PHONY: vulncheck
vulncheck:
	go run golang.org/x/vuln/cmd/govulncheck@v1.9.0 $(if $(VULNDB),-db $(VULNDB)) ./cmd/privgym

.PHONY: vulndb
vulndb:
	@rm -rf $(CACHE)/vulndb
	@module=golang.org/x/vulndb@$$(cd / && go list -m -f '{{.Version}}' golang.org/x/vulndb@latest) && \
	folder=$$(cd / && go mod download -json $$module | sed -n 's/.*"Dir": "\(.*\)".*/\1/p') && \
	go run $${module/@/\/cmd\/indexdb@} -vulns $$folder/data/osv -out $(CACHE)/vulndb
