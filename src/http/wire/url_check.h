/* SPDX-License-Identifier: Apache-2.0 */
/* url_check.h — whether a complete URL from outside means the same to curl and to browsers.
 *
 * For URLs that are stored and used later, so that one that can never work is refused at once.
 */
#ifndef HTTP_URL_CHECK_H
#define HTTP_URL_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#define URL_SIZE_MAX 2048 /* a longer one is refused */

/* `scheme` is the required beginning, such as "https://". Requires a host, no user name and, if there is a port, a
 * valid one. The caller checks the characters of the rest. */
bool url_check(const char *url, size_t size, const char *scheme);

#endif
