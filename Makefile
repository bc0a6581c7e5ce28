# Rowlock needs Go and PostgreSQL 15 or newer, and Node.js for its dashboard. `make help` lists the targets.

.DEFAULT_GOAL := help
SHELL := /bin/sh

# Arguments for `rowlock serve`, as in: make run ARGS="--nodes 100 --ephemeral"
ARGS ?=
# What to test, as in: make test PKG=./internal/store/...
PKG ?= ./...
# How to soak, as in: make soak SOAK="-for 1h -seed 7"
SOAK ?=
# How to campaign, as in: make campaign CAMPAIGN="-for 10m -seed 7 -v"
CAMPAIGN ?=
# What to measure, as in: make bench BENCH="-pods 500 -only deploy,list"
BENCH ?=

# Builds use the flags of a release (tools/release), so that nothing is compiled twice.
export CGO_ENABLED ?= 0
export GOFLAGS := $(strip -trimpath $(filter-out -trimpath,$(GOFLAGS)))

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: web ## compile bin/rowlock, with the dashboard where Node.js can build it (WEB=no for without)
	go build -o bin/rowlock ./cmd/rowlock

# WEB=no does not rebuild the dashboard: the program embeds the last build, if there is one.
WEB ?= yes
# Whether a Node.js that Vite supports is installed.
NODE_FITS := command -v npm >/dev/null && node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || a == 20 && b >= 19 ? 0 : 1)' 2>/dev/null

.PHONY: web
web: ## build the dashboard into web/dist/app, which go build puts into the program
	@if [ "$(WEB)" = no ]; then exit 0; \
	elif $(NODE_FITS); then $(MAKE) --no-print-directory web/dist/app/index.html; \
	elif [ -f web/dist/app/index.html ]; then echo "the dashboard stays as it was built: there is no Node.js 20.19 or newer"; \
	else echo "the dashboard is left out: there is no Node.js 20.19 or newer"; fi

# The sources include directories, so that a deleted file triggers a build too.
WEB_SOURCES := $(shell find web/src web/public web/index.html web/package.json web/tsconfig.json web/vite.config.ts 2>/dev/null)

web/dist/app/index.html: web/node_modules/.package-lock.json $(WEB_SOURCES)
	npm --prefix web run --silent build
	@touch $@

web/node_modules/.package-lock.json: web/package-lock.json
	npm --prefix web ci --ignore-scripts
	@touch $@

.PHONY: run
run: build ## start Rowlock, with a PostgreSQL of its own (ARGS="..." for rowlock serve)
	@[ -n "$$DATABASE_URL" ] || case '$(ARGS)' in *--database-url*) ;; *) $(MAKE) --no-print-directory deps-postgresql || true ;; esac
	@exec bin/rowlock serve $(ARGS)

.PHONY: test
test: check-format check-modules lint report-vulnerabilities check-systems check-release test-web check-docs test-race test-stories test-kubectl test-clients test-ui test-stack ## everything that CI runs

.PHONY: check-format
check-format:
	@unformatted=$$(find . -name node_modules -prune -o -name '*.go' -print | xargs gofmt -l) && \
	if [ -n "$$unformatted" ]; then echo "run gofmt -w on:"; echo "$$unformatted"; exit 1; fi

# go.mod and go.sum list exactly the modules needed, and the downloads match them.
.PHONY: check-modules
check-modules:
	@go mod tidy -diff || { echo "run go mod tidy" >&2; exit 1; }
	@go -C tools mod tidy -diff || { echo "run go -C tools mod tidy" >&2; exit 1; }
	@go -C test/clients mod tidy -diff || { echo "run go -C test/clients mod tidy" >&2; exit 1; }
	@go -C test/scenario mod tidy -diff || { echo "run go -C test/scenario mod tidy" >&2; exit 1; }
	@go mod verify

# The linters have their own module, tools/go.mod: in ours they would decide the versions of our
# dependencies.
TOOL := go tool -modfile=$(CURDIR)/tools/go.mod

.PHONY: lint
lint: ## check what a linter can of the house rules (.golangci.yml)
	$(TOOL) golangci-lint run $(PKG)
	@mkdir -p bin && $(LINT_BROKEN) >bin/lint.txt; diff -u test/archtest/testdata/lint/want.txt bin/lint.txt || \
	{ echo "the linter no longer finds what breaks the rules; if that is meant: make lint-want" >&2; exit 1; }

# Tests the linter's rules with sources that break them.
LINT_BROKEN = $(TOOL) golangci-lint run --show-stats=false --output.text.print-issued-lines=false --output.text.colors=false ./test/archtest/testdata/lint/...

.PHONY: lint-want
lint-want:
	$(LINT_BROKEN) >test/archtest/testdata/lint/want.txt; [ -s test/archtest/testdata/lint/want.txt ]

.PHONY: vulncheck
vulncheck: ## look for known vulnerabilities in what the program calls; fails where the database of them cannot be asked
	$(TOOL) govulncheck ./...

# A vulnerability fails the tests. An unreachable database does not, but is not reported as a success.
.PHONY: report-vulnerabilities
report-vulnerabilities:
	@said=$$($(TOOL) govulncheck ./... 2>&1); code=$$?; \
	case "$$code/$$said" in \
	0/*) echo "govulncheck: no known vulnerability in what is called" ;; \
	*"fetching vulnerabilities"*) echo "not checked: known vulnerabilities, as their database does not answer (make vulncheck)"; echo "$$said" ;; \
	*) echo "$$said"; exit $$code ;; \
	esac

# Stories about kubectl, named after behaviours: the documents' worked examples, its own commands,
# and workloads as it shows them. test-kubectl runs them; test-stories runs the others, about
# Rowlock's own features.
ABOUT_KUBECTL = '^TestScripts$$/^[A-Z]+-'

# One package, the stories (test/scenario, its own module because kubectl runs in its process) and
# the scripts check what a client sees, behaviour by behaviour. They run without the race detector,
# which would make them take half of the total time: the tests of api, cluster and controller run the
# same code with it.
STORIES := test/e2e

# The race detector has nothing to find in these packages, and makes them take five to ten times as
# long: nothing in them runs in parallel, and what some of them share in memory is tested with it by
# api and internal/cluster. One goroutine runs each emulated program and each reconciler's decision,
# and the linter keeps synchronization out of reconcilers. internal/cluster tests the workers that run
# them in parallel with it. The ledger counts allocations, and the race detector would add its own.
ALONE := api/kube/openapi/upstream test/archtest test/ledger
PURE := internal/emulator internal/kind internal/reconcile# with all packages below them

# It starts Rowlock as processes, which are built without the race detector; with it, following and
# judging them took half of the processors. It watches how fast processes take over from others, so
# no long one of the others runs beside it.
KILLS := test/chaos

# Not one of the others: see test-stack.
STACK := test/stack

# These take minutes and come first, so that the others run beside them instead of waiting for them.
# test/campaign mostly waits.
LONGEST := test/campaign internal/cluster api internal/controller internal/engine api/kube/wire
OTHERS = $$(go list ./... | grep -vE '/($(subst $() ,|,$(STORIES) $(ALONE) $(KILLS) $(LONGEST) $(STACK)))$$|/($(subst $() ,|,$(PURE)))(/|$$)')
RACED = $(if $(filter ./...,$(PKG)),$(addprefix ./,$(LONGEST)) $(OTHERS),$(PKG))

# One PostgreSQL serves the tests of all packages. Two packages run at a time: more would compete for
# processors and exceed the timeouts of the database and the clients. The race detector needs a C
# compiler. The programs that tests start, Rowlock and kubectl, are built without it. A test program
# built with it sleeps for a second before it exits, so that goroutines which still run are reported;
# here for less. Test programs have no information for a debugger (-dwarf=false), which would take a
# seventh of the compiler's time. Vet is the linter's (make lint).
.PHONY: test-race
test-race: deps build
	@command -v "$$(go env CC)" >/dev/null || { echo "go test -race needs a C compiler: install gcc" >&2; exit 1; }
	go -C test/scenario build -o ../../bin/kubectl ./kubectl
	ROWLOCK_BINARY=$(CURDIR)/bin/rowlock ROWLOCK_TEST_KUBECTL=$(CURDIR)/bin/kubectl \
	GORACE="atexit_sleep_ms=100 $$GORACE" go run ./internal/pg/pgtest/withpg env CGO_ENABLED=1 go test -race -gcflags=all=-dwarf=false -vet off -p 2 -timeout 15m -skip '^(TestScripts|TestGuide)$$' $(RACED)

.PHONY: test-stories
test-stories: deps build
	go -C test/scenario build -o ../../bin/kubectl ./kubectl
	$(WITH_OURS) go test -vet off -p 2 -parallel 6 -timeout 15m $(addprefix ./,$(STORIES) $(ALONE) $(KILLS) $(PURE:%=%/...))
	$(WITH_OURS) go -C test/scenario test -parallel 6 -timeout 15m ./...
	$(WITH_OURS) go test -vet off -parallel 4 -timeout 15m -run '^(TestScripts|TestGuide)$$' -skip $(ABOUT_KUBECTL) ./cmd/rowlock

WITH_OURS = ROWLOCK_BINARY=$(CURDIR)/bin/rowlock ROWLOCK_TEST_KUBECTL=$(CURDIR)/bin/kubectl go run ./internal/pg/pgtest/withpg

# Uses the machine's kubectl, which may be older or newer than ours, or ours if it has none.
.PHONY: test-kubectl
test-kubectl: deps build
	go -C test/scenario build -o ../../bin/kubectl ./kubectl
	kubectl=$$(command -v kubectl) || kubectl=bin/kubectl; ROWLOCK_BINARY=$(CURDIR)/bin/rowlock \
	ROWLOCK_TEST_KUBECTL=$$(readlink -f "$$kubectl") go run ./internal/pg/pgtest/withpg go test -vet off -parallel 4 -run $(ABOUT_KUBECTL) ./cmd/rowlock

# Helm, controller-runtime, client-go and the JavaScript client, in their own module.
.PHONY: test-clients
test-clients: deps deps-node build ## try other people's clients (test/clients)
	ROWLOCK_BINARY=$(CURDIR)/bin/rowlock go -C test/clients test -timeout 15m .

# The compose file and the Dockerfile on a real engine (test/stack): they build images, which takes
# minutes and downloads those of Go, Node.js, PostgreSQL and HAProxy. Without an engine they say that
# nothing was checked.
.PHONY: test-stack
test-stack: ## bring the compose stack and the standalone container up, with Docker
	go test -count 1 -timeout 45m -v ./$(STACK)

# The dashboard's logic without a browser, its types, its style, and the size of its first load.
.PHONY: test-web
test-web: deps-node ## check the dashboard's sources, and how large it is
	@$(NODE_FITS) || { echo "the tests of the dashboard need Node.js 20.19 or newer" >&2; exit 1; }
	@$(MAKE) --no-print-directory WEB=yes web
	npm --prefix web run --silent check
	npm --prefix web run --silent test
	node web/size.js

# The dashboard in a browser, with bin/rowlock. UI="overview --headed" runs some of the tests;
# web/e2e/shots has the screenshots.
UI ?=

.PHONY: test-ui
test-ui: deps deps-node deps-chromium build ## try the dashboard in Chromium (UI="overview" for the tests of that name)
	@$(NODE_FITS) || { echo "the tests of the dashboard need Node.js 20.19 or newer" >&2; exit 1; }
	cd web && ROWLOCK_BINARY=$(CURDIR)/bin/rowlock npx --no-install playwright test $(UI)
	@[ -n "$$LONG" ] || echo "not run: the stories of kills, rights and hostile texts, which take minutes (LONG=yes make test-ui), and of an hour (MINUTES=60 make test-ui UI=hour)"

.PHONY: docs
docs: ## make a static site of the pages, in bin/docs
	@go -C tools run ./site -root .. -out ../bin/docs && echo bin/docs/index.html

.PHONY: check-docs
check-docs:
	go -C tools test ./...

.PHONY: pictures
pictures: ## take the pictures of the README and of docs/DASHBOARD.md anew (docs/pictures)
	$(MAKE) --no-print-directory test-ui UI="--config playwright.pictures.ts"

# How long each fuzz test runs, as in: make fuzz FUZZTIME=10m PKG=./api/kube
FUZZTIME ?= 30s

.PHONY: fuzz
fuzz: ## run all fuzz tests, one after another, for FUZZTIME each (PKG=./api/... for some)
	@grep -roE --include='*_test.go' --exclude-dir=node_modules '^func Fuzz[A-Za-z0-9_]*' $(patsubst %/...,%,$(PKG)) | sed -E 's,^(.*)/[^/]*:func (.*)$$,\1 \2,' | sort -u | \
	while read -r dir name; do \
		echo "$$name in $$dir"; \
		go test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) "./$${dir#./}" || exit 1; \
	done

# The version is the tag, or derived from the commit. Files in the archives have the commit's time, so
# that the same commit gives the same bytes.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)

.PHONY: release
release: web ## build static programs for Linux, macOS and Windows into dist/ (VERSION=v1.2.3)
	go -C tools run ./release -root .. -out ../dist -version "$(VERSION)" -epoch "$(EPOCH)"

# Checks the types of what other systems compile; it takes seconds, and compiling for them minutes.
.PHONY: check-systems
check-systems:
	go -C tools run ./systems -root .. windows/amd64 darwin/arm64

# Builds a release for this system, and checks that its program runs on its own.
.PHONY: check-release
check-release: web
	@go -C tools run ./release -root .. -version v0.0.0-check -out ../bin/dist -systems "$$(go env GOHOSTOS)/$$(go env GOHOSTARCH)" && \
	bin/dist/"$$(go env GOHOSTOS)-$$(go env GOHOSTARCH)"/rowlock$$(go env GOEXE) version | grep -q '^rowlock v0.0.0-check' && \
	cd bin/dist && { ! command -v sha256sum >/dev/null || sha256sum --check --quiet SHA256SUMS; }

.PHONY: bench
bench: build deps ## measure bin/rowlock from outside, on a PostgreSQL of its own (BENCH="-pods 500" for less)
	go run ./test/bench -rowlock bin/rowlock $(BENCH)

.PHONY: soak
soak: build deps ## ten minutes of mixed load on three processes that are killed, with PostgreSQL, meanwhile (SOAK="-for 1h")
	go run ./test/soak -rowlock bin/rowlock $(SOAK)

.PHONY: campaign
campaign: build deps ## an hour of faults of all kinds on three processes, a PostgreSQL and its standby under load (CAMPAIGN="-for 10m")
	go run ./test/campaign -rowlock bin/rowlock $(CAMPAIGN)

.PHONY: bench-packages
bench-packages: deps ## run the packages' own Go benchmarks
	go run ./internal/pg/pgtest/withpg go test -run '^$$' -bench . -benchmem $(PKG)

.PHONY: generate
generate: ## write all generated files
	go generate ./...
	$(MAKE) --no-print-directory openapi

.PHONY: openapi
openapi: build ## write openapi.yaml, and the dashboard's types from it
	bin/rowlock openapi > bin/openapi.yaml && mv bin/openapi.yaml openapi.yaml
	@if $(NODE_FITS); then npm --prefix web run --silent types; fi

.PHONY: verify-openapi
verify-openapi: build ## check that openapi.yaml is what the binary serves; `make test` does so too
	bin/rowlock openapi | diff -u openapi.yaml - || { echo "openapi.yaml is stale: make openapi" >&2; exit 1; }

.PHONY: test-server
test-server: deps ## keep a server for tests, so that failed tests' databases can be looked at
	@go run ./internal/pg/pgtest/withpg

# Installs the Debian package $(1), described as $(2). If that is impossible, the shell exits with $(3).
define apt-install
if ! command -v apt-get >/dev/null; then echo "$(2) is not installed" >&2; exit $(3); fi; \
if [ "$$(id -u)" = 0 ]; then as_root=; \
elif sudo -n true 2>/dev/null; then as_root="sudo -n"; \
else echo "$(2) is not installed: sudo apt-get install $(1)" >&2; exit $(3); fi; \
echo "installing $(2)"; \
$$as_root apt-get update -q </dev/null && \
$$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $(1) </dev/null
endef

.PHONY: deps
deps: deps-postgresql deps-haproxy ## install PostgreSQL and HAProxy where apt-get can and none is there

# Only the test of several replicas behind one address needs HAProxy. Debian starts it as a service,
# which the test does not need.
.PHONY: deps-haproxy
deps-haproxy:
	@if command -v haproxy >/dev/null || [ -x /usr/sbin/haproxy ]; then exit 0; fi; \
	$(call apt-install,haproxy,HAProxy,0)

# The tests' browser, and a font with Chinese and Japanese characters for its screenshots. Where the
# headless shell cannot be installed, Chromium itself serves, and takes half as long again.
.PHONY: deps-chromium
deps-chromium:
	@if command -v "$${CHROMIUM:-chromium-headless-shell}" >/dev/null; then exit 0; fi; \
	( $(call apt-install,chromium-headless-shell fonts-wqy-microhei,Chromium's headless shell,1) ) || command -v chromium >/dev/null || \
	{ $(call apt-install,chromium fonts-wqy-microhei,Chromium,1); }

# The dashboard and the test of the JavaScript client need Node.js.
.PHONY: deps-node
deps-node:
	@if command -v npm >/dev/null; then exit 0; fi; \
	$(call apt-install,npm,Node.js,0)

.PHONY: deps-postgresql
deps-postgresql:
	@for postgres in "$(PG_BIN)/postgres" "$$(command -v postgres)" /usr/lib/postgresql/*/bin/postgres /usr/pgsql-*/bin/postgres \
		/usr/libexec/postgresql*/postgres /opt/homebrew/opt/postgresql@*/bin/postgres /usr/local/opt/postgresql@*/bin/postgres \
		/Applications/Postgres.app/Contents/Versions/*/bin/postgres; do \
		[ ! -x "$$postgres" ] || exit 0; \
	done; \
	$(call apt-install,postgresql,PostgreSQL,1)

.PHONY: clean
clean: ## remove what was built
	rm -rf bin dist web/dist/app web/e2e/shots web/e2e/results
