# The checker of recorded histories; README.md here says what it checks.
LINEAR_SRC := $(wildcard tests/linear/*.c)
$(BUILD)/linear: $(call objects,release,$(LINEAR_SRC) $(layer_base))
	@echo "  link $@"
	@$(CC) $(RELEASE) $(HARDEN) $(LINK) -o $@ $^ $(LIBS)

$(BUILD)/asan/linear: $(call objects,asan,$(LINEAR_SRC)) $(BUILD)/asan/base.a
	@$(CC) $(FLAGS_asan) $(LINK) -o $@ $^ $(LIBS)
