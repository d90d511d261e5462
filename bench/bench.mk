# The load generator and the figures.

$(BUILD)/load: $(call objects,release,$(wildcard bench/*.c))
	@echo "  link $@"
	@$(CC) $(RELEASE) $(HARDEN) $(LINK) -o $@ $^ -lcrypto -lpthread -lm

# The receiver of webhooks for the figure `commits`.
$(BUILD)/receive: $(call objects,release,bench/receive/receive.c)
	@echo "  link $@"
	@$(CC) $(RELEASE) $(HARDEN) $(LINK) -o $@ $^

# Instructions per call, counted by bench/encode/run.
$(BUILD)/encode: $(call objects,release,bench/encode/encode.c tests/lib/reservation_fixture.c $(SRC))
	@echo "  link $@"
	@$(CC) $(RELEASE) $(HARDEN) $(LINK) -o $@ $^ $(LIBS)

# How long the slots of a group block the loop: make build/slots && build/slots
$(BUILD)/slots: $(call objects,release,bench/slots/slots.c $(filter src/base/% src/core/%,$(SRC)))
	@echo "  link $@"
	@$(CC) $(RELEASE) $(HARDEN) $(LINK) -o $@ $^ $(LIBS)

# Positions and candidate searches, for the figure dispatch.
$(BUILD)/fleet: $(call objects,release,$(wildcard bench/fleet/*.c) $(filter src/base/% src/core/%,$(SRC)))
	@echo "  link $@"
	@$(CC) $(RELEASE) $(HARDEN) $(LINK) -o $@ $^ $(LIBS)

bench: ## the figures beside Redis and PostgreSQL; FIGURES="--quick holds" for a part
	@scripts/setup bench
	@$(MAKE) --no-print-directory all $(BUILD)/load $(BUILD)/receive $(BUILD)/fleet
	@BUILD=$(BUILD) bench/run $(FIGURES)
