/* SPDX-License-Identifier: Apache-2.0 */
/* condition.h — whether new claims are accepted, and if not, why. In a header of its own, for callers that must not see
 * core's state. */
#ifndef ENGINE_CONDITION_H
#define ENGINE_CONDITION_H

enum engine_condition {
    ENGINE_READY,
    ENGINE_AWAY,  /* the log is on another machine, which does not answer */
    ENGINE_FULL,  /* the log has no room: the rest is reserved for commits and releases */
    ENGINE_BEHIND /* the book is too far behind the log */
};

#endif
