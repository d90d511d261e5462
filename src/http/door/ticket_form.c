/* SPDX-License-Identifier: Apache-2.0 */
#include "http/door/ticket_form.h"

#include <string.h>

#include "base/assertion.h"
#include "base/crypto/base64.h"

#define PREFIX_SIZE (sizeof(TICKET_FORM_PREFIX) - 1)
#define AT_REISSUE 8
#define AT_CODE 16
#define AT_UNIT (AT_CODE + TICKET_CODE_SIZE)
#define AT_KIND (AT_UNIT + 2)
#define AT_IDS (AT_KIND + 1)
#define PAYLOAD_SIZE_MAX (AT_IDS + 2 * (1 + ID_SIZE_MAX))
_Static_assert(AT_IDS == 39, "scanners rely on these bytes: a change needs another prefix");

static void put_number(uint8_t *out, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        out[i] = (uint8_t)(value >> 8 * (size - 1 - i));
}

static uint64_t get_number(const uint8_t *in, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value = value << 8 | in[i];
    return value;
}

static size_t put_id(uint8_t *out, struct text id)
{
    ASSERT(id.size <= ID_SIZE_MAX);
    out[0] = (uint8_t)id.size;
    if (id.size)
        memcpy(out + 1, id.at, id.size);
    return 1 + id.size;
}

size_t ticket_form_write(const struct ticket_keys *keys, const struct check_in_image *ticket,
                         char out[TICKET_FORM_SIZE_MAX])
{
    uint8_t payload[PAYLOAD_SIZE_MAX], signature[ED25519_SIGNATURE_SIZE];
    ASSERT(keys->count && ticket->code.size == TICKET_CODE_SIZE && ticket->unit <= UINT16_MAX);
    memcpy(payload, keys->keys[0].id, TICKET_KEY_ID_SIZE);
    put_number(payload + AT_REISSUE, ticket->reissue, 8);
    memcpy(payload + AT_CODE, ticket->code.at, TICKET_CODE_SIZE);
    put_number(payload + AT_UNIT, ticket->unit, 2);
    payload[AT_KIND] = (uint8_t)ticket->kind;
    size_t used = AT_IDS;
    used += put_id(payload + used, ticket->resource_id);
    used += put_id(payload + used, ticket->part_id);
    memcpy(out, TICKET_FORM_PREFIX, PREFIX_SIZE);
    size_t size = PREFIX_SIZE + base64url_write(payload, used, out + PREFIX_SIZE);
    ed25519_sign(keys->keys[0].seed, out, size, signature);
    out[size++] = '.';
    size += base64url_write(signature, sizeof(signature), out + size);
    ASSERT(size <= TICKET_FORM_SIZE_MAX);
    return size;
}

bool ticket_form_is(struct text text)
{
    return text.size >= PREFIX_SIZE && memcmp(text.at, TICKET_FORM_PREFIX, PREFIX_SIZE) == 0;
}

/* Whether the two ids fill the rest of the payload exactly. */
static bool ids_fit(const uint8_t *payload, size_t size)
{
    size_t at = AT_IDS;
    for (int i = 0; i < 2; i++) {
        if (at >= size || payload[at] > ID_SIZE_MAX)
            return false;
        at += 1u + payload[at];
    }
    return at == size;
}

bool ticket_form_read(const struct ticket_keys *keys, struct text text, char code[TICKET_CODE_SIZE],
                      uint64_t *reissue)
{
    uint8_t payload[TICKET_FORM_SIZE_MAX], signature[TICKET_FORM_SIZE_MAX];
    size_t size, signature_size;
    if (!ticket_form_is(text) || text.size > TICKET_FORM_SIZE_MAX)
        return false;
    const char *end = text.at + text.size, *first = text.at + PREFIX_SIZE;
    const char *dot = memchr(first, '.', (size_t)(end - first));
    if (!dot || !base64url_read(first, (size_t)(dot - first), payload, &size) ||
        !base64url_read(dot + 1, (size_t)(end - dot - 1), signature, &signature_size) ||
        signature_size != ED25519_SIGNATURE_SIZE || size < AT_IDS || !ids_fit(payload, size))
        return false;
    const struct ticket_key *key = ticket_keys_find(keys, payload);
    if (!key || !ed25519_verify(key->public, text.at, (size_t)(dot - text.at), signature))
        return false;
    memcpy(code, payload + AT_CODE, TICKET_CODE_SIZE);
    *reissue = get_number(payload + AT_REISSUE, 8);
    return true;
}
