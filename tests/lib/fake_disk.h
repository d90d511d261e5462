/* SPDX-License-Identifier: Apache-2.0 */
/* fake_disk.h — a disk in memory that can fail any operation and lose power at any point.
 *
 * For each file it keeps what a process reads (the view, the page cache), what the device has (durable), and the writes
 * in between; and the same for the names in the folder tree, with the operations on names that no sync_folder has
 * covered. A power loss computes what the device could hold afterwards. An injected sync failure drops its writes as
 * Linux does: the view keeps them as clean, the device does not have them.
 *
 * All operations are thread-safe. All randomness comes from the seed.
 */
#ifndef TESTS_LIB_FAKE_DISK_H
#define TESTS_LIB_FAKE_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "journal/disk.h"

struct fake_disk;

enum fake_op {
    FAKE_OPEN,
    FAKE_READ,
    FAKE_WRITE,
    FAKE_SYNC_DATA,
    FAKE_SYNC,
    FAKE_SYNC_FOLDER,
    FAKE_SIZE,
    FAKE_RENAME,
    FAKE_UNLINK,
    FAKE_MAKE_FOLDER,
    FAKE_LIST,
    FAKE_OPS
};

struct fake_disk *fake_disk_make(uint64_t seed);
struct fake_disk *fake_disk_clone(const struct fake_disk *f); /* without handles, counts and faults */
void fake_disk_free(struct fake_disk *f);
const struct disk *fake_disk_table(struct fake_disk *f);

/* The nth counted operation from now on (1 is the next) fails with `error` (EIO, ENOSPC, ...), and with
 * `persistent` every one after it. Every operation of enum fake_op counts. */
void fake_disk_fail(struct fake_disk *f, uint64_t nth, int error, bool persistent);
/* After `n` more operations the machine is dead: all fail and have no effect. */
void fake_disk_die_after(struct fake_disk *f, uint64_t n);
bool fake_disk_failed(const struct fake_disk *f); /* whether an injected failure has happened */
/* Reads and writes are partial or interrupted most of the time; a write is cut only between sectors. */
void fake_disk_set_choppy(struct fake_disk *f, bool choppy);
/* Writes that would take the total size of files beyond it get ENOSPC; 0: no limit. */
void fake_disk_set_capacity(struct fake_disk *f, uint64_t bytes);
uint64_t fake_disk_used(const struct fake_disk *f);
/* Called before each rename, without locks: what another thread could do at that point. NULL: nothing. */
void fake_disk_before_rename(struct fake_disk *f, void (*fn)(void *ctx), void *ctx);

uint64_t fake_disk_operations(const struct fake_disk *f); /* since it was made, cloned or restarted */
uint64_t fake_disk_count(const struct fake_disk *f, enum fake_op op);
int fake_disk_open_handles(const struct fake_disk *f);

/* The process died but the machine did not: handles and planned faults are gone, the cache stays. */
void fake_disk_restart(struct fake_disk *f);

enum fake_crash {
    FAKE_CRASH_LOST,    /* nothing that was not synced reached the device */
    FAKE_CRASH_KEPT,    /* all of it did */
    FAKE_CRASH_PREFIX,  /* the first `cut` of the unsynced operations did, in order */
    FAKE_CRASH_SECTORS, /* each 512-byte sector, and each operation on a name, did or did not, by the seed */
    FAKE_CRASH_TORN     /* the same for sectors, but all names are kept */
};
/* The machine lost power: restarts with only what the device could hold. */
void fake_disk_crash(struct fake_disk *f, enum fake_crash how, uint64_t cut, uint64_t seed);
uint64_t fake_disk_unsynced(const struct fake_disk *f); /* operations that FAKE_CRASH_PREFIX can cut */

/* The bytes of a file as the next reader sees them, for tests that damage them: after fake_disk_settle both the view
 * and the device have them. NULL: no such file. */
uint8_t *fake_disk_bytes(struct fake_disk *f, const char *path, size_t *size);
void fake_disk_settle(struct fake_disk *f); /* makes all of the view durable */
void fake_disk_put(struct fake_disk *f, const char *path, const void *bytes,
                   size_t size); /* durable at once */
bool fake_disk_exists(const struct fake_disk *f, const char *path);
/* The nth existing name (from 0, in the order of creation), or NULL. */
const char *fake_disk_name(const struct fake_disk *f, size_t nth);

#endif
