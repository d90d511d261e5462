/* SPDX-License-Identifier: Apache-2.0 */
/* gate_scripts.h — what is in Redis, and the scripts that read and write it.
 *
 *   seat:EVENT:SEAT   USER \n i NONCE   an intent: a hold of this user is on its way to the process that decides. 5 s
 *                     USER \n FENCE     a grant: the seat is held or sold, by the change with this number. 10 minutes,
 *                                       prolonged by the mirror
 *   holdfast:mirror   EPOCH:NONCE       of the process that mirrors here. 10 minutes, prolonged
 *
 * A nonce has 16 hexadecimal digits, a fence only decimal ones, and no id of a user has a line feed. Anything else in a key
 * of a seat, of any type, is garbage: it counts as stale and is overwritten.
 *
 * A key refuses a hold of another user only if it was written less than 5 s ago, which its remaining time shows: as an
 * intent, or as a grant that the asking process does not know yet. So whatever is lost, late or wrong in Redis, it refuses
 * nothing for longer than that. Fences only grow, and each script compares them: a late message cannot undo a newer one.
 */
#ifndef HTTP_GATE_SCRIPTS_H
#define HTTP_GATE_SCRIPTS_H

#define GATE_INTENT_MS 5000
#define GATE_GRANT_MS 600000
#define GATE_MARKER "holdfast:mirror"

enum gate_script {
    /* KEYS: the seats of one event. ARGV: user, nonce, the last change that the asking process has applied. Replies how many
     * stale keys it has overwritten, followed by the indexes of the keys that refuse, from 0; with any of these, nothing was
     * written. */
    GATE_TAKE,
    /* KEYS: the same. ARGV: the value. Deletes those that have it. */
    GATE_GIVE_BACK,
    /* KEYS: any seats. ARGV, two for each: the letter of its operation with a number, then its user.
     *   s FENCE   granted: written or prolonged, unless the key has a later fence
     *   e SEQ     the last claim ended: deleted if the key has an earlier fence
     *   k FENCE   granted, to a user who is not known here: left as it is if the key has this fence, until half of its time is
     *             over. Then it is written again, because the user may be another one, or erased
     * Replies the indexes of those whose user is needed. */
    GATE_MIRROR,
    GATE_SCRIPT_COUNT
};

/* In that order; NULL ends the list. */
extern const char *const gate_scripts[GATE_SCRIPT_COUNT + 1];

#endif
