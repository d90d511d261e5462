/* SPDX-License-Identifier: Apache-2.0 */
/* Where several processes share a log, each owner has an epoch greater than the one before; a copy refuses any other. */
#include "../lib/core_fixture.h"

#include "core/change.h"
#include "core/owner.h"

static struct change decoded;

static void an_owner_begins_with_one_change(void **unused)
{
    (void)unused;
    assert_int_equal(state_epoch(core.st), 0);
    state_begin_epoch(core.st, 3, TEXT("10.0.0.1:8080"), core.now_ms, &core.changes);
    assert_int_equal(state_epoch(core.st), 3);
    struct bytes_reader r = bytes_reader_make(core.changes.data, core.changes.size);
    assert_true(change_decode(&r, core.st->seq, &decoded));
    const struct change *c = &decoded;
    assert_int_equal(c->kind, CHANGE_OWNER);
    assert_int_equal(c->owner.epoch, 3);
    assert_int_equal(c->owner.since_ms, core.now_ms);
    assert_memory_equal(c->owner.node.at, "10.0.0.1:8080", c->owner.node.size);
    core_check();
}

static enum restore_result restored(uint64_t epoch, struct text node)
{
    struct state *copy = state_make();
    static struct change c;
    c = (struct change){.kind = CHANGE_OWNER, .seq = 1, .at_ms = core.now_ms};
    c.owner = (struct owner_image){.epoch = 5, .node = TEXT("a")};
    assert_int_equal(state_restore(copy, &c), RESTORE_OK);
    c.seq = 2;
    c.owner = (struct owner_image){.epoch = epoch, .node = node};
    enum restore_result result = state_restore(copy, &c);
    state_release(copy);
    return result;
}

static void epochs_only_grow(void **unused)
{
    (void)unused;
    char long_name[OWNER_NODE_SIZE_MAX + 1];
    memset(long_name, 'n', sizeof(long_name));
    assert_int_equal(restored(6, TEXT("b")), RESTORE_OK);
    assert_int_equal(restored(5, TEXT("b")), RESTORE_DAMAGED);
    assert_int_equal(restored(4, TEXT("b")), RESTORE_DAMAGED);
    assert_int_equal(restored(6, TEXT("")), RESTORE_DAMAGED);
    assert_int_equal(restored(6, (struct text){long_name, sizeof(long_name)}), RESTORE_DAMAGED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        core_test(an_owner_begins_with_one_change),
        core_test(epochs_only_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
