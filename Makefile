# Holdfast. `make help` lists the targets.

BUILD  ?= build
PREFIX ?= /usr/local
CC     := gcc

ifeq ($(MAKELEVEL),0) # a make within make has its jobs from the first one
MAKEFLAGS += -j$(shell nproc)
endif
PACKAGES := libpq libuv sqlite3 libcrypto zlib libcurl libqrencode
LIBS      = $(shell pkg-config --libs $(PACKAGES)) -lpthread -lm
WARN     := -Wall -Wextra -Werror -Wconversion -Wno-sign-conversion -Wshadow -Wvla -Wformat=2 -Wundef \
            -Wimplicit-fallthrough -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings \
            -Wcast-align=strict
BRANCHES := $(if $(findstring 86,$(shell $(CC) -dumpmachine)),-fcf-protection=full) # what only x86 has
HARDEN   := -fstack-protector-strong -fstack-clash-protection $(BRANCHES) -ftrivial-auto-var-init=zero \
            -fno-strict-overflow -fno-delete-null-pointer-checks -fPIE
COMMON   := -std=c17 -D_GNU_SOURCE -Isrc -I$(BUILD)/gen $(WARN) $(HARDEN) -g
RELEASE  := -O2 -flto=auto -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3
# CFLAGS and LDFLAGS are the caller's, and come last. What was built with other ones is built again.
LINK      = -pie -Wl,-z,relro,-z,now,-z,noexecstack $(CFLAGS) $(LDFLAGS)

# Each layer may use the ones before it and none after; a unit test links only its own layer and those below.
LAYERS  := base core journal log book engine cluster store view http cli
$(foreach l,$(LAYERS),$(eval layer_$(l) := $(wildcard src/$(l)/*.c src/$(l)/*/*.c)))
below_base    := base
below_core    := base core
below_journal := base journal
below_log     := base journal log
below_book    := base core log book
below_engine  := base core journal log engine
below_cluster := base core journal log cluster
below_store   := base core journal log book engine cluster store
below_view    := base core journal log book engine cluster store view
below_http    := base core journal log book engine cluster store view http
below_cli     := $(LAYERS)

SRC     := $(foreach l,$(LAYERS),$(layer_$(l)))
HEADERS := $(wildcard src/*/*.h src/*/*/*.h tests/*/*.h)
GEN     := $(BUILD)/gen/schema.inc $(BUILD)/gen/flags

# A variant is a way to compile: release, test (quick to build), asan, tsan, cover, steps.
FLAGS_release := $(RELEASE)
FLAGS_test    := -O1 -fno-omit-frame-pointer
FLAGS_asan    := -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
FLAGS_tsan    := -O1 -fno-omit-frame-pointer -fsanitize=thread
# Counters are atomic, because threads count too. At -O0 a frame over a megabyte would overflow a thread's stack.
# _exit is wrapped by tests/lib/exit_counts.c.
FLAGS_cover   := -O0 --coverage -fprofile-update=atomic -Wframe-larger-than=1048576
LINK_cover    := -Wl,--wrap=_exit
# `base` that counts what it does, for tests that bound it whatever the processor.
FLAGS_steps   := -O1 -fno-omit-frame-pointer -fsanitize-coverage=trace-pc
STEPS         := http_body_cost core_codes_cost
objects        = $(patsubst %.c,$(BUILD)/$(1)/%.o,$(2))

# Changes only when the caller's flags do.
CALLER := $(CC) $(CFLAGS) : $(LDFLAGS)
$(shell mkdir -p $(BUILD)/gen; [ "$$(cat $(BUILD)/gen/flags 2>&1)" = '$(CALLER)' ] || echo '$(CALLER)' >$(BUILD)/gen/flags)

.PHONY: all run cluster setup test check ci bench crash faults sim asan tsan arm64 cover fuzz format clients install help clean
all: $(BUILD)/holdfast

$(BUILD)/holdfast: $(call objects,release,$(SRC) src/main.c)
	@echo "  link $@"
	@$(CC) $(RELEASE) $(HARDEN) $(LINK) -o $@ $^ $(LIBS)

$(BUILD)/gen/schema.inc: $(wildcard src/book/schema/*.sql) src/book/schema
	@mkdir -p $(@D)
	@cat $(filter %.sql,$^) /dev/null | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$$/\\n"/' > $@

# What browsers get, packed and hashed, as one table. Needs the packages that web/package-lock.json names.
WEB := $(shell find web clients/js/src -type f 2>/dev/null) $(wildcard docs/*.md)
$(BUILD)/gen/assets.inc: $(WEB) LICENSE
	@mkdir -p $(@D)
	@echo "  web  $@"
	@packages=$$(BUILD=$(BUILD) tests/tools/install web) && node web/tools/table.js "$$packages" > $@.new && mv $@.new $@

# What the demo has to claim: calls to the API, as one table.
$(BUILD)/gen/demo.inc: src/cli/demo/table.js src/cli/demo/catalogue.json
	@mkdir -p $(@D)
	@node $^ > $@.new && mv $@.new $@

# $(1) variant
define variant
$(BUILD)/$(1)/src/http/web/assets.o: $(BUILD)/gen/assets.inc
$(BUILD)/$(1)/src/cli/demo_catalogue.o: $(BUILD)/gen/demo.inc
$(BUILD)/$(1)/%.o: %.c $(GEN)
	@mkdir -p $$(@D)
	@echo "  cc   $$@"
	@$(CC) $(COMMON) $(FLAGS_$(1)) $$(FLOATS) $$(FRAMES) $$(CFLAGS) -MMD -MP -c -o $$@ $$<
$(BUILD)/$(1)/holdfast: $(call objects,$(1),$(SRC) src/main.c)
	@$(CC) $(FLAGS_$(1)) $(LINK) $(LINK_$(1)) -o $$@ $$^ $$(LIBS)
endef
$(foreach v,release test asan tsan cover steps,$(eval $(call variant,$(v))))
# The same cell for a point on every machine: no sum and product in one step where a processor has it.
$(BUILD)/%/src/base/geo/h3.o $(BUILD)/%/src/base/geo/h3_locate.o $(BUILD)/%/src/base/geo/h3_boundary.o: FLOATS := -ffp-contract=off

# No function keeps more than 2 KB on the stack: locals are zeroed, so a large one costs its size on every call. Looked at
# where functions are compiled one file at a time and as they are (release is compiled when it is linked). One that may is
# named with its reason by LARGE_FRAME (base/frame.h), or here by its file: these work at the start and the end of a
# process, for a backup or a check, and on files by their paths, but never for a request or a record.
$(BUILD)/test/src/%.o: FRAMES := -Wframe-larger-than=2048
LARGE_FRAMES := cli/demo cli/export cli/serve journal/segment journal/journal journal/journal_copy journal/spare journal/tail \
    store/backup store/check store/book_scratch_copy store/shared_book
$(LARGE_FRAMES:%=$(BUILD)/test/src/%.o): FRAMES :=

# Unit tests are named tests/unit/LAYER_CLAIM.c. Two of them measure our readers against others: of JSON against jansson, of
# heads of requests against http-parser.
UNIT  := $(basename $(notdir $(wildcard tests/unit/*_*.c)))
# What tests share, and each layer, is an archive, so that each test takes only what it uses.
# $(1) variant, $(2) test
define unit
$(BUILD)/$(1)/unit/$(2): $(BUILD)/$(1)/tests/unit/$(2).o $(BUILD)/$(1)/testlib.a \
    $(foreach l,$(below_$(firstword $(subst _, ,$(2)))),$(BUILD)/$(if $(and $(filter $(STEPS),$(2)),$(filter base,$(l))),steps,$(1))/$(l).a)
	@mkdir -p $$(@D)
	@$(CC) $(FLAGS_$(1)) $(LINK) $(LINK_$(1)) -o $$@ $$(filter %.o,$$^) -Wl,--start-group $$(filter %.a,$$^) -Wl,--end-group \
	    $$(LIBS) -lcmocka -ljansson -lhttp_parser
endef
define archive
$(BUILD)/$(1)/$(2).a: $(call objects,$(1),$(3))
	@rm -f $$@ && ar qcs $$@ $$^
endef
$(foreach v,test asan tsan cover,$(eval $(call archive,$(v),testlib,$(wildcard tests/lib/*.c)))\
    $(foreach l,$(LAYERS),$(eval $(call archive,$(v),$(l),$(layer_$(l)))))\
    $(foreach t,$(UNIT),$(eval $(call unit,$(v),$(t)))))
$(eval $(call archive,steps,base,$(layer_base)))
units = $(foreach t,$(UNIT),$(BUILD)/$(1)/unit/$(t))

include bench/bench.mk
-include tests/sim/sim.mk
-include tests/linear/linear.mk

FUZZ := $(basename $(notdir $(wildcard tests/fuzz/*_fuzz.c)))
$(BUILD)/fuzz/%: tests/fuzz/%.c $(SRC) $(wildcard tests/lib/*.c) $(GEN) $(BUILD)/gen/assets.inc $(BUILD)/gen/demo.inc
	@mkdir -p $(@D)
	@clang-14 $(filter-out -Werror -Wcast-align=strict -ftrivial-auto-var-init=zero,$(COMMON)) -O1 \
	    -fsanitize=fuzzer,address,undefined -o $@ $< \
	    $(if $(findstring http,$*),$(SRC),$(layer_base) $(layer_journal)) \
	    $(if $(findstring journal,$*),tests/lib/fake_disk.c tests/lib/fake_files.c) $(LIBS)

# What base/geo/h3 says, compared with h3-js by tests/h3/.
$(BUILD)/h3_stream: $(call objects,test,tests/h3/h3_stream.c) $(BUILD)/test/base.a
	@$(CC) $(FLAGS_test) $(LINK) -o $@ $^ $(LIBS)

# Loaded into a server by tests/crash/power.test.js.
$(BUILD)/witness.so: tests/crash/witness.c
	@mkdir -p $(@D)
	@$(CC) -std=c17 -D_GNU_SOURCE $(WARN) -O2 -fPIC -shared -o $@ $<

setup:
	@scripts/setup

test: ## set the machine up, build, run every test
	@scripts/setup test cluster
	@$(MAKE) --no-print-directory all $(call units,test) $(BUILD)/sim $(BUILD)/linear $(BUILD)/h3_stream $(BUILD)/witness.so
	@HOLDFAST=$(BUILD)/holdfast tests/run $(call units,test) $(TESTS)

# What `make test` runs besides the unit tests, each counted by tests/run.
TESTS := "sh:$(BUILD)/sim --ops 200000" "sh:CMOCKA_MESSAGE_OUTPUT=TAP $(BUILD)/test/unit/core_dispatch_random 1000000" \
    "tests/conformance/ tests/cluster/ tests/crash/ tests/old/ tests/tools/ tests/h3/ tests/linear/ tests/model/ tests/examples/ tests/client/" \
    "sh:tests/crash/kill --cycles 10" "sh:tests/planted/run --part 6" tests/browser/

ci: test
	@$(MAKE) --no-print-directory arm64
	@$(MAKE) --no-print-directory asan PART=8
	@$(MAKE) --no-print-directory tsan

run: setup ## set the machine up, build, start a demo on http://127.0.0.1:8080 (PORT=8080)
	@$(MAKE) -s --no-print-directory all
	@$(BUILD)/holdfast demo $(if $(PORT),--listen 127.0.0.1:$(PORT))

cluster: ## PostgreSQL with a standby and three nodes, with the demo's data (PORT=8080: of the first node)
	@scripts/setup cluster
	@$(MAKE) -s --no-print-directory all
	@HOLDFAST=$(BUILD)/holdfast PORT=$(PORT) scripts/cluster.js

check: $(call units,test) $(BUILD)/holdfast $(BUILD)/linear ## the fast suites: a minute
	@HOLDFAST=$(BUILD)/holdfast tests/run $(call units,test) tests/tools/includes.test.js tests/tools/differential.test.js tests/linear/

# One in PART files of the contract, others with another commit: the whole takes minutes.
CONTRACT_PART = $(shell ls tests/conformance/*.test.js | \
    awk "NR % $(PART) == $$((0x$$(git rev-parse --short=7 HEAD 2>/dev/null || echo 0) % $(PART)))")

asan: $(call units,asan) $(BUILD)/asan/holdfast $(BUILD)/asan/linear ## the fast suites and the HTTP contract under AddressSanitizer and UBSan
	@HOLDFAST=$(BUILD)/asan/holdfast LINEAR=$(BUILD)/asan/linear tests/run $(call units,asan) tests/linear/ "$(if $(PART),$(CONTRACT_PART),tests/conformance/)"

# The other tests have no threads; what the book does beside others is in those of the store and of views.
THREADED := base_hash base_random base_growing_index journal_threads book_reader store_% view_% http_% cli_%
# These close a listening socket while the threads of a store run: libuv does so by a system call that TSan does not see, and takes
# the next user of the number for a race. Those threads are watched in store_% and in the other view_% and http_%.
UNWATCHED := cli_demo http_follower http_forward http_forward_bytes http_forward_fail http_gate http_gate_intent http_gate_mirror http_min_seq http_presence
tsan: $(filter-out $(UNWATCHED:%=$(BUILD)/tsan/unit/%),$(filter $(THREADED:%=$(BUILD)/tsan/unit/%),$(call units,tsan))) ## the suites with threads, under ThreadSanitizer
	@tests/run $^

# With the host's headers of the libraries, which are the same for both; those of the C library are the cross compiler's.
arm64: $(GEN) $(BUILD)/gen/assets.inc $(BUILD)/gen/demo.inc ## compile src/ for arm64, and no more
	@scripts/setup arm64
	@printf '%s\n' $(SRC) src/main.c | xargs -P $$(nproc) -n 1 aarch64-linux-gnu-gcc $(filter-out -fcf-protection=% -g,$(COMMON)) \
	    -O1 -c -o /dev/null -idirafter /usr/include/$$(gcc -print-multiarch)

crash: all ## kill -9 under load, 100 times
	@tests/run "sh:HOLDFAST=$(BUILD)/holdfast tests/crash/kill --cycles 100"

# SEED repeats a run; SECONDS is how long each schedule goes on making faults, besides what it needs to begin and to judge.
faults: all $(BUILD)/test/holdfast $(BUILD)/linear ## nodes, PostgreSQL and its standby fail under load: 30 minutes (SEED=7 SECONDS=50)
	@scripts/setup test cluster
	@HOLDFAST=$(BUILD)/holdfast FAULT_SEED=$(SEED) FAULT_SECONDS=$(SECONDS) node --test --test-concurrency=1 --test-reporter=spec tests/faults/

cover: $(call units,cover) $(BUILD)/cover/holdfast $(BUILD)/cover/idle ## lines and branches reached by the unit tests and the HTTP contract
	@scripts/setup tools
	@LAYERS="$(LAYERS)" tests/cover $(BUILD)/cover $(call units,cover)

$(BUILD)/cover/holdfast: $(BUILD)/cover/tests/lib/exit_counts.o
# Links everything and runs nothing: so that files which no test touches count as unreached.
$(BUILD)/cover/idle: $(call objects,cover,$(SRC) tests/lib/exit_counts.c)
	@echo 'int main(void) { return 0; }' | $(CC) $(LINK) $(LINK_cover) -fPIE -o $@ -x c - -x none $^ $(LIBS) -lgcov

fuzz: setup ## each fuzz target for a minute (SECONDS_EACH=60)
	@scripts/setup tools
	@$(MAKE) --no-print-directory $(foreach f,$(FUZZ),$(BUILD)/fuzz/$(f))
	@set -e; for f in $(FUZZ); do mkdir -p $(BUILD)/fuzz/corpus/$$f; \
	    $(BUILD)/fuzz/$$f -max_total_time=$(SECONDS_EACH) -print_final_stats=1 $(BUILD)/fuzz/corpus/$$f; done
SECONDS_EACH ?= 60

format: ## format the sources by .clang-format
	@clang-format -i $(wildcard src/*.c src/*/*.[ch] src/*/*/*.[ch] tests/*/*.[ch] bench/*.[ch] bench/*/*.[ch])

clients: $(BUILD)/holdfast ## pack the clients for JavaScript and Python into build/clients, without a network
	@mkdir -p $(BUILD)/clients
	@cd clients/js && HOLDFAST=$(abspath $(BUILD)/holdfast) npm pack --silent --offline --pack-destination $(abspath $(BUILD)/clients)
	@HOLDFAST=$(abspath $(BUILD)/holdfast) python3 clients/python/tools/build_package.py $(BUILD)/clients

install: all ## into $(PREFIX)/bin
	@install -D -m 755 $(BUILD)/holdfast $(DESTDIR)$(PREFIX)/bin/holdfast

help: ## this list
	@grep -hE '^[a-z0-9]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9]+):.*## (.*)/  make \1\t\2/' | expand -t 16

clean: ## remove everything built
	@rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
