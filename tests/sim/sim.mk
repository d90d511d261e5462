# The simulator: what it drives, compiled as for tests but optimised.
FLAGS_simulator := -O2 -fno-omit-frame-pointer
$(eval $(call variant,simulator))

SIM_SRC := $(wildcard tests/sim/*.c) $(foreach l,base core journal,$(call layer,$(l))) \
    $(foreach f,fake_book fake_disk fake_files state_compare,tests/lib/$(f).c)
$(BUILD)/sim: $(call objects,simulator,$(SIM_SRC))
	@echo "  link $@"
	@$(CC) $(FLAGS_simulator) $(LINK) -o $@ $^ $(LIBS)

$(BUILD)/asan/sim: $(call objects,asan,$(SIM_SRC))
	@$(CC) $(FLAGS_asan) $(LINK) -o $@ $^ $(LIBS)

sim: $(BUILD)/sim ## ten million operations against a naive model, with crashes
	@tests/run sh:$(BUILD)/sim
