/* SPDX-License-Identifier: Apache-2.0 */
/* reservation_fixture.h — a reservation to encode: tests compare it byte by byte, and bench/encode measures it. */
#ifndef TESTS_LIB_RESERVATION_FIXTURE_H
#define TESTS_LIB_RESERVATION_FIXTURE_H

#include "core/image.h"

#define FIXTURE_NOW_MS 1796299200000 /* 2026-12-03T12:00:00Z */

/* A seat, two units of a pool, a slot with a service. */
extern const struct item_image fixture_items[3];

struct reservation_image fixture_held(const struct item_image *items, uint32_t count);

#endif
