/* SPDX-License-Identifier: Apache-2.0 */
/* engine.h — drives core: submits commands, runs timed work, and keeps the commands that cannot be answered yet.
 *
 * Has no threads, no libuv and no clock: the time is an argument of each call. The program around it (the store, the
 * script tests, the simulator) is its host: it makes changes durable, reads the book, and calls back. So tests run the
 * same code as the server. Only the thread that owns the state calls the engine.
 *
 *   engine_submit   judge → apply → answer, or keep the command: because it has more to settle (tried again in the next
 *                   slice), or needs a record that only the book has (tried again once the host has read it:
 *                   engine/fetch.h)
 *   engine_due      a slice of each kind of timed work that is due: the table in engine/due.h
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "core/claim/gate.h"
#include "core/state.h"
#include "engine/condition.h"
#include "log/log.h"

struct engine;
struct fetch;         /* engine/fetch.h */
struct kept_command;  /* the same */
struct engine_import; /* engine/import.h */

/* Whether this process decides. A follower applies what another process decided: it runs no timed work, and accepts only
 * commands that change nothing. engine_set_role writes it. */
enum engine_role { ENGINE_ALONE, ENGINE_FOLLOWER };

/* The most that one slice does. */
struct engine_limits {
    uint32_t expire; /* holds */
    uint32_t warn;   /* holds */
    uint32_t admit;  /* queue entries examined */
    uint32_t retry;  /* kept commands, which may all have waited for the same work */
    uint32_t cancel; /* sales of cancelled events: started by one slice, and in flight at a time */
    uint32_t forget; /* records */
};
extern const struct engine_limits engine_limits_default;

struct engine_host {
    void *owner;
    /* A step has appended `count` changes to engine.changes. */
    void (*appended)(void *owner, uint32_t count, int64_t at_ms);
    /* What is shown has changed: the state's touches say where. NULL: there are no views. */
    void (*touched)(void *owner);
    /* There is work to do now: call engine_due soon. */
    void (*more)(void *owner);
    /* Read the records from the book, then call engine_fetched. */
    void (*read)(void *owner, struct fetch *fetch);
    /* The changes of this step start a new segment of the log. */
    void (*begin_segment)(void *owner);
    /* The last change in the book. */
    uint64_t (*book_seq)(void *owner);
    /* A record of the book contradicts memory: to continue could sell something twice. Does not return. */
    void (*damaged)(void *owner, const char *what, struct id id);
};

/* The outcome is valid only during the call. */
typedef void (*engine_done_fn)(void *ctx, const struct outcome *outcome);

struct kept_commands {
    struct kept_command *first, *last;
};

struct engine {
    struct state *state;
    struct log *log; /* for its room, which is checked before anything is written */
    struct engine_host host;
    enum engine_role role;
    struct engine_limits limits;
    uint64_t
        log_max; /* the book may lag by this many bytes; beyond, new claims are refused until it has caught up */

    /* Set by the host: where the next step writes its changes, and the last durable change it knows of. */
    struct buf *changes;
    uint64_t durable_seq;

    struct kept_commands retries; /* commands that have more to settle */
    struct fetch *fetches;        /* reads in flight, with the commands that wait for them */
    bool keeps; /* nothing is forgotten: records were read that the next batch of a follower needs */
    struct engine_import *import; /* the import in progress: engine/import.h; NULL: none */
    uint32_t cancelling;          /* sales being undone: engine/cancelling.c */
    uint64_t cancelled_seq;       /* the last change made for one of them */
    struct outcome outcome;       /* scratch */
};

void engine_init(struct engine *e, struct state *state, struct log *log, const struct engine_host *host);

static inline bool engine_decides(const struct engine *engine)
{
    return engine->role != ENGINE_FOLLOWER;
}

/* A follower that takes over has applied everything that was decided before; all timed work is then due
 * at once, as after a restart. */
void engine_set_role(struct engine *e, enum engine_role role);

enum engine_condition engine_condition(const struct engine *e);
/* Whether optional work, which no client waits for, may write now. */
bool engine_has_room(const struct engine *e);

/* The command and everything it points to must not change until `done` is called, which may happen before this returns. */
void engine_submit(struct engine *e, int64_t now_ms, const struct command *command, engine_done_fn done,
                   void *ctx);

/* The verdict of a follower's copy on this HOLD or ITEMS_ADD (core/claim/gate.h); GATE_REFUSES: *out is the answer, valid
 * until the next call. Where this process decides there is no verdict. */
enum gate_verdict engine_gate(struct engine *e, int64_t now_ms, const struct command *command,
                              const struct gate_intents *intents, const struct outcome **out);

/* Runs a slice of each kind of work that is due. True: there is more to do now. A host calls it once before it shows
 * anything, because free stock may belong to a waiting list; from that call on, people and drivers who stay silent count
 * as absent. */
bool engine_due(struct engine *e, int64_t now_ms);
/* When work is due that must not wait for the next tick; INT64_MAX: never. */
int64_t engine_next_ms(const struct engine *e);
/* Continues the commands that have more to settle by one step. True: some are left. engine_due calls it, too. */
bool engine_retry(struct engine *e, int64_t now_ms);
/* Drops some records from memory that the book has. True: there may be more. engine_due calls it, too. */
bool engine_forget(struct engine *e);
/* Writes the counts of refused holds since the last time, if there is room. */
void engine_write_refusals(struct engine *e, int64_t now_ms);
/* A follower has applied a batch: what it touched is shown. */
void engine_followed(struct engine *e);
/* The first step of a process that shares its log with others: it decides from here on. */
void engine_begin_epoch(struct engine *e, uint64_t epoch, struct text node, int64_t now_ms);
/* Every command was answered, and no import is in progress. */
bool engine_idle(const struct engine *e);

/* ---- For the files of engine/ ---- */

/* Applies a command and ends the step. */
enum outcome_code engine_apply(struct engine *e, int64_t now_ms, const struct command *c,
                               struct outcome *out);
/* The changes of a step are in e->changes: reports their number and what was touched to the host. */
void engine_end_step(struct engine *e);
/* Like engine_submit, but sets flags in the command itself. */
void engine_judge(struct engine *e, int64_t now_ms, struct command *c, engine_done_fn done, void *ctx);

#endif
