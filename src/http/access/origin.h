/* SPDX-License-Identifier: Apache-2.0 */
/* origin.h — the origins of pages, as browsers send them: "https://shop.example", "http://localhost:3000". */
#ifndef HTTP_ORIGIN_H
#define HTTP_ORIGIN_H

#include "base/status.h"

/* Whether the text is "*" or an Origin that a browser can send. The fault says what was expected. */
struct status origin_check(const char *text);

#endif
