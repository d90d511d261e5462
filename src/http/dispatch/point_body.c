/* SPDX-License-Identifier: Apache-2.0 */
#include "http/dispatch/point_body.h"

#include <math.h>

#include "base/assertion.h"
#include "base/geo/h3.h"

struct geo_point point_rounded(struct json_number_value lat, struct json_number_value lng)
{
    struct geo_point point = {(int32_t)lrint(lat.value * 1e7), (int32_t)lrint(lng.value * 1e7)};
    ASSERT(geo_point_valid(point)); /* guaranteed by the bounds of the fields */
    return point;
}

int point_resolution(struct request *r, struct text fleet)
{
    struct fleet_view view;
    return view_fleet_find(r->view, fleet, &view) ? (int)view.image->resolution : -1;
}

uint64_t point_cell(struct json_number_value lat, struct json_number_value lng, int resolution)
{
    return resolution < 0 ? H3_NONE : h3_from_point((struct h3_point){lat.value, lng.value}, resolution);
}
