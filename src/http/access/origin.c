/* SPDX-License-Identifier: Apache-2.0 */
#include "http/access/origin.h"

#include <string.h>

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"

static struct status not_an_origin(const char *text, const char *why)
{
    return status_make(STATUS_INVALID,
                       "%s is not an origin: %s; expected one such as https://shop.example, or *", text, why);
}

/* ":8080", or nothing. */
static bool is_port(const char *text)
{
    size_t digits = *text == ':' ? strspn(text + 1, DIGITS) : 0;
    return *text == '\0' || (digits >= 1 && digits <= 5 && text[1 + digits] == '\0');
}

/* Browsers omit the default port of a scheme, so an origin with it would never match. */
static bool port_is_default(const char *scheme, size_t size, const char *port)
{
    return (size == 5 && memcmp(scheme, "https", 5) == 0 && strcmp(port, ":443") == 0) ||
           (size == 4 && memcmp(scheme, "http", 4) == 0 && strcmp(port, ":80") == 0);
}

struct status origin_check(const char *text)
{
    if (strcmp(text, "*") == 0)
        return status_none();
    size_t scheme = strspn(text, LOWER DIGITS "+-.");
    if (scheme == 0 || strncmp(text + scheme, "://", 3) != 0)
        return not_an_origin(text, "it must start with a scheme in lower case");
    const char *host = text + scheme + 3;
    if (strpbrk(host, "/?#"))
        return not_an_origin(text, "it must have no path and no trailing slash");
    size_t size = *host == '[' ? strcspn(host, "]") + 1 : strspn(host, LOWER DIGITS "-._");
    if (size == 0 || size > strlen(host))
        return not_an_origin(text, "a host in lower case must follow the scheme");
    if (!is_port(host + size))
        return not_an_origin(text, "only a port may follow the host");
    if (port_is_default(text, scheme, host + size))
        return not_an_origin(text, "browsers omit the default port of the scheme");
    return status_none();
}
