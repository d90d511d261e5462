/* SPDX-License-Identifier: Apache-2.0 */
/* script.h — runs the rules of core as written in tests/script/, one claim per file.
 *
 *   # A hold committed at its deadline is too late, whether or not the timer has run.
 *   at 0ms   event E seats A1,A2
 *   at 0ms   hold R1 by ann on E/A1,E/A2 ttl 10s      -> held
 *   at 10s   commit R1 by ann                         -> expired
 *
 * The verbs and expectations are listed in tests/script/README.md.
 */
#ifndef TESTS_LIB_SCRIPT_H
#define TESTS_LIB_SCRIPT_H

#include "script_line.h"
#include "world.h"

enum script_mode {
    SCRIPT_PLAIN,
    SCRIPT_RESTART,  /* from the journal, after every line */
    SCRIPT_BOOK,     /* from the book and the journal's last third, after every line */
    SCRIPT_FORGET,   /* everything that can be forgotten is, after every line */
    SCRIPT_FOLLOWED,  /* a copy is fed with the changes of each step, and compared: see follower.h */
    SCRIPT_LATE,      /* the same, by batches of three lines; it forgets all it may, and its clock is ahead */
    SCRIPT_TAKE_OVER, /* the copy takes over after every line */
    SCRIPT_MODES
};

struct script_name {
    char name[32];
    struct id id;
    uint64_t fence;         /* last seen */
    uint64_t ticket_key[2]; /* last seen */
    uint64_t old_key[2];    /* and the previous one */
    char event[32];         /* of an entry in line: its event */
};

#define SCRIPT_DEAD_MAX 64

struct script {
    struct world world;
    enum script_mode mode;
    struct script_line line;
    struct script_name names[128];
    int name_count;
    uint64_t seen_version;
    int64_t tally;                             /* the count that tick, admit and forget return */
    struct buf answers;                        /* one line each */
    struct hook_message dead[SCRIPT_DEAD_MAX]; /* for resend */
    uint32_t dead_count;
    char fault[1024];
};

#define SCRIPT_FAULT_SIZE 1024

/* Runs a script. `answers` gets the answer to every line, the same in every mode. False: fault says where and why. */
bool script_run(const char *path, enum script_mode mode, struct buf *answers, char fault[SCRIPT_FAULT_SIZE]);

/* The bytes it leaves in the journal, all changes in order. */
struct script_journal {
    uint64_t changes, size;
    uint32_t crc;
};
bool script_journal(const char *path, struct script_journal *out, char fault[SCRIPT_FAULT_SIZE]);

/* ---- For the parts of the runner ---- */
__attribute__((format(printf, 2, 3))) void script_wrong(struct script *s, const char *format, ...);
struct script_name *script_name(struct script *s, const char *name); /* finds or makes */
/* The image of a reservation, from memory or else from the book. */
bool script_image(struct script *s, struct id id, struct reservation_image *out, struct item_image *items);
bool script_verb(struct script *s, struct outcome *out); /* false: no such verb */
void script_see(struct script *s);                       /* the verb see */
void script_answer(struct script *s, const struct outcome *out);
void script_outcome_check(struct script *s, const struct outcome *out);
void script_expect(struct script *s); /* the verb expect */
/* From the options of the line, otherwise this TTL and maximum. */
struct terms script_terms(const struct script_line *l, uint32_t ttl_s, uint32_t max_s);
/* A word "name=value" of the line itself must have this value. */
void script_must_be(struct script *s, const char *name, uint64_t is);
void script_item(struct buf *out,
                 const struct item_image *item); /* "E/A1", "E/floor*2", "C@1h..2h", "C@1h..2h/cut" */

uint32_t script_item_id(struct script *s, struct id id, const char *word); /* by id, or by its resource */
struct command script_command(struct script *s, enum command_kind kind);   /* with actor, user and name */
/* With the flag `readonly` the log has no room for now: nothing may be recorded. */
void script_submit(struct script *s, const struct command *c, struct outcome *out);
void script_idempotency(const struct script_line *l, struct command *c); /* from the options key and body */
void script_expect_number(struct script *s, const char *name, int64_t is);

/* ---- script_queue.c ---- */
void script_queue_settings(const struct script_line *l, struct command *c); /* of the verb event */
bool script_queue_verb(struct script *s, struct outcome *out); /* join, ask, leave, queue; false: another */
bool script_queue_query(struct script *s);             /* admit, stands, queue, stream; false: another */
void script_pass(struct script *s, struct command *c); /* the option pass */
void script_entry_write(struct buf *out, const struct queue_entry_image *q);
void script_entry_check(struct script *s, const struct queue_entry_image *q);

/* Parses "E/A1,E/floor*2,E/best*4:section=B,C@1h..2h" into requests that point into copy; returns how many. */
uint32_t script_items(char *copy, struct item_request items[ITEMS_MAX + 10]);

/* ---- script_list.c ---- */
void script_list_settings(const struct script_line *l, struct command *c); /* of the verb event */
bool script_list_verb(struct script *s, struct outcome *out); /* enlist, listed, unlist; false: another */
bool script_list_query(struct script *s);                     /* offer, list, serve; false: another */
void script_list_write(struct buf *out, const struct list_entry_image *entry);
void script_list_check(struct script *s, const struct list_entry_image *entry);

/* ---- script_door.c ---- */
bool script_door_verb(struct script *s, struct outcome *out); /* scan, unscan, ticket; false: another */
void script_ticket_write(struct buf *out, const struct check_in_image *ticket);
void script_ticket_check(struct script *s, const struct check_in_image *ticket);
uint32_t script_item_id(struct script *s, struct id id, const char *word); /* by id, or by its resource */

/* ---- script_patch.c ---- */
/* An event, or else a calendar: the options of the line. */
void script_patch(struct script *s, struct outcome *out);
/* ---- script_code.c ---- */
bool script_code_verb(struct script *s, struct outcome *out); /* codes, uncode; false: another */
bool script_code_query(struct script *s);                     /* code; false: another */

/* ---- script_group.c ---- */
bool script_group_verb(struct script *s, struct outcome *out); /* group, ungroup; false: another */
/* The page for the verb slots of a group; *slots is valid until the next call. */
struct slots_page script_group_slots(struct script *s, const struct group *g, const struct slots_query *query,
                                     struct slot **slots);
/* ---- script_money.c ---- */
bool script_money_verb(struct script *s, struct outcome *out); /* refund, cancel, tells, …; false: another */
bool script_money_query(struct script *s);                     /* owed, ledger, undo; false: another */
struct money script_amount(const struct script *s);            /* options amount N, currency C */
void script_money_write(struct buf *out, const struct outcome *o);
void script_money_check(struct script *s, const struct outcome *o); /* due=yes, due=none */
/* ---- script_hook.c ---- */
bool script_hook_verb(struct script *s, struct outcome *out); /* hook, unhook; false: another */
bool script_hook_query(
    struct script *s); /* take, deliver, fail, gone, resend, secrets, hooked, warn; false: another */

/* ---- script_refusal.c ---- */
bool script_refusal_query(struct script *s); /* refused; false: another */

/* ---- script_person.c ---- */
bool script_person_verb(struct script *s, struct outcome *out); /* erase; false: another */
bool script_person_query(struct script *s);                     /* segment; false: another */

/* ---- script_dispatch.c ---- */
/* fleet, unfleet, driver, undriver, seen, asked, positions, ride, trip, unride, complete, driveoff, accept, decline;
 * false: another */
bool script_dispatch_verb(struct script *s, struct outcome *out);
bool script_dispatch_query(struct script *s); /* dispatch, city; false: another */
void script_dispatch_write(struct buf *out, const struct outcome *o);
void script_dispatch_check(struct script *s, const struct outcome *o);
const char *script_dispatch_status(const struct outcome *o); /* of the record shown; NULL: none */

/* ---- script_calendar.c ---- */
void script_calendar(struct script *s, struct outcome *out); /* the verb calendar */
void script_slots(struct script *s);                         /* the verb slots */
void script_expect_slot(struct script *s);                   /* expect C@1h..2h */
bool script_slot_request(
    char *word, struct item_request *out); /* "C@1h..2h", "C@1h/cut", "G#4@1h..2h"; false: not a slot */
bool script_interval(char *word, int64_t *start_ms,
                     int64_t *end_ms); /* "1h..2h"; false: "1h", without an end */

#endif
