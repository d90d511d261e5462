/* SPDX-License-Identifier: Apache-2.0 */
/* point_body.h — coordinates in bodies of dispatch: degrees in, cells and 1e-7 degrees out.
 *
 * The cell is computed from the number as received, before rounding.
 */
#ifndef HTTP_POINT_BODY_H
#define HTTP_POINT_BODY_H

#include "base/json/json_reader.h"
#include "core/dispatch/dispatch_image.h"
#include "http/describe/about.h"
#include "http/wire/request.h"

/* Rows of a json_field table: both are required. */
/* clang-format off */
#define FIELD_POINT(type) \
    JSON_NUMBER(type, lat, -90, 90, JSON_REQUIRED, .about = ABOUT_LAT), \
    JSON_NUMBER(type, lng, -180, 180, JSON_REQUIRED, .about = ABOUT_LNG)
/* clang-format on */

struct geo_point point_rounded(struct json_number_value lat, struct json_number_value lng);

/* The resolution of a fleet; -1: no such fleet, which core will refuse. */
int point_resolution(struct request *r, struct text fleet);
/* The cell of that resolution; none for -1. */
uint64_t point_cell(struct json_number_value lat, struct json_number_value lng, int resolution);

#endif
