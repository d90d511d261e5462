/* SPDX-License-Identifier: Apache-2.0 */
#include "core/image.h"

#include "base/assertion.h"
#include "base/crypto/hash.h"

int64_t reservation_image_total(const struct reservation_image *r)
{
    int64_t total = 0;
    for (uint32_t i = 0; i < r->item_count; i++)
        if (__builtin_add_overflow(total, r->items[i].price, &total))
            return INT64_MAX; /* a reservation older than TOTAL_MAX */
    return total;
}

int64_t reservation_image_kept(const struct reservation_image *r)
{
    int64_t kept = 0;
    for (uint32_t i = 0; i < r->payment_count; i++)
        if (memcmp(r->payments[i].currency, r->currency, 3) == 0)
            kept += r->payments[i].kept;
    return kept;
}

int64_t reservation_image_balance(const struct reservation_image *r)
{
    int64_t missing = reservation_image_total(r) - reservation_image_kept(r);
    return r->status == RESERVATION_CONFIRMED && missing > 0 ? missing : 0;
}

/* 31 symbols, 31^6 = PNR_MODULUS. Multiplying by a number coprime to the modulus spreads neighbours apart and stays
 * one to one. A PNR is a reference to read out on the phone, not a secret. */
static const char pnr_symbols[] = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
#define PNR_SPREAD 514229057ULL
#define PNR_UNSPREAD 237588578ULL

void pnr_write(uint64_t number, char out[PNR_SIZE])
{
    uint64_t v = number % PNR_MODULUS * PNR_SPREAD % PNR_MODULUS;
    for (int i = PNR_SIZE - 1; i >= 0; i--) {
        out[i] = pnr_symbols[v % 31];
        v /= 31;
    }
}

bool pnr_read(struct text pnr, uint64_t *number_modulo)
{
    if (pnr.size != PNR_SIZE)
        return false;
    uint64_t v = 0;
    for (int i = 0; i < PNR_SIZE; i++) {
        char c = pnr.at[i];
        if (c >= 'a' && c <= 'z')
            c = (char)(c - 'a' + 'A');
        const char *symbol = c ? strchr(pnr_symbols, c) : NULL;
        if (!symbol)
            return false;
        v = v * 31 + (uint64_t)(symbol - pnr_symbols);
    }
    *number_modulo = v * PNR_UNSPREAD % PNR_MODULUS;
    return true;
}

/* SipHash with the reservation's secret key, so that one code reveals nothing about the next. 100 bits. */
void ticket_code_write(const uint64_t ticket_key[2], uint32_t item_id, uint32_t unit,
                       char out[TICKET_CODE_SIZE])
{
    struct hash_key key = {ticket_key[0], ticket_key[1]};
    uint32_t message[3] = {item_id, unit, 0};
    uint64_t high = hash_sip(key, message, sizeof(message));
    message[2] = 1;
    uint64_t low = hash_sip(key, message, sizeof(message));
    id_base32(high, out, TICKET_CODE_SIZE / 2);
    id_base32(low, out + TICKET_CODE_SIZE / 2, TICKET_CODE_SIZE / 2);
}

bool ticket_code_read(struct text code, uint64_t out[2])
{
    const size_t half = TICKET_CODE_SIZE / 2;
    return code.size == TICKET_CODE_SIZE && id_base32_read(code.at, half, &out[0]) &&
           id_base32_read(code.at + half, half, &out[1]);
}

void ticket_code_halves(const uint64_t halves[2], char out[TICKET_CODE_SIZE])
{
    for (int i = 0; i < 2; i++)
        id_base32(halves[i], out + i * (TICKET_CODE_SIZE / 2), TICKET_CODE_SIZE / 2);
}
