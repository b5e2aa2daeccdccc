# The workshop. `make test` is what CI runs; see CONTRIBUTING.md for the habits.

GO       := go
TOOL     := $(GO) tool -modfile=tools.mod
FUZZTIME ?= 5s
# The race detector, but not in what SQLite was translated to nor in the password
# hash: plain arithmetic on memory that no other goroutine sees, four times as long with it.
# Only packages without generic code may stand here: the linker keeps one copy of each.
RACE     := -race $(foreach p,modernc.org/sqlite/lib golang.org/x/crypto/argon2 \
	golang.org/x/crypto/blake2b,-gcflags=$(p)=-race=false)
BENCH    ?= .

# TIDY=1 makes `make test` refuse a go.mod that `go mod tidy` would change.
TIDY := 1

.PHONY: test setup check generate mutants bench fuzz build cross

# go test comes last, so that its own lines close the output. Tests in files tagged !race have
# a pass of their own. All but the race detector goes without cgo, as the program that is
# handed out: compiled once for all.
test: export CGO_ENABLED = 0
test: setup check
	@echo "test: browsers and what is heavy, without the race detector"
	@GO="$(GO)" scripts/norace.sh
	@echo "test: all else, with the race detector"
	@CGO_ENABLED=1 $(GO) test -vet=off -count=1 -timeout 40m $(RACE) ./...

# Installs what is missing on a bare Debian machine.
setup:
	@scripts/setup.sh

# All that can be said without running the program.
check:
	@GO="$(GO)" TOOL="$(TOOL)" TIDY=$(TIDY) scripts/check.sh

# Writes anew every generated file that is committed.
generate:
	@$(TOOL) templ generate -path . >/dev/null
	@$(GO) run ./internal/tools/covers

# Breaks each rule on purpose and sees its test fail. ONLY=part-of-a-name picks some.
mutants:
	@$(GO) run ./internal/tools/mutants $(ONLY)

# Measures, and writes the figures into docs/performance.md. BENCH=regexp picks some rows.
bench:
	@$(GO) run ./internal/tools/bench -run '$(BENCH)'

# Each fuzz target for FUZZTIME.
fuzz:
	@scripts/fuzz.sh $(FUZZTIME)

# The program as it is handed out: no cgo, no paths of the builder, stripped.
build:
	@CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o bin/boulier ./cmd/boulier

# The program must build for the other machines it is promised for.
cross:
	@for target in linux/arm64 darwin/arm64 windows/amd64; do echo "cross: $$target" && \
		CGO_ENABLED=0 GOOS=$${target%/*} GOARCH=$${target#*/} \
		$(GO) build -trimpath -o /dev/null ./cmd/boulier || exit 1; done
