# Holdfast. `make help` lists the targets.

BUILD  ?= build
PREFIX ?= /usr/local
CC     := gcc

PACKAGES := libuv jansson sqlite3 libcrypto zlib
LIBS      = $(shell pkg-config --libs $(PACKAGES)) -lhttp_parser -lpthread -lm
WARN     := -Wall -Wextra -Werror -Wconversion -Wno-sign-conversion -Wshadow -Wvla -Wformat=2 -Wundef \
            -Wimplicit-fallthrough -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings \
            -Wcast-align=strict
HARDEN   := -fstack-protector-strong -fstack-clash-protection -fcf-protection=full -ftrivial-auto-var-init=zero \
            -fno-strict-overflow -fno-delete-null-pointer-checks -fPIE
COMMON   := -std=c17 -D_GNU_SOURCE -Isrc -I$(BUILD)/gen $(WARN) $(HARDEN) -g
RELEASE  := -O2 -flto=auto -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3
LINK     := -pie -Wl,-z,relro,-z,now,-z,noexecstack

# Each layer may use the ones before it and none after; a unit test links only its own layer and those below.
LAYERS  := base core journal book store http cli
layer    = $(wildcard src/$(1)/*.c)
below_base    := base
below_core    := base core
below_journal := base journal
below_book    := base core journal book
below_store   := base core journal book store
below_http    := base core journal book store http
below_cli     := $(LAYERS)

SRC     := $(foreach l,$(LAYERS),$(call layer,$(l)))
HEADERS := $(wildcard src/*/*.h tests/*/*.h)
GEN     := $(BUILD)/gen/schema.inc

# A variant is a way to compile: release, test (quick to build), asan, tsan, cover.
FLAGS_release := $(RELEASE)
FLAGS_test    := -O1 -fno-omit-frame-pointer
FLAGS_asan    := -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
FLAGS_tsan    := -O1 -fno-omit-frame-pointer -fsanitize=thread
FLAGS_cover   := -O0 --coverage
objects        = $(patsubst %.c,$(BUILD)/$(1)/%.o,$(2))

.PHONY: all run setup test check ci bench crash sim asan tsan cover fuzz format install help clean
all: $(BUILD)/holdfast

$(BUILD)/holdfast: $(call objects,release,$(SRC) src/main.c)
	@echo "  link $@"
	@$(CC) $(RELEASE) $(HARDEN) $(LINK) -o $@ $^ $(LIBS)

$(BUILD)/gen/schema.inc: $(wildcard src/book/schema/*.sql)
	@mkdir -p $(@D)
	@cat $^ | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$$/\\n"/' > $@

# $(1) variant
define variant
$(BUILD)/$(1)/%.o: %.c $(GEN)
	@mkdir -p $$(@D)
	@echo "  cc   $$@"
	@$(CC) $(COMMON) $(FLAGS_$(1)) -MMD -MP -c -o $$@ $$<
$(BUILD)/$(1)/holdfast: $(call objects,$(1),$(SRC) src/main.c)
	@$(CC) $(FLAGS_$(1)) $(LINK) -o $$@ $$^ $(LIBS)
endef
$(foreach v,release test asan tsan cover,$(eval $(call variant,$(v))))

# Unit tests are named tests/unit/LAYER_CLAIM.c.
UNIT  := $(basename $(notdir $(wildcard tests/unit/*_*.c)))
TESTLIB := $(wildcard tests/lib/*.c)
# $(1) variant, $(2) test
define unit
$(BUILD)/$(1)/unit/$(2): $(BUILD)/$(1)/tests/unit/$(2).o $(call objects,$(1),$(TESTLIB)) \
    $(foreach l,$(below_$(firstword $(subst _, ,$(2)))),$(call objects,$(1),$(call layer,$(l))))
	@mkdir -p $$(@D)
	@$(CC) $(FLAGS_$(1)) $(LINK) -o $$@ $$^ $(LIBS) -lcmocka
endef
$(foreach v,test asan tsan cover,$(foreach t,$(UNIT),$(eval $(call unit,$(v),$(t)))))
units = $(foreach t,$(UNIT),$(BUILD)/$(1)/unit/$(t))

-include Makefile.tests

setup:
	@scripts/setup

run: setup ## set the machine up, build, start a demo on http://127.0.0.1:8080
	@$(MAKE) --no-print-directory all
	@$(BUILD)/holdfast demo

check: $(call units,test) ## the suites that need no server: seconds
	@tests/run $^

help: ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

clean: ## remove everything built
	@rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
