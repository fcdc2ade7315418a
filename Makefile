# Every command of the project's daily life. `make help` lists them; .ci/run
# runs the same ones, so what passes here passes there.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

LINTER_VERSION := v2.15.0
LINTER := bin/golangci-lint-$(LINTER_VERSION)

# How long `make fuzz` spends on each target.
FUZZTIME ?= 30s

# Where the browser tests leave what they saw.
SCREENSHOTS ?= $(CURDIR)/artefacts/screenshots

.PHONY: help
help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: ## Start the demo: embedded database, offline model, no key, no network.
	go run ./cmd/agentstudio

.PHONY: build
build: ## Build bin/agentstudio.
	go build -trimpath -o bin/agentstudio ./cmd/agentstudio

.PHONY: test
test: deps ## Run every test, with the race detector, PostgreSQL and a browser.
	AGENTSTUDIO_SCREENSHOTS="$(SCREENSHOTS)" go test -race -shuffle=on -timeout=20m ./...
	cd studio/identity/hostjwt/wycheproof && go test ./...
	go test -tags nofilter -run 'TestRowSecurityAlone|TestTheFilterIsOff' ./studio/store

.PHONY: test-fast
test-fast: ## Run the tests without the race detector and without the long ones.
	go test -short ./...

.PHONY: deps
deps: ## Install what the tests need of the system (Debian), or say what is missing.
	scripts/deps.sh

.PHONY: lint
lint: $(LINTER) ## Check rules, style, formatting, generated files and go.mod.
	scripts/check-generated.sh
	scripts/check-format.sh
	go mod tidy -diff
	$(LINTER) run --allow-serial-runners ./...

# The version is part of the name, so that a new one is installed at once.
$(LINTER):
	GOBIN="$(CURDIR)/bin" go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINTER_VERSION)
	mv bin/golangci-lint $@

.PHONY: generate
generate: ## Format the templates and generate their Go code, from this directory.
	go tool templ fmt .
	go tool templ generate

.PHONY: bench
bench: ## Run every benchmark.
	go test -run='^$$' -bench=. -benchmem ./...

.PHONY: fuzz
fuzz: ## Run every fuzz target for FUZZTIME (30s each).
	scripts/fuzz.sh "$(FUZZTIME)"

.PHONY: cover
cover: ## Measure coverage, and leave coverage.out for `go tool cover -html`.
	go test -coverpkg=./... -coverprofile=coverage.out ./...
	go tool cover -func=coverage.out | tail -n 1
