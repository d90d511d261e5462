/* SPDX-License-Identifier: Apache-2.0 */
#include "http/api/url_check.h"

#include <curl/curl.h>
#include <string.h>

/* Whether curl can make a connection of it. */
static bool curl_can_use(const char *url, size_t size)
{
    char text[URL_SIZE_MAX + 1], *port = NULL;
    CURLU *parsed = size < sizeof text ? curl_url() : NULL;
    if (!parsed) /* out of memory: it is judged when it is used */
        return size < sizeof text;
    memcpy(text, url, size);
    text[size] = '\0';
    bool sound = curl_url_set(parsed, CURLUPART_URL, text, CURLU_DISALLOW_USER) == CURLUE_OK;
    if (sound && curl_url_get(parsed, CURLUPART_PORT, &port, 0) == CURLUE_OK)
        sound = strcmp(port, "0") != 0; /* it parses, but nobody listens there */
    curl_free(port);
    curl_url_cleanup(parsed);
    return sound;
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
