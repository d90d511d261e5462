/* SPDX-License-Identifier: Apache-2.0 */
/* origin.h — the origins of pages, as browsers send them: "https://shop.example", "http://localhost:3000". */
#ifndef HTTP_ORIGIN_H
#define HTTP_ORIGIN_H

#include "base/status.h"

/* Whether a browser can ever send this text as an Origin, or it is "*". The fault says what was expected. */
struct status origin_check(const char *text);

#endif
