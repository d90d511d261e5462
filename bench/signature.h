/* SPDX-License-Identifier: Apache-2.0 */
/* signature.h — how Stripe signs an event: hex(hmac_sha256(secret, t + "." + body)). */
#ifndef BENCH_SIGNATURE_H
#define BENCH_SIGNATURE_H

#include <stddef.h>
#include <stdint.h>

#define SIGNATURE_HEX_SIZE 64

void signature_write(const char *secret, int64_t at_s, const char *body, size_t size,
                     char out[SIGNATURE_HEX_SIZE]);

#endif
