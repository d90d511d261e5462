/* SPDX-License-Identifier: Apache-2.0 */
#include "store/snapshot_book.h"

#include <stdio.h>
#include <unistd.h>

#include "base/assertion.h"
#include "base/logging.h"
#include "book/file/backup.h"
#include "book/record/check.h"
#include "book/record/writer.h"
#include "store/folder.h"

#define TAKE_TRIES 5 /* each time a newer snapshot came */

struct status snapshot_book_meta(const char *path, struct book_meta *meta)
{
    static const struct book_load_sink none; /* only the anchor is needed, not the records */
    return book_load(path, INT64_MAX, &none, meta);
}

void snapshot_book_remove(const char *path)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        char name[FOLDER_PATH_MAX + 16];
        snprintf(name, sizeof(name), "%s%s", path, endings[i]);
        unlink(name);
    }
}

struct finding {
    uint32_t count;
    char first[160];
};

static void found(void *ctx, const char *sentence)
{
    struct finding *f = ctx;
    if (f->count++ == 0)
        snprintf(f->first, sizeof(f->first), "%s", sentence);
}

/* Opening upgrades the book. The names of erased people leave the copy as they leave the book. */
static struct status clean(const char *path)
{
    struct book_writer *writer = NULL;
    bool more = true;
    struct status fault = book_writer_open(&writer, path);
    while (status_ok(&fault) && more)
        fault = book_writer_scrub(writer, &more);
    book_writer_close(writer);
    return fault;
}

struct status snapshot_book_check(const char *path)
{
    struct finding finding = {0};
    struct status fault = clean(path);
    if (status_ok(&fault))
        fault = book_check(path, found, &finding);
    if (status_ok(&fault) && finding.count)
        return status_make(STATUS_CORRUPT, "the book breaks %u of its rules: %.150s", finding.count, finding.first);
    return fault;
}

struct status snapshot_book_make(const char *book, const char *path, struct snapshot *s)
{
    struct book_meta meta;
    uint64_t seq;
    snapshot_book_remove(path);
    struct status fault = book_backup_copy(book, path, &seq);
    if (status_ok(&fault))
        fault = snapshot_book_check(path);
    if (status_ok(&fault))
        fault = snapshot_book_meta(path, &meta);
    if (!status_ok(&fault))
        return fault;
    ASSERT(meta.log.seq == seq && meta.log.has_chain);
    *s = (struct snapshot){.seq = seq, .chain = meta.log.chain};
    return fault;
}

struct status snapshot_book_take(struct pg *pg, int32_t shard, const char *path, struct snapshot *s)
{
    struct status fault = status_none();
    for (int i = 0; i < TAKE_TRIES; i++) {
        snapshot_book_remove(path);
        fault = snapshot_newest(pg, shard, s);
        if (!status_ok(&fault) || s->seq == 0)
            return fault;
        fault = snapshot_take(pg, shard, s, path);
        if (fault.kind != STATUS_BUSY)
            break;
    }
    struct book_meta meta;
    /* Its rules were checked before it was stored, and its digest shows that it is what was stored. */
    if (status_ok(&fault))
        fault = snapshot_book_meta(path, &meta);
    if (status_ok(&fault) && (meta.log.seq != s->seq || !meta.log.has_chain || meta.log.chain != s->chain))
        fault = status_make(STATUS_CORRUPT, "the snapshot with seq %llu has a book that ends with seq %llu",
                            (unsigned long long)s->seq, (unsigned long long)meta.log.seq);
    /* A part that stays missing is damage. */
    return fault.kind == STATUS_BUSY ? status_make(STATUS_CORRUPT, "%s", fault.text) : fault;
}
