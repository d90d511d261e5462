/* SPDX-License-Identifier: Apache-2.0 */
/* fake_files.h — the contents and the names of the fake disk: plain tables, once as a process sees them and
 * once as the device has them. Used by fake_disk.c only. */
#ifndef TESTS_LIB_FAKE_FILES_H
#define TESTS_LIB_FAKE_FILES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fake_disk.h"

struct fake_image {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
};

struct fake_node {
    uint64_t id;
    bool folder;
    struct fake_image view;
    struct fake_image durable;
    struct fake_node *next; /* all nodes of the disk, for freeing */
};

struct fake_name {
    char *path;
    struct fake_node *node;
};

struct fake_names {
    struct fake_name *list;
    uint32_t count, capacity;
};

#define FAKE_HANDLES_MAX 64

enum fake_change_kind { FAKE_CHANGE_WRITE, FAKE_CHANGE_LINK, FAKE_CHANGE_RENAME, FAKE_CHANGE_UNLINK };

/* A change that no sync has covered yet. */
struct fake_change {
    enum fake_change_kind kind;
    struct fake_node *node; /* WRITE, LINK */
    uint64_t offset;
    uint8_t *bytes;
    size_t size;
    char *path;
    char *to;
};

struct fake_disk {
    struct disk table;
    pthread_mutex_t lock;
    struct fake_node *nodes;
    uint64_t next_id;
    struct fake_names view;
    struct fake_names durable;
    struct fake_change *changes;
    uint32_t change_count, change_capacity;
    struct fake_node *handles[FAKE_HANDLES_MAX];
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
    void (*before_rename)(void *ctx);
    void *before_rename_ctx;
};

/* Writes beyond the end leave zeros in between. */
void fake_image_write(struct fake_image *i, uint64_t offset, const uint8_t *bytes, size_t size);
void fake_image_copy(struct fake_image *to, const struct fake_image *from);

struct fake_name *fake_names_find(const struct fake_names *names,
                                  const char *path); /* NULL when there is none */
void fake_names_remove(struct fake_names *names, const char *path);
void fake_names_link(struct fake_names *names, const char *path, struct fake_node *node); /* replaces */
bool fake_names_rename(struct fake_names *names, const char *from, const char *to);       /* replaces */
void fake_names_release(struct fake_names *names);
/* Whether `path` is directly in `folder`. */
bool fake_lies_in(const char *path, const char *folder);

uint64_t fake_draw(uint64_t *state); /* the next random number */
struct fake_node *fake_node_make(struct fake_disk *f, bool folder);
struct fake_change *fake_change_add(struct fake_disk *f, enum fake_change_kind kind);
/* Settles the changes of a node, or of the names in a folder: made durable, or dropped after a failed
 * sync. */
void fake_flush(struct fake_disk *f, const struct fake_node *node, const char *folder, bool durable);
/* Reads clean pages from the device again; dirty ones stay. */
void fake_reload(struct fake_disk *f, struct fake_node *node);
void fake_drop_changes(struct fake_disk *f);

#endif
