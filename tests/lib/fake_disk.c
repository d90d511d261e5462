/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_disk.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "fake_files.h"

#define SECTOR 512u

/* Counts the operation; a negative errno if it has to fail. The lock is held. */
static int begin(struct fake_disk *f, enum fake_op op)
{
    f->operations++;
    f->counts[op]++;
    bool now = f->fail_at != 0 &&
               (f->operations == f->fail_at || (f->fail_persistent && f->operations > f->fail_at));
    if (!now)
        return 0;
    f->failed = true;
    return -f->fail_error;
}

static struct fake_node *handle_node(struct fake_disk *f, int handle)
{
    ASSERT(handle >= 0 && handle < FAKE_HANDLES_MAX && f->handles[handle]);
    return f->handles[handle];
}

static int new_handle(struct fake_disk *f, struct fake_node *node)
{
    for (int i = 0; i < FAKE_HANDLES_MAX; i++) {
        if (!f->handles[i]) {
            f->handles[i] = node;
            return i;
        }
    }
    return -EMFILE;
}

static int open_path(struct fake_disk *f, const char *path, enum disk_mode mode)
{
    struct fake_name *n = fake_names_find(&f->view, path);
    if (mode != DISK_CREATE)
        return n && !n->node->folder ? new_handle(f, n->node) : -ENOENT;
    struct fake_node *node = fake_node_make(f, false);
    fake_names_link(&f->view, path, node);
    struct fake_change *c = fake_change_add(f, FAKE_CHANGE_LINK);
    c->node = node;
    c->path = memory_copy(path, strlen(path));
    return new_handle(f, node);
}

static int fake_open(void *owner, const char *path, enum disk_mode mode)
{
    struct fake_disk *f = owner;
    pthread_mutex_lock(&f->lock);
    int result = begin(f, FAKE_OPEN);
    if (result == 0 && f->choppy && fake_draw(&f->random) % 3 == 0)
        result = -EINTR;
    if (result == 0)
        result = open_path(f, path, mode);
    pthread_mutex_unlock(&f->lock);
    return result;
}

static int fake_close(void *owner, int handle)
{
    struct fake_disk *f = owner;
    pthread_mutex_lock(&f->lock);
    handle_node(f, handle);
    f->handles[handle] = NULL;
    pthread_mutex_unlock(&f->lock);
    return 0;
}

/* How much of a transfer goes through this time. A read can stop at any byte. */
static int64_t chop(struct fake_disk *f, size_t size)
{
    if (!f->choppy || size == 0)
        return (int64_t)size;
    switch (fake_draw(&f->random) % 4) {
    case 0:
        return -EINTR;
    case 1:
        return 1;
    case 2:
        return (int64_t)(1 + fake_draw(&f->random) % size);
    default:
        return (int64_t)size;
    }
}

/* A write stops only between sectors. The kernel copies a write into its cache page by page, and a signal is noticed in
 * between; batches begin on pages and come from an aligned buffer. So no cache, and no device after it, ever has part
 * of a sector, whatever dies at what time. (The journal would refuse a partial header: it is neither a batch nor zeros,
 * which no torn write explains.) */
static int64_t chop_write(struct fake_disk *f, size_t size, uint64_t offset)
{
    int64_t n = chop(f, size);
    if (n <= 0 || n == (int64_t)size)
        return n;
    uint64_t end = (offset + (uint64_t)n + SECTOR - 1) / SECTOR * SECTOR;
    return end - offset < size ? (int64_t)(end - offset) : (int64_t)size;
}

static int64_t fake_read(void *owner, int handle, void *bytes, size_t size, uint64_t offset)
{
    struct fake_disk *f = owner;
    pthread_mutex_lock(&f->lock);
    const struct fake_image *view = &handle_node(f, handle)->view;
    int64_t result = begin(f, FAKE_READ);
    if (result == 0) {
        size_t left = offset < view->size ? view->size - (size_t)offset : 0;
        result = chop(f, size < left ? size : left);
        if (result > 0)
            memcpy(bytes, view->bytes + offset, (size_t)result);
    }
    pthread_mutex_unlock(&f->lock);
    return result;
}

static uint64_t used(const struct fake_disk *f)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < f->view.count; i++)
        sum += f->view.list[i].node->view.size;
    return sum;
}

static int64_t write_node(struct fake_disk *f, struct fake_node *node, const void *bytes, size_t size,
                          uint64_t offset)
{
    uint64_t end = offset + size;
    uint64_t more = end > node->view.size ? end - node->view.size : 0;
    uint64_t room = f->capacity > used(f) ? f->capacity - used(f) : 0;
    if (f->capacity > 0 && more > room) {
        /* The part that fits is written, as the system does; the next call writes nothing. */
        size -= (size_t)(more - room);
        if (room == 0 || size == 0)
            return -ENOSPC;
    }
    fake_image_write(&node->view, offset, bytes, size);
    struct fake_change *c = fake_change_add(f, FAKE_CHANGE_WRITE);
    c->node = node;
    c->offset = offset;
    c->bytes = (uint8_t *)memory_copy(bytes, size);
    c->size = size;
    return (int64_t)size;
}

static int64_t fake_write(void *owner, int handle, const void *bytes, size_t size, uint64_t offset)
{
    struct fake_disk *f = owner;
    pthread_mutex_lock(&f->lock);
    struct fake_node *node = handle_node(f, handle);
    int64_t result = begin(f, FAKE_WRITE);
    if (result == 0)
        result = chop_write(f, size, offset);
    else if (!f->dead && f->fail_error == EIO && size > SECTOR)
        write_node(f, node, bytes, size / 2, offset); /* a write can fail halfway */
    if (result > 0)
        result = write_node(f, node, bytes, (size_t)result, offset);
    pthread_mutex_unlock(&f->lock);
    return result;
}

static int sync_node(struct fake_disk *f, int handle, enum fake_op op)
{
    pthread_mutex_lock(&f->lock);
    struct fake_node *node = handle_node(f, handle);
    int result = begin(f, op);
    if (result == 0 || !f->dead)
        fake_flush(f, node, NULL, result == 0);
    pthread_mutex_unlock(&f->lock);
    return result;
}

static int fake_sync_data(void *owner, int handle)
{
    return sync_node(owner, handle, FAKE_SYNC_DATA);
}

static int fake_sync(void *owner, int handle)
{
    return sync_node(owner, handle, FAKE_SYNC);
}

static int fake_sync_folder(void *owner, const char *folder)
{
    struct fake_disk *f = owner;
    pthread_mutex_lock(&f->lock);
    int result = begin(f, FAKE_SYNC_FOLDER);
    if (result == 0)
        fake_flush(f, NULL, folder, true);
    pthread_mutex_unlock(&f->lock);
    return result;
}

static int64_t fake_size(void *owner, int handle)
{
    struct fake_disk *f = owner;
    pthread_mutex_lock(&f->lock);
    int64_t result = begin(f, FAKE_SIZE);
    if (result == 0)
        result = (int64_t)handle_node(f, handle)->view.size;
    pthread_mutex_unlock(&f->lock);
    return result;
}

static int fake_drop_cache(void *owner, int handle)
{
    struct fake_disk *f = owner;
    pthread_mutex_lock(&f->lock);
    fake_reload(f, handle_node(f, handle));
    pthread_mutex_unlock(&f->lock);
    return 0;
}

static int fake_rename(void *owner, const char *from, const char *to)
{
    struct fake_disk *f = owner;
    if (f->before_rename)
        f->before_rename(f->before_rename_ctx);
    pthread_mutex_lock(&f->lock);
    int result = begin(f, FAKE_RENAME);
    if (result == 0 && !fake_names_rename(&f->view, from, to))
        result = -ENOENT;
    if (result == 0) {
        struct fake_change *c = fake_change_add(f, FAKE_CHANGE_RENAME);
        c->path = memory_copy(from, strlen(from));
        c->to = memory_copy(to, strlen(to));
    }
    pthread_mutex_unlock(&f->lock);
    return result;
}

static int fake_unlink(void *owner, const char *path)
{
    struct fake_disk *f = owner;
    pthread_mutex_lock(&f->lock);
    int result = begin(f, FAKE_UNLINK);
    if (result == 0 && !fake_names_find(&f->view, path))
        result = -ENOENT;
    if (result == 0) {
        fake_names_remove(&f->view, path);
        struct fake_change *c = fake_change_add(f, FAKE_CHANGE_UNLINK);
        c->path = memory_copy(path, strlen(path));
    }
    pthread_mutex_unlock(&f->lock);
    return result;
}

static int fake_make_folder(void *owner, const char *folder)
{
    struct fake_disk *f = owner;
    pthread_mutex_lock(&f->lock);
    int result = begin(f, FAKE_MAKE_FOLDER);
    if (result == 0 && fake_names_find(&f->view, folder))
        result = -EEXIST;
    if (result == 0) {
        struct fake_node *node = fake_node_make(f, true);
        fake_names_link(&f->view, folder, node);
        struct fake_change *c = fake_change_add(f, FAKE_CHANGE_LINK);
        c->node = node;
        c->path = memory_copy(folder, strlen(folder));
    }
    pthread_mutex_unlock(&f->lock);
    return result;
}

static int fake_list(void *owner, const char *folder, disk_list_fn fn, void *ctx)
{
    struct fake_disk *f = owner;
    pthread_mutex_lock(&f->lock);
    int result = begin(f, FAKE_LIST);
    if (result == 0 && !fake_names_find(&f->view, folder))
        result = -ENOENT;
    for (size_t i = 0; result == 0 && i < f->view.count; i++)
        if (fake_lies_in(f->view.list[i].path, folder))
            fn(ctx, f->view.list[i].path + strlen(folder) + 1);
    pthread_mutex_unlock(&f->lock);
    return result;
}

static int fake_entropy(void *owner, void *bytes, size_t size)
{
    struct fake_disk *f = owner;
    pthread_mutex_lock(&f->lock);
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)bytes)[i] = (uint8_t)fake_draw(&f->random);
    pthread_mutex_unlock(&f->lock);
    return 0;
}

struct fake_disk *fake_disk_make(uint64_t seed)
{
    struct fake_disk *f = memory_zeroed(1, sizeof *f);
    pthread_mutex_init(&f->lock, NULL);
    f->random = seed;
    f->table = (struct disk){.owner = f,
                             .open = fake_open,
                             .close = fake_close,
                             .read = fake_read,
                             .write = fake_write,
                             .sync_data = fake_sync_data,
                             .sync = fake_sync,
                             .sync_folder = fake_sync_folder,
                             .size = fake_size,
                             .drop_cache = fake_drop_cache,
                             .rename = fake_rename,
                             .unlink = fake_unlink,
                             .make_folder = fake_make_folder,
                             .list = fake_list,
                             .entropy = fake_entropy};
    return f;
}

void fake_disk_free(struct fake_disk *f)
{
    if (!f)
        return;
    fake_drop_changes(f);
    free(f->changes);
    fake_names_release(&f->view);
    fake_names_release(&f->durable);
    while (f->nodes) {
        struct fake_node *n = f->nodes;
        f->nodes = n->next;
        free(n->view.bytes);
        free(n->durable.bytes);
        free(n);
    }
    pthread_mutex_destroy(&f->lock);
    free(f);
}

const struct disk *fake_disk_table(struct fake_disk *f)
{
    return &f->table;
}

void fake_disk_fail(struct fake_disk *f, uint64_t nth, int error, bool persistent)
{
    f->fail_at = f->operations + nth;
    f->fail_error = error;
    f->fail_persistent = persistent;
    f->dead = false;
    f->failed = false;
}

void fake_disk_die_after(struct fake_disk *f, uint64_t n)
{
    fake_disk_fail(f, n + 1, EIO, true);
    f->dead = true;
}

bool fake_disk_failed(const struct fake_disk *f)
{
    return f->failed;
}

void fake_disk_set_choppy(struct fake_disk *f, bool choppy)
{
    f->choppy = choppy;
}

void fake_disk_set_capacity(struct fake_disk *f, uint64_t bytes)
{
    f->capacity = bytes;
}

void fake_disk_before_rename(struct fake_disk *f, void (*fn)(void *ctx), void *ctx)
{
    f->before_rename = fn;
    f->before_rename_ctx = ctx;
}

uint64_t fake_disk_used(const struct fake_disk *f)
{
    return used(f);
}

uint64_t fake_disk_operations(const struct fake_disk *f)
{
    return f->operations;
}

uint64_t fake_disk_count(const struct fake_disk *f, enum fake_op op)
{
    return f->counts[op];
}

int fake_disk_open_handles(const struct fake_disk *f)
{
    int open = 0;
    for (int i = 0; i < FAKE_HANDLES_MAX; i++)
        open += f->handles[i] != NULL;
    return open;
}

uint8_t *fake_disk_bytes(struct fake_disk *f, const char *path, size_t *size)
{
    struct fake_name *n = fake_names_find(&f->view, path);
    if (!n)
        return NULL;
    if (size)
        *size = n->node->view.size;
    return n->node->view.bytes;
}

bool fake_disk_exists(const struct fake_disk *f, const char *path)
{
    return fake_names_find(&f->view, path) != NULL;
}

const char *fake_disk_name(const struct fake_disk *f, size_t nth)
{
    return nth < f->view.count ? f->view.list[nth].path : NULL;
}
