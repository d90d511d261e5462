/* SPDX-License-Identifier: Apache-2.0 */
#include "view_loop.h"

struct view *view;
uint64_t view_answers_max;

static void open_view(void)
{
    view = view_open(store, view_answers_max);
}

/* A test that uses `view` links this file from the archive, and every store it opens has a view. */
__attribute__((constructor)) static void open_view_with_store(void)
{
    store_opened = open_view;
}
