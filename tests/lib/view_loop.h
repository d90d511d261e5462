/* SPDX-License-Identifier: Apache-2.0 */
/* view_loop.h — a store with its view: store_loop.h for the layers from view on. */
#ifndef TESTS_LIB_VIEW_LOOP_H
#define TESTS_LIB_VIEW_LOOP_H

#include "store_loop.h"
#include "view/answers.h"

extern struct view *view;         /* of the store opened by store_try, and closed with it */
extern uint64_t view_answers_max; /* 0: the default */

#endif
