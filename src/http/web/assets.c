/* SPDX-License-Identifier: Apache-2.0 */
#include "http/web/assets.h"

#include <string.h>

const struct asset assets[] = {
#include "assets.inc"
};
const unsigned assets_count = sizeof assets / sizeof *assets;

static int path_compare(struct text a, const char *b)
{
    size_t size = strlen(b);
    int order = memcmp(a.at, b, a.size < size ? a.size : size);
    return order ? order : (a.size > size) - (a.size < size);
}

const struct asset *asset_find(struct text path)
{
    unsigned low = 0, high = assets_count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        int order = path_compare(path, assets[middle].path);
        if (order == 0)
            return &assets[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
