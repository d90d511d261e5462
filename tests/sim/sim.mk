# The simulator: what it drives, compiled as for tests but optimised, and with little done in one step, so that a
# few people are a crowd (core/limits.h). $(BUILD)/asan/sim has the limits of the server.
SIM_STEPS := -DOFFERS_MAX=2 -DMOVES_MAX=3 -DSETTLE_MAX=6 -DLIST_WORK_MAX=64u -DROOM_COUNT_MAX=5u \
    -DCANCEL_TICKETS_MAX=40u -DCANCEL_HOLDS_MAX=16u -DCANCEL_ENDS_MAX=2u
FLAGS_simulator := -O2 -fno-omit-frame-pointer $(SIM_STEPS)
$(eval $(call variant,simulator))

SIM_SRC := $(wildcard tests/sim/*.c) $(layer_base) $(layer_core) $(layer_journal) $(layer_engine) \
    $(foreach f,dispatch_carry fake_book fake_disk fake_files follower sold state_compare,tests/lib/$(f).c) src/log/sales.c
$(BUILD)/sim: $(call objects,simulator,$(SIM_SRC))
	@echo "  link $@"
	@$(CC) $(FLAGS_simulator) $(LINK) -o $@ $^ $(LIBS)

$(BUILD)/asan/sim: $(call objects,asan,$(SIM_SRC))
	@$(CC) $(FLAGS_asan) $(LINK) -o $@ $^ $(LIBS)

sim: $(BUILD)/sim ## ten million operations against a naive model, with crashes
	@tests/run sh:$(BUILD)/sim
