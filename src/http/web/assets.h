/* SPDX-License-Identifier: Apache-2.0 */
/* assets.h — the files for browsers that are built into the program: pages, modules, styles, notices.
 *
 * web/tools/table.js makes the table from web/, clients/js and the packages of npm, and says which file is served
 * where. Modules and styles are below /assets/{build}/, and {build} is a hash of everything in the table, so that a
 * file of that name never changes.
 */
#ifndef HTTP_ASSETS_H
#define HTTP_ASSETS_H

#include <stddef.h>

#include "core/types.h"

enum asset_cache {
    ASSET_IMMUTABLE,   /* as long as anybody likes */
    ASSET_REVALIDATED, /* kept, and asked about each time */
    ASSET_BRIEF,       /* 300 s: others link to it by a name that stays */
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

/* NULL: there is none. */
const struct asset *asset_find(struct text path);

#endif
