/* SPDX-License-Identifier: Apache-2.0 */
/* engine.h — drives core: submits commands, does what is due, and keeps what cannot be answered yet.
 *
 * Has no threads, no libuv and no clock: each call says what time it is, and whoever runs the engine (the store, the script
 * tests, the simulator) is its host, which makes changes durable, reads the book, and calls back. So tests drive what the
 * server runs. One thread calls it, the one that owns the state.
 *
 *   engine_submit   judge → apply → answer, or keep the command: it has more to settle (again in the next slice), or needs
 *                   a record that only the book has (again when the host has read it: engine/fetch.h)
 *   engine_due      a slice of everything that the passing of time makes due: the table in engine/due.h
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "core/state.h"
#include "engine/condition.h"
#include "log/log.h"

struct engine;
struct fetch;         /* engine/fetch.h */
struct kept_command;  /* the same */
struct engine_import; /* engine/import.h */

/* Whether this process decides. One that follows another's log applies what that one decided: nothing is due here, and only
 * commands that change nothing are judged. */
enum engine_role { ENGINE_ALONE, ENGINE_FOLLOWER };

/* What is done at most in one slice. */
struct engine_limits {
    uint32_t expire; /* holds */
    uint32_t warn;   /* the same */
    uint32_t admit;  /* queue entries looked at */
    uint32_t retry;  /* commands that may all have waited for the same work, which is done now */
    uint32_t cancel; /* sales of cancelled events that are under way, and that one slice begins */
    uint32_t forget; /* records */
};
extern const struct engine_limits engine_limits_default;

struct engine_host {
    void *owner;
    /* A step has appended this many changes to engine.changes. */
    void (*appended)(void *owner, uint32_t count, int64_t at_ms);
    /* Something looks different: the state's touches say what. NULL: nobody looks. */
    void (*touched)(void *owner);
    /* There is work that waits for no instant: call engine_due soon. */
    void (*more)(void *owner);
    /* Read the record from the book, then call engine_fetched. */
    void (*read)(void *owner, struct fetch *fetch);
    /* The changes of this step begin a new segment of the log. */
    void (*begin_segment)(void *owner);
    /* The last change that the book has. */
    uint64_t (*book_seq)(void *owner);
    /* The book's record and memory contradict each other: going on could give something away twice. Does not return. */
    void (*damaged)(void *owner, const char *what, struct id id);
};

/* The outcome is valid only during the call. */
typedef void (*engine_done_fn)(void *ctx, const struct outcome *outcome);

struct kept_commands {
    struct kept_command *first, *last;
};

struct engine {
    struct state *state;
    struct log *log; /* its room is asked before anything is written */
    struct engine_host host;
    enum engine_role role;
    struct engine_limits limits;
    uint64_t log_max; /* bytes that the book lacks; over it new claims are refused until it has caught up */

    /* The host's: where the next step writes its changes, and what it knows to be durable. */
    struct buf *changes;
    uint64_t durable_seq;

    struct kept_commands retries; /* commands that have more to settle */
    struct fetch *fetches;        /* records that are being read, with the commands that wait for them */
    struct engine_import *import; /* seats that are being staged: engine/import.h; NULL: none */
    uint32_t cancelling;          /* sales that are being taken back: engine/cancelling.c */
    uint64_t cancelled_seq;       /* of the last of them */
    struct outcome outcome;       /* scratch */
};

void engine_init(struct engine *e, struct state *state, struct log *log, const struct engine_host *host);

static inline bool engine_decides(const struct engine *engine)
{
    return engine->role != ENGINE_FOLLOWER;
}

enum engine_condition engine_condition(const struct engine *e);
/* Whether changes beyond what clients ask for may be added now. */
bool engine_has_room(const struct engine *e);

/* The command and all it points to must stay as they are until done is called, which may be before this returns. */
void engine_submit(struct engine *e, int64_t now_ms, const struct command *command, engine_done_fn done,
                   void *ctx);

/* Does a slice of all that is due. True: there is more at this instant. A host calls it first before anything is shown: what
 * is free may be for a waiting list. From there on absence from a queue or a fleet counts. */
bool engine_due(struct engine *e, int64_t now_ms);
/* When something is due that does not wait for the next tick; INT64_MAX: nothing is. */
int64_t engine_next_ms(const struct engine *e);
/* Takes the commands that have more to settle a step further. True: some are left. Also a part of engine_due. */
bool engine_retry(struct engine *e, int64_t now_ms);
/* Forgets some of what the book has; until it has it, memory is the only place to find it. True: there may be more. Also a
 * part of engine_due. */
bool engine_forget(struct engine *e);
/* Writes down how many holds were refused since the last time, if there is room. */
void engine_tell_refusals(struct engine *e, int64_t now_ms);
/* Nothing is kept: every command was answered. */
bool engine_idle(const struct engine *e);

/* ---- For the files of engine/ ---- */

/* Applies a command at once and takes its changes in. */
enum outcome_code engine_apply(struct engine *e, int64_t now_ms, const struct command *c,
                               struct outcome *out);
/* The changes of a step are in e->changes: the host takes note of them, and is told what looks different. */
void engine_take_in(struct engine *e);
/* As engine_submit, of a command that may be kept as it is. */
void engine_judge(struct engine *e, int64_t now_ms, struct command *c, engine_done_fn done, void *ctx);

#endif
