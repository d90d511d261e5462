/* SPDX-License-Identifier: Apache-2.0 */
/* condition.h — why new claims are refused, if they are. */
#ifndef ENGINE_CONDITION_H
#define ENGINE_CONDITION_H

enum engine_condition {
    ENGINE_READY,
    ENGINE_FULL,  /* the log has no room: what is left is for commits and releases */
    ENGINE_BEHIND /* the book lacks too much of the log */
};

#endif
