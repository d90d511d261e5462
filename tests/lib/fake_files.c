/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

#define SECTOR 512u

void fake_image_write(struct fake_image *i, uint64_t offset, const uint8_t *bytes, size_t size)
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

void fake_image_copy(struct fake_image *to, const struct fake_image *from)
{
    to->size = 0;
    fake_image_write(to, 0, from->bytes, from->size);
}

struct fake_name *fake_names_find(const struct fake_names *names, const char *path)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->list[i].path, path) == 0)
            return &names->list[i];
    return NULL;
}

void fake_names_remove(struct fake_names *names, const char *path)
{
    struct fake_name *n = fake_names_find(names, path);
    if (!n)
        return;
    size_t at = (size_t)(n - names->list);
    free(n->path);
    names->count--;
    memmove(n, n + 1, (names->count - at) * sizeof *n);
}

void fake_names_link(struct fake_names *names, const char *path, struct fake_node *node)
{
    fake_names_remove(names, path);
    names->list = memory_room(names->list, names->count, &names->capacity, 16, sizeof(*names->list));
    names->list[names->count++] = (struct fake_name){.path = memory_copy(path, strlen(path)), .node = node};
}

void fake_names_release(struct fake_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i].path);
    free(names->list);
    *names = (struct fake_names){0};
}

static void names_copy(struct fake_names *to, const struct fake_names *from)
{
    fake_names_release(to);
    for (uint32_t i = 0; i < from->count; i++)
        fake_names_link(to, from->list[i].path, from->list[i].node);
}

bool fake_names_rename(struct fake_names *names, const char *from, const char *to)
{
    struct fake_name *n = fake_names_find(names, from);
    if (!n)
        return false;
    struct fake_node *node = n->node;
    fake_names_remove(names, from);
    fake_names_link(names, to, node);
    return true;
}

bool fake_lies_in(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && path[n] == '/' && strchr(path + n + 1, '/') == NULL;
}

uint64_t fake_draw(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

struct fake_node *fake_node_make(struct fake_disk *f, bool folder)
{
    struct fake_node *n = memory_zeroed(1, sizeof *n);
    n->id = f->next_id++;
    n->folder = folder;
    n->next = f->nodes;
    f->nodes = n;
    return n;
}

struct fake_change *fake_change_add(struct fake_disk *f, enum fake_change_kind kind)
{
    f->changes = memory_room(f->changes, f->change_count, &f->change_capacity, 16, sizeof(*f->changes));
    struct fake_change *c = &f->changes[f->change_count++];
    *c = (struct fake_change){.kind = kind};
    return c;
}

static void change_release(struct fake_change *c)
{
    free(c->bytes);
    free(c->path);
    free(c->to);
}

static void change_apply(struct fake_disk *f, const struct fake_change *c)
{
    switch (c->kind) {
    case FAKE_CHANGE_WRITE:
        fake_image_write(&c->node->durable, c->offset, c->bytes, c->size);
        break;
    case FAKE_CHANGE_LINK:
        fake_names_link(&f->durable, c->path, c->node);
        break;
    case FAKE_CHANGE_RENAME:
        fake_names_rename(&f->durable, c->path, c->to);
        break;
    case FAKE_CHANGE_UNLINK:
        fake_names_remove(&f->durable, c->path);
        break;
    }
}

void fake_flush(struct fake_disk *f, const struct fake_node *node, const char *folder, bool durable)
{
    uint32_t kept = 0;
    for (size_t i = 0; i < f->change_count; i++) {
        struct fake_change *c = &f->changes[i];
        bool mine = c->kind == FAKE_CHANGE_WRITE ? c->node == node : folder && fake_lies_in(c->path, folder);
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

void fake_reload(struct fake_disk *f, struct fake_node *node)
{
    fake_image_copy(&node->view, &node->durable);
    for (size_t i = 0; i < f->change_count; i++) {
        const struct fake_change *c = &f->changes[i];
        if (c->kind == FAKE_CHANGE_WRITE && c->node == node)
            fake_image_write(&node->view, c->offset, c->bytes, c->size);
    }
}

void fake_drop_changes(struct fake_disk *f)
{
    for (size_t i = 0; i < f->change_count; i++)
        change_release(&f->changes[i]);
    f->change_count = 0;
}

static struct fake_node *node_by_id(const struct fake_disk *f, uint64_t id)
{
    struct fake_node *n = f->nodes;
    while (n && n->id != id)
        n = n->next;
    ASSERT(n);
    return n;
}

static void clone_names(struct fake_disk *to, struct fake_names *into, const struct fake_names *from)
{
    for (size_t i = 0; i < from->count; i++)
        fake_names_link(into, from->list[i].path, node_by_id(to, from->list[i].node->id));
}

struct fake_disk *fake_disk_clone(const struct fake_disk *f)
{
    struct fake_disk *copy = fake_disk_make(f->random);
    for (const struct fake_node *n = f->nodes; n; n = n->next) {
        struct fake_node *m = fake_node_make(copy, n->folder);
        m->id = n->id;
        fake_image_copy(&m->view, &n->view);
        fake_image_copy(&m->durable, &n->durable);
    }
    copy->next_id = f->next_id;
    clone_names(copy, &copy->view, &f->view);
    clone_names(copy, &copy->durable, &f->durable);
    for (size_t i = 0; i < f->change_count; i++) {
        const struct fake_change *c = &f->changes[i];
        struct fake_change *d = fake_change_add(copy, c->kind);
        *d = *c;
        d->node = c->node ? node_by_id(copy, c->node->id) : NULL;
        d->bytes = c->bytes ? (uint8_t *)memory_copy(c->bytes, c->size) : NULL;
        d->path = c->path ? memory_copy(c->path, strlen(c->path)) : NULL;
        d->to = c->to ? memory_copy(c->to, strlen(c->to)) : NULL;
    }
    copy->capacity = f->capacity;
    return copy;
}

/* Files without a name, both now and after a power loss. */
static void collect(struct fake_disk *f)
{
    for (struct fake_node **at = &f->nodes; *at;) {
        struct fake_node *n = *at;
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

static void apply_some_sectors(const struct fake_change *c, uint64_t *random)
{
    for (size_t at = 0; at < c->size;) {
        size_t piece = SECTOR - (size_t)((c->offset + at) % SECTOR);
        if (piece > c->size - at)
            piece = c->size - at;
        if (fake_draw(random) % 2 == 0)
            fake_image_write(&c->node->durable, c->offset + at, c->bytes + at, piece);
        at += piece;
    }
}

static void apply_by_chance(struct fake_disk *f, const struct fake_change *c, enum fake_crash how,
                            uint64_t *random)
{
    if (c->kind == FAKE_CHANGE_WRITE)
        apply_some_sectors(c, random);
    else if (how == FAKE_CRASH_TORN || fake_draw(random) % 2 == 0)
        change_apply(f, c);
}

/* Files whose folder did not reach the device. A folder directly under the root always exists. */
static void drop_orphans(struct fake_disk *f)
{
    for (size_t i = 0; i < f->durable.count;) {
        const char *path = f->durable.list[i].path;
        char *parent = memory_copy(path, (size_t)(strrchr(path, '/') - path));
        bool orphan = strrchr(parent, '/') > parent && !fake_names_find(&f->durable, parent);
        free(parent);
        if (orphan)
            fake_names_remove(&f->durable, path);
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
    fake_drop_changes(f);
    drop_orphans(f);
    names_copy(&f->view, &f->durable);
    for (struct fake_node *n = f->nodes; n; n = n->next)
        fake_image_copy(&n->view, &n->durable);
    fake_disk_restart(f);
}

uint64_t fake_disk_unsynced(const struct fake_disk *f)
{
    return f->change_count;
}

void fake_disk_settle(struct fake_disk *f)
{
    fake_drop_changes(f);
    names_copy(&f->durable, &f->view);
    for (struct fake_node *n = f->nodes; n; n = n->next)
        fake_image_copy(&n->durable, &n->view);
}

void fake_disk_put(struct fake_disk *f, const char *path, const void *bytes, size_t size)
{
    struct fake_node *node = fake_node_make(f, false);
    fake_image_write(&node->view, 0, bytes, size);
    fake_image_write(&node->durable, 0, bytes, size);
    fake_names_link(&f->view, path, node);
    fake_names_link(&f->durable, path, node);
}
