/* SPDX-License-Identifier: Apache-2.0 */
/* model.h — what core should answer, computed the simplest way from the contract: arrays, no index, no
 * derived field.
 *
 * Written from API.md and DESIGN.md and not from core. Everything is recomputed by walking all reservations;
 * there is no timer, and no settling: whether a hold is over is asked of the clock each time. A plain struct,
 * so that a snapshot is an assignment.
 */
#ifndef TESTS_SIM_MODEL_H
#define TESTS_SIM_MODEL_H

#include "ask.h"
#include "core/calendar.h"

#define MODEL_RESERVATIONS 96
#define MODEL_ITEMS 14
#define MODEL_KEYS 12

struct model_seat {
    int8_t section, row, tier; /* -1: none */
    int16_t number;            /* -1: none */
    bool exists, blocked;
    uint8_t order; /* of import */
    int64_t price;
    uint64_t fence;  /* of its last claim, 0: never claimed */
    uint32_t claims; /* how many it has had */
};

struct model_event {
    bool exists;
    struct ask_settings settings;
    struct model_seat seats[ASK_SEATS];
    uint8_t seat_count;
    struct {
        bool exists;
        uint32_t capacity;
        int64_t price;
    } pools[ASK_POOLS];
};

struct model_calendar {
    bool exists;
    struct ask_settings settings;
    struct ask_calendar rules;
};

struct model_item {
    int8_t event, unit; /* as those of an ask_item */
    uint8_t kind;
    uint32_t id, quantity;
    int64_t price;
    int64_t start_ms, end_ms, until_ms; /* slot; until: with the buffer as it was */
};

struct model_reservation {
    bool used;
    uint8_t status; /* as last told; a held one past its deadline is over all the same */
    uint8_t item_count;
    bool payment_required;
    char currency;
    int8_t user, attributes, ref;
    struct id id;
    uint64_t fence;
    uint32_t version, next_item, hold_ttl_s, payment_ttl_s;
    int64_t expires_at, max_at, paid_at, confirmed_at, ended_at;
    struct model_item items[MODEL_ITEMS];
};

struct model_key {
    bool used;
    uint64_t text, body;
    struct id id;
    int64_t at;
};

struct model {
    int64_t now;
    uint64_t fence_most;
    struct model_event events[ASK_EVENTS];
    struct model_calendar calendars[ASK_CALENDARS];
    struct model_reservation reservations[MODEL_RESERVATIONS];
    struct model_key keys[MODEL_KEYS];
    bool api_keys[ASK_KEYS];
};

/* What the model expects. */
struct model_answer {
    enum outcome_code code;
    bool created, replayed;
    int reservation; /* index, or -1: none is shown */
    struct obstacle obstacles[ASK_ITEMS];
    uint32_t obstacle_count;
    uint32_t limit, have;
    uint32_t closed_item; /* CLOSED */
    char pointer[32];     /* INVALID, where slots are the reason; empty: not foretold */
};

/* Judges a request. On success the model is changed, save for what core alone can choose: which seats a
 * `best` took, and the fence. model_adopt then takes these from core's answer. */
void model_judge(struct model *m, const struct ask *a, struct model_answer *out);
/* Checks core's choice and takes it over. NULL, or a sentence saying what is wrong. exact: nothing had lapsed
 * unsettled, so that the best run is known. */
const char *model_adopt(struct model *m, const struct ask *a, const struct model_answer *answer,
                        const struct reservation_image *image, bool exact);

struct model_reservation *model_find(struct model *m, struct id id); /* or NULL */
enum reservation_status model_status(const struct model *m, const struct model_reservation *r);
/* The reservation with a live claim on the seat, or NULL. */
struct model_reservation *model_holder(struct model *m, int event, int seat);
uint32_t model_claimed(struct model *m, int event, int pool, bool sold_only);
bool model_on_sale(const struct model *m, int event, enum role role);
uint32_t model_have(struct model *m, int user, int event);
/* Confirmed, of slots alone, and all of them over: nobody can tell any more whether it was ever there. */
bool model_past(const struct model *m, const struct model_reservation *r);

/* The parts of model_judge that claim. */
void model_hold(struct model *m, const struct ask *a, struct model_answer *out);
void model_add(struct model *m, const struct ask *a, struct model_answer *out);
/* Exists, theirs; NULL with out->code set otherwise. */
struct model_reservation *model_owned(struct model *m, const struct ask *a, struct model_answer *out);
/* Held, in time and not being paid for. */
bool model_changeable(struct model *m, struct model_reservation *r, struct model_answer *out);

/* ---- calendars: model_calendar.c ---- */
/* The live claims on one calendar, and those that the request being judged would get. */
struct model_claims {
    struct {
        int64_t start_ms, until_ms;
        bool sold;
    } list[MODEL_RESERVATIONS * MODEL_ITEMS];
    uint32_t count;
};
/* All but that of the item `but`, which may be NULL. */
void model_claims_gather(struct model *m, int calendar, const struct model_item *but,
                         struct model_claims *out);
void model_claims_add(struct model_claims *c, int64_t start_ms, int64_t until_ms);
/* The greatest number that overlap at one instant of [from, until). */
uint32_t model_claims_most(const struct model_claims *c, int64_t from_ms, int64_t until_ms, bool sold_only);
/* OK, or TAKEN with the status of the obstacle. */
enum outcome_code model_claims_judge(const struct model *m, int calendar, const struct model_claims *c,
                                     int64_t start_ms, int64_t until_ms, struct obstacle *o);

const struct ask_service *model_service(const struct model *m, int calendar, int service); /* or NULL */
/* The end of what is asked for, where it has a service that there is. */
int64_t model_slot_end(const struct model *m, const struct ask_item *item);
int64_t model_slot_until(const struct model *m, int calendar, int64_t end_ms);
/* Whether it can be asked for at all; before anything is looked up, and after. */
enum outcome_code model_slot_instants(const struct model *m, const struct ask_item *item, uint32_t index,
                                      struct model_answer *out);
enum outcome_code model_slot_exists(const struct model *m, const struct ask_item *item, uint32_t index,
                                    struct model_answer *out);
bool model_open(const struct model *m, int calendar, int64_t start_ms, int64_t end_ms);
struct model_item model_slot_item(const struct model *m, const struct ask_item *item, uint32_t id);

void model_calendar_put(struct model *m, const struct ask *a, struct model_answer *out);
/* Whether the item may be moved in time; then start, end and until are those that it gets. */
enum outcome_code model_slot_move(struct model *m, const struct ask *a, const struct model_reservation *r,
                                  const struct model_item *item, struct model_item *moved, struct model_answer *out);
/* All slots that can be claimed; returns how many there are. */
uint32_t model_slots(struct model *m, int calendar, const struct slots_query *q, struct slot *out,
                     uint32_t most);

/* ---- best ---- */
/* usable[seat]: may be taken; open[seat]: free for anybody, whatever the tier. */
struct model_best {
    bool usable[ASK_SEATS], open[ASK_SEATS];
    uint32_t count; /* usable ones */
};
void model_best_look(struct model *m, const struct ask_item *item, const bool taken[ASK_EVENTS][ASK_SEATS],
                     struct model_best *out);
/* The longest run there is. */
uint32_t model_best_longest(struct model *m, int event, const struct model_best *b);
/* The best run of `size` neighbours, into picked; false: none. */
bool model_best_run(struct model *m, int event, const struct model_best *b, uint32_t size, int *picked);
bool model_beside(const struct model_event *e, int left, int right);

#endif
