/* SPDX-License-Identifier: Apache-2.0 */
#include "http/wire/url_check.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "core/hook/hook.h"
#include "core/limits.h"

_Static_assert(HOOK_URL_SIZE_MAX <= URL_SIZE_MAX && IMAGE_SIZE_MAX <= URL_SIZE_MAX,
               "every URL that a field allows can be checked");

/* Whether curl could connect to it. */
static bool curl_can_use(const char *url, size_t size)
{
    char *port = NULL;
    if (size > URL_SIZE_MAX)
        return false;
    CURLU *parsed = curl_url();
    if (!parsed)
        memory_exhausted();
    char *text = memory_copy(url, size);
    CURLUcode read = curl_url_set(parsed, CURLUPART_URL, text, CURLU_DISALLOW_USER);
    bool usable = read == CURLUE_OK;
    if (usable)
        read = curl_url_get(parsed, CURLUPART_PORT, &port, 0);
    if (read == CURLUE_OUT_OF_MEMORY)
        memory_exhausted();
    if (port && strcmp(port, "0") == 0) /* it parses, but nothing can listen there */
        usable = false;
    curl_free(port);
    free(text);
    curl_url_cleanup(parsed);
    return usable;
}

bool url_check(const char *url, size_t size, const char *scheme)
{
    size_t host = strlen(scheme), end = host;
    if (size <= host || memcmp(url, scheme, host) != 0 || memchr(url, '\0', size))
        return false;
    while (end < size && !strchr("/?#", url[end]))
        end++;
    if (end == host || url[host] == ':' || memchr(url + host, '@', end - host))
        return false;
    return curl_can_use(url, size);
}
