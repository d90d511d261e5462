/* SPDX-License-Identifier: Apache-2.0 */
/* journal.h — the append-only files that make an acknowledged change survive a crash.
 *
 * Owns the folder of segments, the next seq and durable_seq. Does not know what a change is: a batch is
 * `count` changes in opaque bytes, and the first change of a batch has the seq after the last one of the
 * batch before. Does not lock the folder against a second process: the store's lock file does.
 *
 * Threads. journal_write and journal_seal belong to one thread, the writer. journal_prepare and journal_free
 * may be called by another one (each by one at a time); durable_seq, space and bytes are read from anywhere.
 * They share the list of segments, under a mutex that the writer takes only to add the next one, and the
 * ready segments (spare.h).
 *
 * Happy path of journal_write: copy header, payload and padding into one aligned buffer; pwrite; fdatasync;
 * publish durable_seq. Two system calls, no allocation, no lock. Failures: a write or sync that fails leaves
 * the journal broken: every later call answers the same fault and touches nothing. The caller ends the
 * process; the next start recovers. Only journal_prepare may be tried again.
 */
#ifndef JOURNAL_JOURNAL_H
#define JOURNAL_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "journal/batch.h"
#include "journal/disk.h"

#define JOURNAL_SEGMENT_SIZE (64u << 20)

struct journal;

struct journal_options {
    /* Of new segments: a multiple of 4 KiB, 16 KiB to 1 GiB; 0: JOURNAL_SEGMENT_SIZE. */
    uint64_t segment_size;
    /* For a full disk: rounded up to whole segments, at least one. Must exceed, by a segment, what may be
     * under way when the disk turns out to be full. */
    uint64_t reserve_size;
};

/* What the book says about its journal, so that no other journal is mistaken for it. */
struct journal_anchor {
    uint64_t seq;   /* the last change that the book has */
    bool has_id;    /* false: a new book; then id means nothing */
    bool has_crc;   /* the same of crc */
    uint8_t id[16]; /* the journal's, as in its newest segment */
    uint32_t crc;   /* of the batch that ends with seq */
};

/* What recovery found. */
struct journal_recovery {
    uint8_t id[16];     /* of the newest segment */
    uint8_t parent[16]; /* the id that it was forked from, in the first segment of a fork; else zeros */
    uint64_t first_seq; /* where the oldest segment begins */
    uint64_t last_seq;  /* of the last change; first_seq - 1 when there is none */
    int64_t last_at_ms; /* the greatest instant remembered, 0 when none */
    uint64_t segments;
    uint64_t batches;    /* verified, seals included */
    uint64_t end_offset; /* in the newest segment, after its last whole batch */
    bool sealed;         /* the last batch is a seal: nothing acknowledged could have been cut */
    bool torn;           /* a torn last batch was there; journal_open cut it, journal_verify left it */
    uint64_t torn_seq;   /* the first seq it would have had */
    uint64_t torn_bytes;
    char torn_name[DISK_NAME_MAX]; /* the file it was copied to, in the journal's folder */
};

/* Called for each batch with a change later than the anchor's; the caller skips the changes it has. The batch
 * is valid during the call. A status that is not OK ends the recovery with it. */
typedef struct status (*journal_replay_fn)(void *ctx, const struct batch *batch);

/* Recovers and opens for writing. For a new book (nothing known, seq 0) makes the folder and the first
 * segment if they are not there. Verifies every byte of every segment present, passes the batches to fn,
 * if it is not NULL, cuts a torn last batch (README.md has the decision table), and makes all that it read durable
 * before it returns. CORRUPT, with file, offset and seq in the text, for anything else than a clean end or
 * one torn batch; also when there is no journal though the book was made from one, when it begins after the
 * anchor's seq + 1 or ends before that seq, and when it is not the journal that the book was made from. IO
 * and FULL leave the folder as it was or one step further; it may be opened again. `report` may be NULL. */
struct status journal_open(struct journal **out, const struct disk *disk, const char *folder,
                           const struct journal_options *options, const struct journal_anchor *after,
                           journal_replay_fn fn, void *ctx, struct journal_recovery *report);

/* Makes a journal that begins after a book whose log was elsewhere: its first batch will follow the one with after->crc, which ends
 * with after->seq. The folder must have no segment. All is synced when it returns. */
struct status journal_begin(const struct disk *disk, const char *folder, const struct journal_anchor *after, int64_t at_ms,
                            uint8_t id[16]);

/* Begins a new segment under a new id that names the present one as its parent: what is written from here on
 * is another history than the one this journal was copied from. Writer. */
struct status journal_fork(struct journal *j);
void journal_id(const struct journal *j, uint8_t id[16]);

/* Closes the files; writes nothing (seal first). NULL is fine. */
void journal_close(struct journal *j);

/* Writer. Appends the next `count` (>= 1) changes and syncs them; OK means durable, and journal_durable_seq
 * has moved. `size` is at most journal_payload_max. `at_ms` is the last instant of the server's clock. FULL:
 * the next segment could not be made and nothing was written. */
struct status journal_write(struct journal *j, const void *payload, size_t size, uint32_t count,
                            int64_t at_ms);

/* Writer. The next batch begins a new segment, so that earlier ones can be freed once there are more changes; nothing is done
 * if the newest has no change yet, or if there is no space for another. */
struct status journal_begin_segment(struct journal *j);

/* Writer. Writes a batch of no changes, so that everything before it lies under a later durable_seq and
 * damage to it can no longer be taken for a torn tail. Does nothing when nothing was written since the last
 * seal. Never needs a new segment: each keeps room for it. */
struct status journal_seal(struct journal *j, int64_t at_ms);

size_t journal_payload_max(const struct journal *j);
uint64_t journal_next_seq(const struct journal *j);    /* writer only */
uint64_t journal_durable_seq(const struct journal *j); /* any thread */
uint64_t journal_bytes(const struct journal *j);       /* of all segments; any thread */
uint64_t journal_segments(struct journal *j);          /* how many; any thread */
/* Whether the segments with changes later than `seq` have more than `limit` bytes; any thread. Looks at those alone. */
bool journal_exceeds(struct journal *j, uint64_t seq, uint64_t limit);

enum journal_space {
    JOURNAL_SPACE_OK,
    JOURNAL_SPACE_LOW, /* no new segment can be made; what is left is for commits and releases */
    JOURNAL_SPACE_NONE /* the last quarter of the reserve: refuse whatever writes */
};
enum journal_space journal_space(const struct journal *j); /* any thread */

/* Makes the next segment and the reserve ready, where they are missing; call it after opening, after each
 * change of segment (journal_prepare_due), and now and then while space is short. Writes up to the size of
 * both, so call it from a thread that may take its time; the writer waits for it only if less than the
 * reserve is left. No space is not a fault: journal_space reports it, and returns to OK when a later
 * call succeeds. Another fault harms nothing that was written. */
struct status journal_prepare(struct journal *j);
bool journal_prepare_due(const struct journal *j); /* any thread */

/* Unlinks the segments whose last seq is less than upto_seq, oldest first, but always keeps the newest two.
 * The batch that ends with upto_seq, which is durable, stays, so that a book that ends there can be
 * recognised. */
struct status journal_free(struct journal *j, uint64_t upto_seq);

/* The seq of the first change that the journal still has; any thread. */
uint64_t journal_oldest_seq(struct journal *j);

/* Reads a journal that is not being written, and changes nothing: the verification and the replay of journal_open. A
 * torn last batch is OK and reported. An absent or empty folder is OK for a new book. fn may be NULL. */
struct status journal_verify(const struct disk *disk, const char *folder, const struct journal_anchor *after,
                             journal_replay_fn fn, void *ctx, struct journal_recovery *report);

#endif
