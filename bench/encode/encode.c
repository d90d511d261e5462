/* SPDX-License-Identifier: Apache-2.0 */
/* encode.c — writes one reservation as JSON CALLS times: `encode WHICH CALLS`. Run by bench/encode/run under callgrind;
 * `encode` alone lists the choices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tests/lib/reservation_fixture.h"
#include "http/record/encode.h"

#define JSON_MAX 65536

static struct reservation_image confirmed(void)
{
    struct reservation_image r = fixture_held(fixture_items, 3);
    r.status = RESERVATION_CONFIRMED;
    r.version = 2;
    r.confirmed_at_ms = FIXTURE_NOW_MS + 60000;
    r.attributes = TEXT("{\"channel\":\"web\",\"name\":\"Ann\"}");
    r.ticket_key[0] = 0x0123456789abcdef;
    r.ticket_key[1] = 0xfedcba9876543210;
    return r;
}

static bool choose(const char *which, struct reservation_image *out)
{
    if (strcmp(which, "held_seat") == 0)
        *out = fixture_held(fixture_items, 1);
    else if (strcmp(which, "held_mixed") == 0)
        *out = fixture_held(fixture_items, 3);
    else if (strcmp(which, "confirmed_mixed") == 0)
        *out = confirmed();
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    struct reservation_image image;
    if (argc != 3 || !choose(argv[1], &image)) {
        fputs("held_seat\nheld_mixed\nconfirmed_mixed\n", stdout);
        return argc == 1 ? 0 : 64;
    }
    /* Unknown to the compiler, so that it does not generate a special case. */
    const struct reservation_image *volatile shown = &image;
    struct buf out;
    buf_init(&out, JSON_MAX);
    for (long calls = strtol(argv[2], NULL, 10); calls > 0; calls--) {
        buf_clear(&out);
        struct json_writer writer = json_writer_make(&out);
        encode_reservation(&writer, ROLE_APP, shown, FIXTURE_NOW_MS); /* a role that sees everything */
    }
    printf("%.*s\n", (int)out.size, (const char *)out.data);
    buf_release(&out);
    return 0;
}
