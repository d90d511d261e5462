/* SPDX-License-Identifier: Apache-2.0 */
/* url_check.h — whether a whole URL from outside means one thing, to curl and to browsers.
 *
 * For those who keep URLs that are used later, so that what can never be used is refused while its sender waits.
 */
#ifndef HTTP_URL_CHECK_H
#define HTTP_URL_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#define URL_SIZE_MAX 2048 /* a longer one is refused */

/* `scheme` is "https://" or another that the URL must begin with. A host and no user name; a port, if there is one, that
 * somebody can listen on. Which characters the rest may have is the caller's business. */
bool url_check(const char *url, size_t size, const char *scheme);

#endif
