/* SPDX-License-Identifier: Apache-2.0 */
/* room_sign.h — the sign over the door of each waiting room: how far it is, the same for all who look.
 *
 * Millions ask for it, every second or so. It is therefore painted at most a few times a second, when
 * somebody asks, and handed out as it is: header lines and body, ready to be copied. While a newer one waits
 * for the disk the older one is shown, so a look at it does not wait behind everybody's joins.
 *
 * A bounded table, one place for an event; two that share a place paint it in turn, and are right all the
 * same.
 */
#ifndef HTTP_ROOM_SIGN_H
#define HTTP_ROOM_SIGN_H

#include "base/hash.h"
#include "core/types.h"

struct request;
struct server;
struct room_sign;
struct room_view;

#define ROOM_SIGNS 1024
#define ROOM_SIGN_FRESH_MS 200 /* so long it is not painted again */
#define ROOM_SIGN_OLD_MS 1000  /* and so long it may be shown */

struct room_signs {
    struct hash_key key;
    struct room_sign *signs[ROOM_SIGNS];
};

void room_signs_init(struct room_signs *signs);
void room_signs_release(struct room_signs *signs);
/* Replies with the sign of the event that the path names, or that there is no such event or room. */
void room_sign_reply(struct request *r);
/* The waiting room of the event that the path names. False: there is none, and that is replied. */
bool room_sign_look(struct request *r, struct room_view *room);
/* The event's settings have changed: whoever asks next sees them. */
void room_signs_forget(struct server *server, struct text event);

#endif
