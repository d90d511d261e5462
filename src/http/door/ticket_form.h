/* SPDX-License-Identifier: Apache-2.0 */
/* ticket_form.h — the signed form of a ticket, which a door can verify offline:
 *
 *   HF1.<base64url of the payload>.<base64url of the Ed25519 signature of all before this point>
 *
 * The payload, byte by byte; numbers are big-endian (docs/tickets.md describes it for other implementations):
 *
 *     0   8  id of the key: the first bytes of the SHA-256 of the public key
 *     8   8  reissue number
 *    16  20  code
 *    36   2  unit, from 0
 *    38   1  kind of the item: 1 seat, 2 pool, 4 slot
 *    39   1  n, 0 to 64: the size of the next
 *    40   n  id of the event; for a slot: of the calendar
 *  40+n   1  m, 0 to 64: the size of the next
 *  41+n   m  id of the seat or pool; for a slot: of the service, if any
 *
 * Pure: works on any thread. Signed forms are never stored.
 */
#ifndef HTTP_TICKET_FORM_H
#define HTTP_TICKET_FORM_H

#include "core/door/ticket.h"
#include "http/door/ticket_keys.h"

#define TICKET_FORM_SIZE_MAX 320
#define TICKET_FORM_PREFIX "HF1."

/* Signs with the first of the keys; returns the size of the text, which has no NUL. */
size_t ticket_form_write(const struct ticket_keys *keys, const struct check_in_image *ticket,
                         char out[TICKET_FORM_SIZE_MAX]);
/* Whether the text is a signed form, by its prefix, and not a code. */
bool ticket_form_is(struct text text);
/* False: malformed, or not signed by one of the keys. */
bool ticket_form_read(const struct ticket_keys *keys, struct text text, char code[TICKET_CODE_SIZE],
                      uint64_t *reissue);

#endif
