/* SPDX-License-Identifier: Apache-2.0 */
/* translate.h — the simulator's small numbers as core's texts, and back. */
#ifndef TESTS_SIM_TRANSLATE_H
#define TESTS_SIM_TRANSLATE_H

#include "ask.h"

/* Everything the command points to is here. */
struct translation {
    struct command command;
    struct item_request items[ASK_ITEMS];
    struct text ids[ASK_SEATS];
    struct service_image services[ASK_SERVICES];
    struct group_member members[ASK_CALENDARS + 1];
    struct text tiers[ASK_TIERS];
    char categories[64], prices[256]; /* JSON */
    struct code_image codes[ASK_CODES];
    struct text code_tiers[ASK_CODES][ASK_TIERS];
    char number[16]; /* an event of the provider, a nonce */
    char once[16];   /* its `once` key */
    char ticket[TICKET_CODE_SIZE];
};

/* For SEATS_PUBLISH only kind, event and actor are set: an import needs more than one command. */
void translate(const struct ask *a, struct translation *out);
/* The part about the catalogue: translate_catalogue.c. */
void translate_catalogue(const struct ask *a, struct translation *out);
/* The part about money and tickets: translate_money.c. */
void translate_money(const struct ask *a, struct translation *out);
/* For a command that is a PUT so far: translate_patch.c. */
void translate_event_patch(const struct ask *a, struct translation *out);
void translate_calendar_patch(const struct ask *a, struct translation *out);
void translate_seats(const struct ask *a, struct buf *rows);

struct text translate_event(int event);
struct text translate_seat(int seat);
struct text translate_pool(int pool);
struct text translate_calendar(int calendar);
struct text translate_group(int group);     /* from 1; none for 0 */
struct text translate_service(int service); /* none for -1 */
struct zone *translate_zone(void);          /* for every calendar; the caller does not own it */
struct text translate_user(int user);
struct text translate_tier(int tier);                      /* none for -1 */
uint32_t translate_tiers(uint8_t tiers, struct text *out); /* returns how many */
struct text translate_section(int section);                /* the same */
struct text translate_code(int code, bool loud);           /* none for 0 */
struct text translate_category(int category);              /* the same */
struct text translate_allotment(int allotment);            /* the same */
struct text translate_api_key(int key);
void translate_value(uint32_t value, uint8_t hash[32]); /* of a key */
void translate_seed(uint64_t secret, uint8_t seed[32]);
struct text translate_attributes(int attributes); /* {} for 0 */
struct text translate_ref(int ref);               /* none for 0 */
struct text translate_gate(int gate);             /* the same */
struct text translate_reason(int reason);         /* the same: the reason of a cancellation */
struct money translate_amount(const struct ask_amount *amount);
void translate_currency(char letter, char currency[4]);

#endif
