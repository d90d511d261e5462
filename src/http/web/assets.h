/* SPDX-License-Identifier: Apache-2.0 */
/* assets.h — the files for browsers that are built into the program: pages, modules, styles, license notices.
 *
 * web/tools/table.js makes the table from web/, clients/js and npm packages, and decides which file is served where.
 * Modules and styles are below /assets/{build}/, where {build} is a hash of everything in the table, so that a file
 * with such a name never changes.
 */
#ifndef HTTP_ASSETS_H
#define HTTP_ASSETS_H

#include <stddef.h>

#include "core/types.h"

enum asset_cache {
    ASSET_IMMUTABLE,   /* cached without limit */
    ASSET_REVALIDATED, /* cached, and revalidated each time */
    ASSET_BRIEF,       /* 300 s: other sites link to it by a fixed name */
};

struct asset {
    const char *path, *type;
    const char *etag; /* with its quotes */
    enum asset_cache cache;
    size_t plain_size, gzip_size;
    const char *plain, *gzip;
};

extern const struct asset assets[]; /* in the order of their paths */
extern const unsigned assets_count;

/* NULL: no such file. */
const struct asset *asset_find(struct text path);

#endif
