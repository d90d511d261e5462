/* SPDX-License-Identifier: Apache-2.0 */
/* script.h — runs the rules of core as they are written in tests/script/*.txt, one claim a file.
 *
 *   # A hold committed at its deadline is too late, whether or not the timer has run.
 *   at 0ms   event E seats A1,A2
 *   at 0ms   hold R1 by ann on E/A1,E/A2 ttl 10s      -> held
 *   at 10s   commit R1 by ann                         -> expired
 *
 * Verbs (an option is a word and its value, a flag a word alone; after -> stand an outcome's code, or for
 * success the reservation's status or `ok`, then what else must be so):
 *
 *   event E [seats LIST] [pools NAME:CAPACITY[:PRICE],...] [price N] [ttl T] [max T] [payttl T] [payment
 * none] [limit N] [currency C] [onsale T] [offsale T] [copy E] seats E LIST [section S] [row R] [numbers]
 * [number N] [tier T] [price N] [x N] [y N] [blocked 0|1] [accessible 0|1] pool E NAME capacity N [price N]
 * block E LIST        unblock E LIST        remove E hold R by WHO [for USER] on ITEMS [ttl T] [commit] [key
 * K] [body B] [attributes J] [ifmatch N|seen] add R by WHO [for USER] on ITEMS [key K] [body B] drop R by WHO
 * [for USER] item E/A1|N    move R by WHO [for USER] item E/A1|N to A2 extend R by WHO [ttl T]     pay R by
 * WHO [ref X]     commit R by WHO [ref X] [method M] [attributes J] release R by WHO            look R by WHO
 * attributes R by WHO set J key NAME    unkey NAME      see E/A1 (its version, for ifmatch seen) tick [most
 * N] -> N          forget [-> N]            restart expect E/A1 STATUS | E/POOL available=N [held=N] [sold=N]
 * | E seats=.. available=.. held=.. sold=.. blocked=.. expect R STATUS [...]   expect USER has E N   expect
 * forgotten R   expect remembered R
 *
 * WHO is a user, app or admin. ITEMS: E/A1, E/floor*2, E/best*4:section=S:tier=T:adjacent, separated by
 * commas. What else may stand after ->: until=T max=T version=N total=N items=E/A1;E/floor*2 created
 * unchanged changes=N replayed=STATUS fence=new|same obstacles=0:held;2:sold;3:5 have=N limit=N pointer=P
 * adjacent row=R paid=T at=T
 */
#ifndef TESTS_LIB_SCRIPT_H
#define TESTS_LIB_SCRIPT_H

#include "script_line.h"
#include "world.h"

enum script_mode {
    SCRIPT_PLAIN,
    SCRIPT_RESTART, /* from the journal, after every line */
    SCRIPT_BOOK,    /* from the book and the journal's last third, after every line */
    SCRIPT_FORGET,  /* all that may be forgotten is, after every line */
    SCRIPT_MODES
};

struct script_name {
    char name[32];
    struct id id;
    uint64_t fence; /* last seen */
};

struct script {
    struct world world;
    enum script_mode mode;
    struct script_line line;
    struct script_name names[128];
    int name_count;
    uint64_t seen_version;
    int64_t tally;      /* what tick and forget answer */
    struct buf answers; /* a line each */
    char fault[1024];
};

#define SCRIPT_FAULT_SIZE 1024

/* Runs a script. answers gets what every line was answered, the same in every mode. False: fault says where
 * and why. */
bool script_run(const char *path, enum script_mode mode, struct buf *answers, char fault[SCRIPT_FAULT_SIZE]);

/* ---- For the parts of the runner ---- */
__attribute__((format(printf, 2, 3))) void script_wrong(struct script *s, const char *format, ...);
struct script_name *script_name(struct script *s, const char *name); /* finds or makes */
/* The image of a reservation, from memory or else from the book. */
bool script_image(struct script *s, struct id id, struct reservation_image *out, struct item_image *items);
bool script_verb(struct script *s, struct outcome *out); /* false: no such verb */
void script_answer(struct script *s, const struct outcome *out);
void script_outcome_check(struct script *s, const struct outcome *out);
void script_expect(struct script *s); /* the verb expect */

#endif
