# make            what there is
# make demo       a hook written once, obeyed by two real agents
# make test       every test there is: Go, JS, golden, real agents
# make check      the quick half, before each commit
# make certify-newest  what the newest version of every agent breaks

GO      ?= go
BIN     := bin
LDFLAGS := -s -w
export CGO_ENABLED := 0

# Real agents come from the npm registry, exact versions, into e2e/node_modules.
E2E_INSTALLED := e2e/node_modules/.package-lock.json

.PHONY: help build generate check test test-go test-js e2e e2e-install bench soak-gremlins demo clean certify-newest

help:
	@sed -n 's/^# make/make/p' Makefile

build:
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN)/ ./cmd/lorimer ./cmd/lorimer-dispatch ./cmd/lorimer-gremlins ./cmd/lorimer-hal

generate:
	$(GO) run ./cmd/lorimer-gen

check:
	@scripts/check

test: test-js test-go e2e

# Under the node on PATH and, where npm brought one, under bun.
test-js: e2e-install
	BUN=$(firstword $(wildcard $(CURDIR)/e2e/node_modules/@oven/bun-*/bin/bun)) node --test runtime-js/

test-go: e2e-install
	BUN=$(firstword $(wildcard $(CURDIR)/e2e/node_modules/@oven/bun-*/bin/bun)) $(GO) tool gotestsum --format pkgname-and-test-fails -- $$($(GO) list ./... | grep -v /e2e)

e2e: e2e-install build
	LORIMER_E2E=1 LORIMER_BIN=$(CURDIR)/$(BIN) $(GO) tool gotestsum --format testname -- -count=1 -timeout 35m -parallel 4 ./e2e/...

e2e-install: $(E2E_INSTALLED)

$(E2E_INSTALLED): e2e/package.json e2e/package-lock.json
	cd e2e && npm ci --ignore-scripts --no-audit --no-fund
	touch $@

bench: build
	$(GO) run ./bench

# Ten minutes of fifty gremlins at once, while everything that can be killed is.
soak-gremlins: build
	$(GO) run ./bench/soak

demo: build
	LORIMER_BIN=$(CURDIR)/$(BIN) $(GO) run ./e2e/demo

clean:
	rm -rf $(BIN) e2e/node_modules e2e/demo/node_modules

# Every agent's newest version against its descriptor, from the registry: for a nightly run, not for each change.
certify-newest: build
	@status=0; for id in $$(bin/lorimer runtime list); do bin/lorimer certify $$id --version newest || status=1; done; exit $$status
