/* SPDX-License-Identifier: Apache-2.0 */
#include "signature.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <string.h>

#include "stop.h"

#define SIGNED_MAX 4096

void signature_write(const char *secret, int64_t at_s, const char *body, size_t size,
                     char out[SIGNATURE_HEX_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    char text[SIGNED_MAX];
    unsigned char mac[SIGNATURE_HEX_SIZE / 2];
    unsigned mac_size = sizeof(mac);
    int begin = snprintf(text, sizeof(text), "%lld.", (long long)at_s);
    if (begin + size > sizeof(text))
        stop("an event of more than %d bytes", SIGNED_MAX);
    memcpy(text + begin, body, size);
    if (!HMAC(EVP_sha256(), secret, (int)strlen(secret), (const unsigned char *)text, (size_t)begin + size,
              mac, &mac_size))
        stop("cannot sign");
    for (size_t i = 0; i < sizeof(mac); i++) {
        out[2 * i] = digits[mac[i] >> 4];
        out[2 * i + 1] = digits[mac[i] & 15];
    }
}
