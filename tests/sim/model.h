/* SPDX-License-Identifier: Apache-2.0 */
/* model.h — the expected answers of core, computed in the simplest way from the contract: arrays, no index, no derived
 * field.
 *
 * Written from the contract (docs/api.md, waiting-room.md, payments.md, privacy.md) and not from core. Everything is
 * recomputed by walking all reservations; there is no timer, and no settling: the clock decides each time whether a
 * hold is over. A plain struct, so that a snapshot is an assignment.
 *
 * Waiting rooms and waiting lists advance without requests: people are admitted, passed over, made offers. Core chooses
 * when to check the clock for that. So the model follows core's changes one by one, checks each against the contract at
 * that moment, and at the end of a step checks that nothing was left undone.
 */
#ifndef TESTS_SIM_MODEL_H
#define TESTS_SIM_MODEL_H

#include "ask.h"
#include "core/calendar/calendar.h"
#include "model_cancelled.h"
#include "model_door.h"
#include "model_hook.h"
#include "model_money.h"
#include "model_person.h"

#define MODEL_RESERVATIONS 96
#define MODEL_ITEMS 14
#define MODEL_KEYS 12
#define MODEL_QUEUE 60 /* entries of one waiting room, ever */
#define MODEL_LIST 60  /* entries of one waiting list, ever */
#define MODEL_GONE 32  /* more than the number of a calendar: it was removed, and the name can mean another */
#define MODEL_GRACE_MS                                                                                       \
    (2000LL * POLL_AFTER_MAX_S) /* how long all can count as present after opening and restart */
#define MODEL_WAITING 24 /* on all waiting lists together; this many reservations are kept free for offers */

struct model_seat {
    int8_t section, row, tier; /* -1: none */
    int16_t number;            /* -1: none */
    bool exists, blocked, accessible;
    uint8_t allotment; /* 0: none */
    uint16_t order;    /* of import */
    int64_t price;
    uint64_t fence;  /* of its last claim, 0: never claimed */
    uint32_t claims; /* how many it has had */
    /* For single seats: the last step in which a claim of it began or ended; as it was then. */
    uint32_t touched, claims_then;
    bool held_then;
};

/* An entry of a waiting room. */
struct model_entry {
    uint8_t status, told; /* enum queue_status; told: as last recorded */
    int8_t user;
    uint8_t tiers;    /* of its own; 0: the queue's */
    uint8_t position; /* by lot; 0: it was not drawn */
    bool returned;    /* passed over, and back */
    bool coming;      /* passed over, and its stream is open: back with the next step of admission */
    bool told_back;   /* its return is recorded */
    bool lapsed;      /* finished because its pass ended */
    struct id id;
    int64_t joined_at, until, admitted_at;
    /* Forgotten in a restart. */
    int64_t asked_at, streamed_at; /* when its owner was last heard from */
    uint8_t poll_s;                /* the last poll_after; 0: none yet */
};

struct model_queue {
    bool made; /* it exists, or did */
    bool paused;
    bool undrawn; /* it has opened, and the drawn positions are not known yet */
    uint8_t count, drawn, serving;
    uint64_t seed;
    int64_t opened_at;                       /* 0: not yet */
    struct model_entry entries[MODEL_QUEUE]; /* by arrival: number - 1 */
    /* Forgotten in a restart. The credit is in thousandths of an admission, as a lower and an upper bound, because the
     * contract does not say how a change of the rate affects the moments before it. */
    int64_t credit_least, credit_most, credit_at;
    int64_t least_from;             /* credit kept from before then is at most one admission */
    uint32_t rate_least, rate_most; /* since then */
    bool rested; /* the last step could have admitted more than there were, so no credit is saved since */
    bool fresh;  /* nobody was in line yet since the restart: until then no credit has to be earned */
    int64_t ready_at; /* since then there was an entry to admit, a place and credit; 0: not now */
};

struct model_code {
    bool made, removed; /* it existed; it is no longer valid */
    uint32_t units;
    uint8_t tiers, allotment; /* allotment: that it carries; 0: none */
};

/* An entry of a waiting list. */
struct model_list_entry {
    uint8_t status, told; /* enum list_status */
    int8_t user;
    uint8_t code; /* 0: none was needed */
    struct ask_wish wish;
    struct id id, reservation;
    int64_t joined_at, changed_at;
};

struct model_event {
    bool exists;
    struct model_cancelled cancelled;
    struct ask_settings settings;
    struct ask_queue line; /* the settings of the queue */
    struct model_queue queue;
    struct model_code codes[ASK_CODES]; /* from 1 */
    bool has_list;
    uint8_t list_count;
    struct model_list_entry list[MODEL_LIST]; /* by arrival */
    struct model_seat seats[ASK_SEATS];
    uint8_t seat_count;
    uint16_t next_order;
    struct {
        bool exists;
        uint32_t capacity;
        int64_t price;
        uint8_t prices[ASK_CATEGORIES];
        uint8_t allotment; /* 0: none */
    } pools[ASK_POOLS];
};

struct model_calendar {
    bool exists;
    struct ask_settings settings;
    struct ask_calendar rules;
    int64_t began_day; /* of sales no longer in the model, those that began on this day */
    uint32_t began;
};

struct model_group {
    bool exists, in_order;
    uint32_t count;
    int8_t members[ASK_CALENDARS];
};

struct model_item {
    int8_t event, unit; /* as those of an ask_item */
    uint8_t kind;
    bool unpaid; /* payment was not required where it was granted */
    bool gone;   /* its resource no longer exists, though the name may */
    bool chosen; /* a seat chosen by a user where single seats were refused */
    uint32_t id, quantity;
    uint64_t fence; /* of its grant, or last move */
    int64_t price;
    int64_t start_ms, end_ms, until_ms; /* slot; until: with the part of its buffer that it keeps free */
    int64_t full_ms;                    /* with all of its buffer */
    int64_t from_ms, full_from_ms;      /* the same before it */
    int8_t attributes, code, category;  /* 0: none */
    int8_t allotment;                   /* claimed from this one, or ASK_HOUSE; 0: it was on sale */
    int8_t group;                       /* of a slot: the requested group, from 1; 0: none */
};

/* The terms promised when a hold was made: later changes do not affect them. */
struct model_terms {
    bool late_refund, cancels;
    int64_t cancel_ms; /* until this long before the start */
};

struct model_reservation {
    bool used;
    uint8_t status; /* as last recorded; a held one past its deadline is still over */
    uint8_t item_count;
    bool payment_required;
    bool from_list, transferred;
    uint32_t manage_gen;
    char currency;
    int8_t user, attributes;
    int16_t ref;     /* the payment that confirmed it; 0: none did */
    uint64_t key[2]; /* of its tickets */
    struct id id;
    uint64_t fence;
    uint32_t version, next_item, hold_ttl_s, payment_ttl_s;
    int64_t user_max_at, staff_max_at; /* how far it can be extended, by its user and by app and admin */
    int64_t created_at, expires_at, max_at, paid_at, confirmed_at, ended_at;
    int64_t warned_for; /* the deadline that hooks were warned of; 0: none */
    struct model_terms events[ASK_EVENTS], calendars[ASK_CALENDARS];
    struct model_item items[MODEL_ITEMS];
    uint32_t left_since[ASK_EVENTS][ASK_SEATS]; /* it leaves this seat alone since this step; 0: no */
    int8_t moved_from;                          /* the seat given up by its last move */
};

struct model_key {
    bool used;
    uint8_t kind;         /* enum made_kind */
    int8_t event, number; /* of an entry */
    uint64_t text, body;
    struct id id; /* of a reservation */
    int64_t at;
};

struct model {
    int64_t now;
    uint32_t step;      /* the number of commands */
    bool as_told;       /* a lapsed hold counts as live until its end is recorded */
    bool restarted;     /* this is not the first process */
    int64_t first_step; /* of admission, of this process; 0: none yet */
    uint64_t fence_most;
    struct model_event events[ASK_EVENTS];
    struct model_calendar calendars[ASK_CALENDARS];
    struct model_group groups[ASK_GROUPS];
    struct model_reservation reservations[MODEL_RESERVATIONS];
    struct model_key keys[MODEL_KEYS];
    struct model_money money;
    struct model_door door;
    struct model_hook hooks[MODEL_HOOKS];
    struct model_erasing erasing;
    struct {
        bool exists;
        uint32_t value, old; /* numbers of values; old 0: none */
        int64_t old_until;
    } api_keys[ASK_KEYS];
};

/* The expected answer. */
struct model_answer {
    enum outcome_code code;
    enum outcome_code also; /* equally acceptable; OUTCOME_COUNT: none */
    const char *wrong;      /* what should have been done before, and is not recorded; NULL: nothing */
    bool created, replayed;
    bool brief;            /* the answer shows only the current owner */
    bool claims;           /* the request was, or would have been, compared with the claims of others */
    int reservation;       /* index, or -1: none is shown */
    bool seen;             /* the poll makes the entry's owner present */
    int entry_event;       /* of the entry shown */
    int entry, list_entry; /* its number; 0: none is shown */
    struct obstacle obstacles[ASK_ITEMS];
    uint32_t obstacle_count;
    uint8_t tiers[ASK_ITEMS], codes[ASK_ITEMS], categories[ASK_ITEMS]; /* those of model_wanted */
    uint8_t opened[ASK_ITEMS];                                         /* the same */
    uint32_t codes_created, codes_updated;
    uint32_t seats_changed, seats_skipped; /* SEATS_BLOCK */
    uint32_t singles[ASK_EVENTS];          /* LEAVES_SINGLE: a bit for each seat that is left alone */
    uint32_t limit, have;
    bool have_any;               /* it is not specified which of several limits is reported */
    int8_t calendars[ASK_ITEMS]; /* given by a group; -1: no group */
    uint32_t closed_item;        /* CLOSED, NOT_BOOKABLE */
    enum booking_rule rule;      /* NOT_BOOKABLE */
    struct model_scanned scanned;
    bool changes;                 /* CHECK_IN: it is recorded */
    enum cancel_rule cancel_rule; /* NOT_CANCELLABLE */
    int64_t cancel_until;
    bool cancel_gone;               /* of a removed calendar, whose settings are unknown */
    struct model_settled paid;      /* the result for the payment of the request */
    struct model_progress progress; /* EVENT_CANCEL, EVENT_CANCEL_LOOK */
    char pointer[32];               /* INVALID, if slots are the reason; empty: not predicted */
};

/* Judges a request. On success the model is changed, except for what only core can choose: the seats of a `best`, and
 * the fence. model_adopt then takes these from core's answer. */
void model_judge(struct model *m, const struct ask *a, struct model_answer *out);
/* Checks core's choice and takes it over. NULL, or a sentence saying what is wrong. exact: nothing had lapsed
 * unsettled, so the best run is known. */
const char *model_adopt(struct model *m, const struct ask *a, const struct model_answer *answer,
                        const struct reservation_image *image, bool exact);

struct model_reservation *model_find(struct model *m, struct id id); /* or NULL */
bool model_live(const struct model *m, const struct model_reservation *r);
enum reservation_status model_status(const struct model *m, const struct model_reservation *r);
/* The reservation with a live claim on the seat, or NULL. */
struct model_reservation *model_holder(struct model *m, int event, int seat);
uint32_t model_claimed(struct model *m, int event, int pool, bool sold_only);
/* From off_sale_at on, or without it from the start; and once it is cancelled. */
bool model_sale_over(const struct model *m, const struct model_event *e);
bool model_on_sale(const struct model *m, int event, enum role role);
uint32_t model_have(struct model *m, int user, int event);
/* Confirmed, with slots only, all of them over: nobody can see any more whether it existed. */
bool model_past(const struct model *m, const struct model_reservation *r);

/* True: it was a command of the catalogue. */
bool model_catalogue(struct model *m, const struct ask *a, struct model_answer *out);

/* ---- merge patches: model_patch.c ---- */
/* The equivalent PUT of the current settings. */
void model_event_merge(const struct model *m, const struct ask *a, struct ask *put);
void model_calendar_merge(const struct model *m, const struct ask *a, struct ask *put);

/* ---- what was sent before: model_key.c ---- */
/* True: it was answered before, or cannot be. */
bool model_replayed(struct model *m, const struct ask *a, struct model_answer *out);
/* The request has created this, which its key remembers. */
void model_remember(struct model *m, const struct ask *a, enum made_kind kind, int event, int number);

/* ---- claims: model_hold.c, model_adopt.c ---- */
/* The items that count: all of a hold; of an addition those it does not have yet. */
struct model_wanted {
    struct ask_item items[ASK_ITEMS];
    uint32_t index[ASK_ITEMS]; /* in the request */
    uint32_t count;
    uint32_t hold_ttl_s, max_hold_s, staff_hold_s, payment_ttl_s;
    bool payment_required;
    char currency;
    uint8_t tiers[ASK_ITEMS];      /* of a best: the only ones; 0: any */
    uint8_t categories[ASK_ITEMS]; /* 0: the event has none */
    uint8_t codes[ASK_ITEMS];      /* with which it is claimed; 0: none is needed */
    uint8_t opened[ASK_ITEMS];     /* the allotment it can claim, or ASK_HOUSE; 0: none */
    int8_t groups[ASK_ITEMS];      /* the requested group, from 1, also once it is on a calendar; 0: none */
    uint8_t members[ASK_ITEMS];    /* the members that can still give it: a bit each, in the group's order */
};
struct model_wanted model_wanted_make(const struct model *m, const struct ask *a,
                                      const struct model_reservation *r);
/* The terms of all events and calendars; refuses missing ones. */
enum outcome_code model_wanted_terms(const struct model *m, struct model_wanted *w, struct model_answer *out);
/* Creates the reservation, whose items core chooses; returns its index. */
int model_grant(struct model *m, const struct ask *a, const struct model_wanted *w, int owner);

/* ---- what calendars say to what is wanted of them: model_booking.c ---- */
/* About the item with this index, which is of an event or placed on a calendar. */
typedef enum outcome_code model_judge_one(struct model *m, const struct ask *a, struct model_wanted *w,
                                          uint32_t index, int owner, struct model_answer *out);
/* The same for all; for a group, whether any member that can still give it does not refuse. */
enum outcome_code model_wanted_each(struct model *m, const struct ask *a, struct model_wanted *w, int owner,
                                    struct model_answer *out, model_judge_one *judge);
model_judge_one model_judge_ttl, model_judge_guest, model_judge_limit, model_judge_open, model_judge_rules;
/* What counts for the limit of a calendar: the user's claims there and on the others of this group, or -1. */
uint32_t model_booked_with(struct model *m, int user, int calendar, int group);
/* The next group from `after` on that has the calendar, or -1. */
int model_group_of(const struct model *m, int calendar, int after);
bool model_group_has(const struct model *m, int group, int calendar);

/* ---- groups of calendars: model_group.c ---- */
enum outcome_code model_group_exists(const struct model *m, struct model_wanted *w, uint32_t index,
                                     struct model_answer *out);
/* The longest of each time that any of them allows. */
struct ask_settings model_group_terms(const struct model *m, const struct model_wanted *w, uint32_t index);
/* The item as if it had named a member. */
void model_stand_on(const struct model *m, struct model_wanted *w, uint32_t index, int member);
/* The members that can give it, the best first; returns how many. */
uint32_t model_group_order(struct model *m, const struct model_wanted *w, uint32_t index,
                           int order[ASK_CALENDARS]);
void model_group_put(struct model *m, const struct ask *a, struct model_answer *out);
void model_group_remove(struct model *m, const struct ask *a, struct model_answer *out);
/* The model drops this sale, which counts for the day its slots began on. */
void model_group_lose(struct model *m, const struct model_reservation *r);
bool model_shares_group(const struct model *m, int calendar);

/* The parts of model_judge that claim. */
void model_hold(struct model *m, const struct ask *a, struct model_answer *out);
void model_add(struct model *m, const struct ask *a, struct model_answer *out);
/* For existing, payable items: all refusals from not_on_sale on, in the contract's order. r: the reservation they are
 * added to, or NULL. */
enum outcome_code model_wanted_judge(struct model *m, const struct ask *a, struct model_wanted *w, int owner,
                                     const struct model_reservation *r, struct model_answer *out);
/* Drop, move and the other changes of one item: model_item.c. */
void model_item_command(struct model *m, const struct ask *a, struct model_reservation *r,
                        struct model_answer *out);
void model_release(struct model *m, struct model_reservation *r, struct model_answer *out);
void model_show(struct model *m, const struct model_reservation *r, struct model_answer *out);
enum outcome_code model_ended_code(enum reservation_status status);
/* Exists and is theirs; NULL with out->code set otherwise. */
struct model_reservation *model_owned(struct model *m, const struct ask *a, struct model_answer *out);
/* Held, in time and not being paid. */
bool model_changeable(struct model *m, struct model_reservation *r, struct model_answer *out);

/* ---- single seats: model_single.c ---- */
/* Records which seats changed hands in this step. */
void model_singles_note(struct model *m);
/* OK or LEAVES_SINGLE: for several seats at once; for a sold seat that moves; for what a reservation leaves alone
 * now. */
enum outcome_code model_wanted_singles(struct model *m, const struct ask *a, const struct model_wanted *w,
                                       const struct model_reservation *r, struct model_answer *out);
enum outcome_code model_move_singles(struct model *m, const struct model_reservation *r,
                                     const struct model_item *from, int to, struct model_answer *out);
enum outcome_code model_singles(struct model *m, const struct model_reservation *r, struct model_answer *out);
/* A seat that the reservation has, or has given up, was chosen by its user: decides again what it leaves alone. */
void model_singles_decide(struct model *m, struct model_reservation *r, int event, int seat);

/* ---- transfers: model_transfer.c ---- */
void model_transfer(struct model *m, const struct ask *a, struct model_answer *out);
void model_revoke(struct model *m, struct model_reservation *r, struct model_answer *out);
/* Whether a manage token, if it is one, is for this reservation, which may be NULL. */
bool model_order_opens(const struct ask *a, const struct model_reservation *r);

/* ---- prices: model_price.c ---- */
/* The category: 0, if the event has none; -1: it does not have this one. */
int model_category(const struct ask_settings *s, int asked);
bool model_names(const struct ask_settings *s, int category);
/* Whether all names in the list are categories. */
bool model_prices_named(const struct ask_settings *s, const uint8_t list[ASK_CATEGORIES]);
/* The current price; false: not available in this category. */
bool model_tier_price(const struct model_event *e, int tier, int64_t own, int category, int64_t *price);
bool model_price(const struct model_event *e, int kind, int unit, int category, int64_t *price);
/* Finds the category of each item, and refuses items without a price there. */
enum outcome_code model_wanted_prices(const struct model *m, struct model_wanted *w,
                                      struct model_answer *out);

/* ---- who may buy: model_access.c ---- */
/* Guests, codes and their used units. The tiers of each best are also limited to those of its code. */
enum outcome_code model_wanted_access(struct model *m, const struct ask *a, struct model_wanted *w, int owner,
                                      struct model_answer *out);
/* For joining a room or a list: the code to use; 0: none is needed. */
enum outcome_code model_joiner(const struct model *m, const struct ask *a, int *code);
/* Units held and sold with it. */
uint32_t model_code_used(struct model *m, int event, int code);
bool model_code_allows(struct model *m, int event, int code, uint32_t units);
bool model_within(uint8_t tiers, int tier); /* -1: of none */
void model_codes_put(struct model *m, const struct ask *a, struct model_answer *out);
void model_code_remove(struct model *m, const struct ask *a, struct model_answer *out);

bool model_carries(const struct model_event *e, int code); /* it is valid and carries an allotment */

/* ---- allotments: model_allotment.c ---- */
/* OK, or FORBIDDEN if the caller may not name the allotment. */
enum outcome_code model_allotments_named(const struct ask *a);
/* The one that seat, pool or best is in; 0: none. */
int model_allotment_of(const struct model_event *e, const struct ask_item *item);
/* What can be claimed by naming this, or with a code that carries something. */
uint8_t model_opened_by(int named, int carried);
/* Whether `opened` allows claiming this, blocked or not, in this allotment. */
bool model_opens(uint8_t opened, bool blocked, int allotment);
/* A seat as the public sees it, and as an item that claims it names it. */
bool model_off_sale(const struct model_seat *s);
int8_t model_claimed_from(const struct model_event *e, int kind, int unit);
void model_seats_mark(struct model *m, const struct ask *a, struct model_answer *out);

/* ---- calendars: model_calendar.c, model_buffers.c ---- */
/* The live claims on one calendar, and those the current request would get. */
struct model_claims {
    struct {
        int64_t start_ms, until_ms;
        bool sold;
    } list[MODEL_RESERVATIONS * MODEL_ITEMS];
    uint32_t count;
};
/* All but that of the item `but`, which can be NULL. Those of `own` have no buffer where its item `way` is going to be;
 * both can be NULL. */
void model_claims_gather(struct model *m, int calendar, const struct model_item *but,
                         const struct model_reservation *own, const struct model_item *way,
                         struct model_claims *out);
/* The requested slot, with its buffers among the other items and those of the reservation (or NULL). */
struct model_item model_slot_among(const struct model *m, const struct model_wanted *w,
                                   const struct model_reservation *r, uint32_t index);
/* The same for one that moves away from `but`. */
void model_slot_settle(const struct model_reservation *r, const struct model_item *but,
                       struct model_item *moved);
/* The buffers of its items end where the next begins; and come back, as far as the time is free. */
void model_give_way(struct model_reservation *r);
void model_regain(struct model *m, struct model_reservation *r, int calendar);
void model_claims_add(struct model_claims *c, int64_t start_ms, int64_t until_ms);
/* The greatest number that overlap at one instant of [from, until). */
uint32_t model_claims_most(const struct model_claims *c, int64_t from_ms, int64_t until_ms, bool sold_only);
/* OK, or TAKEN with the status of the obstacle. */
enum outcome_code model_claims_judge(const struct model *m, int calendar, const struct model_claims *c,
                                     int64_t start_ms, int64_t until_ms, struct obstacle *o);

const struct ask_service *model_service(const struct model *m, int calendar, int service); /* or NULL */
/* The end of the request, if it has an existing service. */
int64_t model_slot_end(const struct model *m, const struct ask_item *item);
int64_t model_slot_until(const struct model *m, int calendar, int64_t end_ms);
/* Whether the interval is valid; before any lookup, and after. */
enum outcome_code model_slot_instants(const struct model *m, const struct ask_item *item, uint32_t index,
                                      struct model_answer *out);
enum outcome_code model_slot_exists(const struct model *m, const struct ask_item *item, uint32_t index,
                                    struct model_answer *out);
/* OK or NOT_BOOKABLE and by which rule, for a user: `from` is the item that moves, or NULL. */
enum outcome_code model_bookable(const struct model *m, int calendar, int service, int64_t start_ms,
                                 int64_t end_ms, const struct model_item *from, struct model_answer *out);
/* The allowed length of a user's claim without a service; most < least: the settings are invalid. */
void model_lengths(const struct ask_calendar *rules, int64_t *least_ms, int64_t *most_ms);
/* The user's claims on the calendar that are not over. */
uint32_t model_booked(struct model *m, int user, int calendar);
/* The first start of the grid at or after this instant, within some days. */
int64_t model_grid(const struct model *m, int calendar, int64_t at_ms);
bool model_open(const struct model *m, int calendar, int64_t start_ms, int64_t end_ms);
struct model_item model_slot_item(const struct model *m, const struct ask_item *item, uint32_t id);

void model_calendar_put(struct model *m, const struct ask *a, struct model_answer *out);
void model_calendar_remove(struct model *m, const struct ask *a, struct model_answer *out);
/* The price of a sold item at its new place, from the price of that alone; false: its user would have to pay more. */
bool model_moved_price(struct model *m, const struct ask *a, const struct model_reservation *r,
                       const struct model_item *item, int64_t *price);
/* Whether the item can be moved in time; start, end and until are then the new ones. */
enum outcome_code model_slot_move(struct model *m, const struct ask *a, const struct model_reservation *r,
                                  const struct model_item *item, struct model_item *moved,
                                  struct model_answer *out);
/* All slots that can be claimed; returns how many there are. */
uint32_t model_slots(struct model *m, int calendar, const struct slots_query *q, struct slot *out,
                     uint32_t most);

/* ---- best ---- */
/* usable[seat]: can be taken; open[seat]: free for anyone, whatever the tier. Of the usable ones at most the requested
 * numbers of accessible and other seats can be taken. */
struct model_best {
    bool usable[ASK_SEATS], open[ASK_SEATS], accessible[ASK_SEATS];
    uint32_t places, plain; /* usable ones: accessible, others */
    uint32_t want_places, want_plain;
};
/* The bounds: tiers: the only ones allowed, a bit each; 0: any. opened: only seats of this allotment, or blocked ones;
 * 0: those on sale. */
struct model_bound {
    uint8_t tiers, opened;
    int category;
};
void model_best_look(struct model *m, const struct ask_item *item, const struct model_bound *bound,
                     const bool taken[ASK_EVENTS][ASK_SEATS], struct model_best *out);
/* The longest run there is. */
uint32_t model_best_longest(struct model *m, int event, const struct model_best *b);
/* The best run of `size` neighbours, into picked; false: none. */
bool model_best_run(struct model *m, int event, const struct model_best *b, uint32_t size, int *picked);
bool model_beside(const struct model_event *e, int left, int right);
/* The seats of a seat's row, in order, and whether each is the neighbour of the one before it; returns how many. */
int model_seat_row(const struct model_event *e, int seat, int seats[ASK_SEATS], bool beside[ASK_SEATS]);

#include "model_lines.h"

#endif
