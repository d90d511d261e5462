/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_disk.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory.h"

#define HANDLES_MAX 64
#define SECTOR 512u

struct image {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
};

struct node {
    uint64_t id;
    bool folder;
    struct image view;
    struct image durable;
    struct node *next; /* all nodes of the disk, for freeing */
};

struct name {
    char *path;
    struct node *node;
};

struct names {
    struct name *list;
    size_t count;
    size_t capacity;
};

enum change_kind { CHANGE_WRITE, CHANGE_LINK, CHANGE_RENAME, CHANGE_UNLINK };

/* Something that no sync has covered yet. */
struct change {
    enum change_kind kind;
    struct node *node; /* WRITE, LINK */
    uint64_t offset;
    uint8_t *bytes;
    size_t size;
    char *path;
    char *to;
};

struct fake_disk {
    struct disk table;
    pthread_mutex_t lock;
    struct node *nodes;
    uint64_t next_id;
    struct names view;
    struct names durable;
    struct change *changes;
    size_t change_count;
    size_t change_capacity;
    struct node *handles[HANDLES_MAX];
    uint64_t random;
    uint64_t operations;
    uint64_t counts[FAKE_OPS];
    uint64_t fail_at; /* operation number, 0: none */
    int fail_error;
    bool fail_persistent;
    bool dead;
    bool failed;
    bool choppy;
    uint64_t capacity;
};

static uint64_t draw(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void image_write(struct image *i, uint64_t offset, const uint8_t *bytes, size_t size)
{
    size_t end = (size_t)offset + size;
    if (end > i->capacity) {
        i->capacity = end * 2;
        i->bytes = memory_grow(i->bytes, i->capacity, 1);
    }
    if (end > i->size) {
        memset(i->bytes + i->size, 0, end - i->size);
        i->size = end;
    }
    if (size > 0)
        memcpy(i->bytes + offset, bytes, size);
}

static void image_copy(struct image *to, const struct image *from)
{
    to->size = 0;
    image_write(to, 0, from->bytes, from->size);
}

static struct node *node_make(struct fake_disk *f, bool folder)
{
    struct node *n = memory_zeroed(1, sizeof *n);
    n->id = f->next_id++;
    n->folder = folder;
    n->next = f->nodes;
    f->nodes = n;
    return n;
}

static struct name *names_find(const struct names *names, const char *path)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->list[i].path, path) == 0)
            return &names->list[i];
    return NULL;
}

static void names_remove(struct names *names, const char *path)
{
    struct name *n = names_find(names, path);
    if (!n)
        return;
    size_t at = (size_t)(n - names->list);
    free(n->path);
    names->count--;
    memmove(n, n + 1, (names->count - at) * sizeof *n);
}

static void names_link(struct names *names, const char *path, struct node *node)
{
    names_remove(names, path);
    if (names->count == names->capacity) {
        names->capacity = names->capacity ? names->capacity * 2 : 16;
        names->list = memory_grow(names->list, names->capacity, sizeof *names->list);
    }
    names->list[names->count++] = (struct name){.path = memory_copy(path, strlen(path)), .node = node};
}

static void names_release(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i].path);
    free(names->list);
    *names = (struct names){0};
}

static bool names_rename(struct names *names, const char *from, const char *to)
{
    struct name *n = names_find(names, from);
    if (!n)
        return false;
    struct node *node = n->node;
    names_remove(names, from);
    names_link(names, to, node);
    return true;
}

static struct change *change_add(struct fake_disk *f, enum change_kind kind)
{
    if (f->change_count == f->change_capacity) {
        f->change_capacity = f->change_capacity ? f->change_capacity * 2 : 16;
        f->changes = memory_grow(f->changes, f->change_capacity, sizeof *f->changes);
    }
    struct change *c = &f->changes[f->change_count++];
    *c = (struct change){.kind = kind};
    return c;
}

static void change_release(struct change *c)
{
    free(c->bytes);
    free(c->path);
    free(c->to);
}

static void change_apply(struct fake_disk *f, const struct change *c)
{
    switch (c->kind) {
    case CHANGE_WRITE:
        image_write(&c->node->durable, c->offset, c->bytes, c->size);
        break;
    case CHANGE_LINK:
        names_link(&f->durable, c->path, c->node);
        break;
    case CHANGE_RENAME:
        names_rename(&f->durable, c->path, c->to);
        break;
    case CHANGE_UNLINK:
        names_remove(&f->durable, c->path);
        break;
    }
}

/* Whether `path` lies directly in `folder`. */
static bool lies_in(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && path[n] == '/' && strchr(path + n + 1, '/') == NULL;
}

/* Settles the changes of a node, or of a folder's names: made durable, or dropped after a failed sync. */
static void flush(struct fake_disk *f, const struct node *node, const char *folder, bool durable)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->change_count; i++) {
        struct change *c = &f->changes[i];
        bool mine = c->kind == CHANGE_WRITE ? c->node == node : folder && lies_in(c->path, folder);
        if (!mine) {
            f->changes[kept++] = *c;
            continue;
        }
        if (durable)
            change_apply(f, c);
        change_release(c);
    }
    f->change_count = kept;
}

/* Counts the operation; a negative errno when it is to fail. The lock is held. */
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

static struct node *handle_node(struct fake_disk *f, int handle)
{
    ASSERT(handle >= 0 && handle < HANDLES_MAX && f->handles[handle]);
    return f->handles[handle];
}

static int new_handle(struct fake_disk *f, struct node *node)
{
    for (int i = 0; i < HANDLES_MAX; i++) {
        if (!f->handles[i]) {
            f->handles[i] = node;
            return i;
        }
    }
    return -EMFILE;
}

static int open_path(struct fake_disk *f, const char *path, enum disk_mode mode)
{
    struct name *n = names_find(&f->view, path);
    if (mode != DISK_CREATE)
        return n && !n->node->folder ? new_handle(f, n->node) : -ENOENT;
    struct node *node = node_make(f, false);
    names_link(&f->view, path, node);
    struct change *c = change_add(f, CHANGE_LINK);
    c->node = node;
    c->path = memory_copy(path, strlen(path));
    return new_handle(f, node);
}

static int fake_open(void *owner, const char *path, enum disk_mode mode)
{
    struct fake_disk *f = owner;
    pthread_mutex_lock(&f->lock);
    int result = begin(f, FAKE_OPEN);
    if (result == 0 && f->choppy && draw(&f->random) % 3 == 0)
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

/* How much of a transfer goes through this time. */
static int64_t chop(struct fake_disk *f, size_t size)
{
    if (!f->choppy || size == 0)
        return (int64_t)size;
    switch (draw(&f->random) % 4) {
    case 0:
        return -EINTR;
    case 1:
        return 1;
    case 2:
        return (int64_t)(1 + draw(&f->random) % size);
    default:
        return (int64_t)size;
    }
}

static int64_t fake_read(void *owner, int handle, void *bytes, size_t size, uint64_t offset)
{
    struct fake_disk *f = owner;
    pthread_mutex_lock(&f->lock);
    const struct image *view = &handle_node(f, handle)->view;
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

static int64_t write_node(struct fake_disk *f, struct node *node, const void *bytes, size_t size,
                          uint64_t offset)
{
    uint64_t end = offset + size;
    uint64_t more = end > node->view.size ? end - node->view.size : 0;
    if (f->capacity > 0 && more > 0 && used(f) + more > f->capacity)
        return -ENOSPC;
    image_write(&node->view, offset, bytes, size);
    struct change *c = change_add(f, CHANGE_WRITE);
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
    struct node *node = handle_node(f, handle);
    int64_t result = begin(f, FAKE_WRITE);
    if (result == 0)
        result = chop(f, size);
    else if (!f->dead && f->fail_error == EIO && size > SECTOR)
        write_node(f, node, bytes, size / 2, offset); /* a write may fail in its middle */
    if (result > 0)
        result = write_node(f, node, bytes, (size_t)result, offset);
    pthread_mutex_unlock(&f->lock);
    return result;
}

static int sync_node(struct fake_disk *f, int handle, enum fake_op op)
{
    pthread_mutex_lock(&f->lock);
    struct node *node = handle_node(f, handle);
    int result = begin(f, op);
    if (result == 0 || !f->dead)
        flush(f, node, NULL, result == 0);
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
        flush(f, NULL, folder, true);
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

/* Clean pages are read from the device again; dirty ones stay. */
static void reload(struct fake_disk *f, struct node *node)
{
    image_copy(&node->view, &node->durable);
    for (size_t i = 0; i < f->change_count; i++) {
        const struct change *c = &f->changes[i];
        if (c->kind == CHANGE_WRITE && c->node == node)
            image_write(&node->view, c->offset, c->bytes, c->size);
    }
}

static int fake_drop_cache(void *owner, int handle)
{
    struct fake_disk *f = owner;
    pthread_mutex_lock(&f->lock);
    reload(f, handle_node(f, handle));
    pthread_mutex_unlock(&f->lock);
    return 0;
}

static int fake_rename(void *owner, const char *from, const char *to)
{
    struct fake_disk *f = owner;
    pthread_mutex_lock(&f->lock);
    int result = begin(f, FAKE_RENAME);
    if (result == 0 && !names_rename(&f->view, from, to))
        result = -ENOENT;
    if (result == 0) {
        struct change *c = change_add(f, CHANGE_RENAME);
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
    if (result == 0 && !names_find(&f->view, path))
        result = -ENOENT;
    if (result == 0) {
        names_remove(&f->view, path);
        struct change *c = change_add(f, CHANGE_UNLINK);
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
    if (result == 0 && names_find(&f->view, folder))
        result = -EEXIST;
    if (result == 0) {
        struct node *node = node_make(f, true);
        names_link(&f->view, folder, node);
        struct change *c = change_add(f, CHANGE_LINK);
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
    if (result == 0 && !names_find(&f->view, folder))
        result = -ENOENT;
    for (size_t i = 0; result == 0 && i < f->view.count; i++)
        if (lies_in(f->view.list[i].path, folder))
            fn(ctx, f->view.list[i].path + strlen(folder) + 1);
    pthread_mutex_unlock(&f->lock);
    return result;
}

static int fake_entropy(void *owner, void *bytes, size_t size)
{
    struct fake_disk *f = owner;
    pthread_mutex_lock(&f->lock);
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)bytes)[i] = (uint8_t)draw(&f->random);
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

static struct node *node_by_id(const struct fake_disk *f, uint64_t id)
{
    struct node *n = f->nodes;
    while (n && n->id != id)
        n = n->next;
    ASSERT(n);
    return n;
}

static void clone_names(struct fake_disk *to, struct names *into, const struct names *from)
{
    for (size_t i = 0; i < from->count; i++)
        names_link(into, from->list[i].path, node_by_id(to, from->list[i].node->id));
}

struct fake_disk *fake_disk_clone(const struct fake_disk *f)
{
    struct fake_disk *copy = fake_disk_make(f->random);
    for (const struct node *n = f->nodes; n; n = n->next) {
        struct node *m = node_make(copy, n->folder);
        m->id = n->id;
        image_copy(&m->view, &n->view);
        image_copy(&m->durable, &n->durable);
    }
    copy->next_id = f->next_id;
    clone_names(copy, &copy->view, &f->view);
    clone_names(copy, &copy->durable, &f->durable);
    for (size_t i = 0; i < f->change_count; i++) {
        const struct change *c = &f->changes[i];
        struct change *d = change_add(copy, c->kind);
        *d = *c;
        d->node = c->node ? node_by_id(copy, c->node->id) : NULL;
        d->bytes = c->bytes ? (uint8_t *)memory_copy(c->bytes, c->size) : NULL;
        d->path = c->path ? memory_copy(c->path, strlen(c->path)) : NULL;
        d->to = c->to ? memory_copy(c->to, strlen(c->to)) : NULL;
    }
    copy->capacity = f->capacity;
    return copy;
}

static void drop_changes(struct fake_disk *f)
{
    for (size_t i = 0; i < f->change_count; i++)
        change_release(&f->changes[i]);
    f->change_count = 0;
}

void fake_disk_free(struct fake_disk *f)
{
    if (!f)
        return;
    drop_changes(f);
    free(f->changes);
    names_release(&f->view);
    names_release(&f->durable);
    while (f->nodes) {
        struct node *n = f->nodes;
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
    for (int i = 0; i < HANDLES_MAX; i++)
        open += f->handles[i] != NULL;
    return open;
}

/* Files that no name leads to any more, neither now nor after a power loss. */
static void collect(struct fake_disk *f)
{
    for (struct node **at = &f->nodes; *at;) {
        struct node *n = *at;
        bool needed = false;
        for (size_t i = 0; i < f->view.count && !needed; i++)
            needed = f->view.list[i].node == n;
        for (size_t i = 0; i < f->durable.count && !needed; i++)
            needed = f->durable.list[i].node == n;
        for (size_t i = 0; i < f->change_count && !needed; i++)
            needed = f->changes[i].node == n;
        if (needed) {
            at = &n->next;
            continue;
        }
        *at = n->next;
        free(n->view.bytes);
        free(n->durable.bytes);
        free(n);
    }
}

void fake_disk_restart(struct fake_disk *f)
{
    memset(f->handles, 0, sizeof f->handles);
    memset(f->counts, 0, sizeof f->counts);
    f->operations = 0;
    f->fail_at = 0;
    f->dead = false;
    f->failed = false;
    collect(f);
}

static void apply_some_sectors(const struct change *c, uint64_t *random)
{
    for (size_t at = 0; at < c->size;) {
        size_t piece = SECTOR - (size_t)((c->offset + at) % SECTOR);
        if (piece > c->size - at)
            piece = c->size - at;
        if (draw(random) % 2 == 0)
            image_write(&c->node->durable, c->offset + at, c->bytes + at, piece);
        at += piece;
    }
}

static void apply_by_chance(struct fake_disk *f, const struct change *c, enum fake_crash how,
                            uint64_t *random)
{
    if (c->kind == CHANGE_WRITE)
        apply_some_sectors(c, random);
    else if (how == FAKE_CRASH_TORN || draw(random) % 2 == 0)
        change_apply(f, c);
}

/* Files whose folder did not get to the device. A folder directly under the root is always there. */
static void drop_orphans(struct fake_disk *f)
{
    for (size_t i = 0; i < f->durable.count;) {
        const char *path = f->durable.list[i].path;
        char *parent = memory_copy(path, (size_t)(strrchr(path, '/') - path));
        bool orphan = strrchr(parent, '/') > parent && !names_find(&f->durable, parent);
        free(parent);
        if (orphan)
            names_remove(&f->durable, path);
        else
            i++;
    }
}

void fake_disk_crash(struct fake_disk *f, enum fake_crash how, uint64_t cut, uint64_t seed)
{
    for (size_t i = 0; i < f->change_count; i++) {
        if (how == FAKE_CRASH_KEPT || (how == FAKE_CRASH_PREFIX && i < cut))
            change_apply(f, &f->changes[i]);
        else if (how == FAKE_CRASH_SECTORS || how == FAKE_CRASH_TORN)
            apply_by_chance(f, &f->changes[i], how, &seed);
    }
    drop_changes(f);
    drop_orphans(f);
    names_release(&f->view);
    for (size_t i = 0; i < f->durable.count; i++)
        names_link(&f->view, f->durable.list[i].path, f->durable.list[i].node);
    for (struct node *n = f->nodes; n; n = n->next)
        image_copy(&n->view, &n->durable);
    fake_disk_restart(f);
}

uint64_t fake_disk_unsynced(const struct fake_disk *f)
{
    return f->change_count;
}

uint8_t *fake_disk_bytes(struct fake_disk *f, const char *path, size_t *size)
{
    struct name *n = names_find(&f->view, path);
    if (!n)
        return NULL;
    if (size)
        *size = n->node->view.size;
    return n->node->view.bytes;
}

void fake_disk_settle(struct fake_disk *f)
{
    drop_changes(f);
    names_release(&f->durable);
    for (size_t i = 0; i < f->view.count; i++)
        names_link(&f->durable, f->view.list[i].path, f->view.list[i].node);
    for (struct node *n = f->nodes; n; n = n->next)
        image_copy(&n->durable, &n->view);
}

void fake_disk_put(struct fake_disk *f, const char *path, const void *bytes, size_t size)
{
    struct node *node = node_make(f, false);
    image_write(&node->view, 0, bytes, size);
    image_write(&node->durable, 0, bytes, size);
    names_link(&f->view, path, node);
    names_link(&f->durable, path, node);
}

bool fake_disk_exists(const struct fake_disk *f, const char *path)
{
    return names_find(&f->view, path) != NULL;
}

const char *fake_disk_name(const struct fake_disk *f, size_t nth)
{
    return nth < f->view.count ? f->view.list[nth].path : NULL;
}
