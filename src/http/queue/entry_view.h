/* SPDX-License-Identifier: Apache-2.0 */
/* entry_view.h — an entry of a waiting room as its owner sees it, or an app on the owner's behalf: with the tiers of
 * its pass and, once it is admitted, the pass itself.
 */
#ifndef HTTP_ENTRY_VIEW_H
#define HTTP_ENTRY_VIEW_H

#include "base/json/json_writer.h"
#include "core/image.h"

struct server;

void entry_view_write(struct server *server, struct json_writer *w, const struct queue_entry_image *entry);

#endif
