/* SPDX-License-Identifier: Apache-2.0 */
/* presence.h — reports the people waiting at this node to the deciding node, which admits them.
 *
 * Presence in a waiting room is in no log. Where this process does not decide, entries with an open stream, and those whose
 * owners have polled, are collected as sets, and sent once a second to POST /internal/presence, together with the
 * counts of refused holds. Entries that could not be sent are sent later, for half a minute; counts too, unless they may
 * have arrived.
 *
 *   version (1), rows of refusals (their size, then as in refusal.h), then sets:
 *   event · 1 if they polled, 0 if they have a stream · the first number, and how much greater each next one is ... · 0
 *
 * All are varints, and the sets reach to the end.
 */
#ifndef HTTP_PRESENCE_H
#define HTTP_PRESENCE_H

#include <stdint.h>

struct presence;
struct server;

struct presence *presence_open(struct server *server);
void presence_close(struct presence *p);
/* The owner of this entry has an open stream: call it at least every fifteen seconds, on any node. */
void presence_note(struct server *server, uint64_t event, uint32_t number);
/* The owner polled this entry and was given the next poll time. Where this process decides, core has noted it. */
void presence_note_poll(struct server *server, uint64_t event, uint32_t number);
/* Call it a few times a second. */
void presence_sweep(struct presence *p);

#endif
