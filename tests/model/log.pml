/* SPDX-License-Identifier: Apache-2.0 */
/* log.pml — what is written to the shared log, what is acknowledged, and what is shown. README.md says what stands for what.
 *
 * There are no clocks here: any node takes over at any time, and any process may pause anywhere, because nothing in a
 * model without clocks must ever happen next. lease.pml has the clocks.
 *
 * Server 0 is the primary. Server 1 is its standby, and what clients reach after a failover:
 *   default   server 1 is the synchronous standby; the old primary is dead after the failover
 *   SPLIT     the same, but the old primary lives on without a standby, and each statement may reach either
 *   LAGGING   server 1 is another standby, which may lack what the synchronous one has
 */

/* What must hold. Spin prints the number of the claim that a search has refuted.
 * With ONLY, one claim alone is checked. */
#ifdef ONLY
#define HOLDS(claim, what) assert(claim && (claim != ONLY || (what)));
#else
#define HOLDS(claim, what) assert(claim && (what));
#endif
#define NOTHING_AFTER_A_HALT 101
#define NO_GAP 102
#define LOG_IS_MEMORY 103            /* a row follows what its writer has in memory */
#define NOTHING_AFTER_A_TAKEOVER 104 /* nothing of an earlier owner */
#define ONE_WRITER_PER_EPOCH 105
#define SOLD_ONCE 106
#define NO_NEEDLESS_HALT 107     /* what is not lost is never missed, save on a primary that was cut off */
#define SHOWN_IS_KEPT 108        /* nothing undecided is shown */
#define TAKEOVER_IS_LAST 109     /* no row of an earlier epoch becomes visible after it */
#define ACKNOWLEDGED_IS_KEPT 110
#define WHO_SERVES_HAS_ALL 111  /* who begins to serve has all that owners before it acknowledged */
#define SUCCESSOR_HAS_ALL 112   /* so has who serves after a takeover from the node that acknowledges */

#ifndef NODES
#define NODES 2
#endif
#ifndef TAKERS
#define TAKERS NODES /* the rest only follow */
#endif
#ifndef ROWS
#define ROWS 4
#endif
#ifndef TOKENS
#define TOKENS 3 /* one is there at the start, each try to take over makes another */
#endif

/* A row names who wrote it, and whether it sells the only seat. A process writes each seq once, so a row also stands for all
 * rows before it, as a chain does. */
#define ROW(token, epoch, sale) ((token) * 16 + (epoch) * 2 + (sale))
#define TOKEN_OF(row) ((row) / 16)
#define EPOCH_OF(row) (((row) / 2) % 8)
#define SALE_OF(row) ((row) % 2)

typedef database {
    byte row[ROWS + 2]; /* by seq; 0: none */
    byte end;           /* seq of the last row */
    byte epoch, token;  /* fence */
    bit halted;         /* fence */
    byte durable;       /* lease */
};
database written[2]; /* what is in the server's own log on disk */
database visible[2]; /* what statements see: not yet what waits for the standby */
byte replicated[2];  /* rows that the synchronous standby has */
byte shares[2];      /* locks of the row in fence, held by appends that wait for the standby */
bit locked[2];       /* the same, held by a takeover */
bit promoted;
byte tokens = 1;
byte acknowledged, acknowledged_epoch; /* the last acknowledged seq, and its epoch */

#ifndef STRAYS
#define STRAYS 1
#endif
#define SLOTS (NODES + STRAYS)
/* Statements. Slot i is what node i waits for. Slots from NODES on are strays, which their nodes gave up, and which the
 * server may still run, or receive. Nodes that wait for a lock without a lock of their own are where they were before. */
mtype = {
    NONE, ARRIVED, LOOKED, WAITING, ANSWERED, /* state of a statement */
    APPEND, TAKE, TAKEN,                      /* kind */
    WRITTEN, FOUND, YES,                      /* answer */
    FOLLOW, TAKING, ASK, OWN                  /* what a node does */
};
typedef statement {
    mtype state, kind, answer;
    bit server, fits, copied, again;
    byte seq, row, before; /* TAKE: row has the new epoch and token */
    byte found;            /* the row at seq, in the view of the table when the statement began */
};
statement slot[SLOTS];

typedef member {
    mtype does;
    byte end, last;     /* the copy, which the book of this node has, too: its last seq and row */
    bit sold;
    byte read, read_last; /* an owner's memory, without what is undecided */
    bit read_sold;
    byte epoch, token;
    bit serves, missing, retries;
};
member node[NODES];

inline clear_slot(which)
{
    slot[which].state = NONE; slot[which].kind = 0; slot[which].answer = 0;
    slot[which].server = 0; slot[which].fits = 0; slot[which].copied = 0; slot[which].again = 0;
    slot[which].seq = 0; slot[which].row = 0; slot[which].before = 0; slot[which].found = 0;
}

inline copy_database(to, from)
{
    q = 1;
    do
    :: q <= ROWS -> to.row[q] = from.row[q]; q++
    :: else -> break
    od;
    q = 0;
    to.end = from.end; to.epoch = from.epoch; to.token = from.token; to.halted = from.halted; to.durable = from.durable
}

inline choose_server(at)
{
    if
    :: !promoted -> at = 0
#ifdef SPLIT
    :: promoted -> at = 0
#endif
    :: promoted -> at = 1
    fi
}

/* ---- The servers ---- */

/* A row that may be acknowledged or shown: every failover that loses nothing keeps it. */
#ifdef LAGGING
#define KEPT(d, s) ((s) <= replicated[d])
#else
#define KEPT(d, s) (written[1].row[s] == written[d].row[s] && (!promoted || (s) <= replicated[1]))
#endif

/* What must be right about each row, when it is written. */
inline check_row(at, which)
{
    HOLDS(NOTHING_AFTER_A_HALT, !written[at].halted)
    HOLDS(NO_GAP, slot[which].seq == written[at].end + 1)
    HOLDS(LOG_IS_MEMORY, written[at].row[slot[which].seq - 1] == slot[which].before)
    HOLDS(NOTHING_AFTER_A_TAKEOVER, TOKEN_OF(slot[which].row) == written[at].token)
    q = 1;
    do
    :: q < slot[which].seq ->
        HOLDS(ONE_WRITER_PER_EPOCH, EPOCH_OF(written[at].row[q]) != EPOCH_OF(slot[which].row) ||
                                    TOKEN_OF(written[at].row[q]) == TOKEN_OF(slot[which].row))
        HOLDS(SOLD_ONCE, !SALE_OF(written[at].row[q]) || !SALE_OF(slot[which].row))
        q++
    :: else -> break
    od;
    q = 0
}

#ifdef BUG_RETRY_WITHOUT_GUARD
#define MAY_WRITE(d, k) (slot[k].again || (written[d].epoch == EPOCH_OF(slot[k].row) && \
                         written[d].token == TOKEN_OF(slot[k].row) && !written[d].halted))
#else
#ifdef BUG_NO_TOKEN
#define MAY_WRITE(d, k) (written[d].epoch == EPOCH_OF(slot[k].row) && !written[d].halted)
#else
#define MAY_WRITE(d, k) (written[d].epoch == EPOCH_OF(slot[k].row) && \
                         written[d].token == TOKEN_OF(slot[k].row) && !written[d].halted)
#endif
#endif

/* The view of the table that the subqueries of an append have. It is taken before the locks. */
inline look(at, which)
{
    slot[which].found = visible[at].row[slot[which].seq];
    slot[which].fits = visible[at].row[slot[which].seq - 1] == slot[which].before;
#ifdef BUG_NO_ROW_BEFORE
    slot[which].fits = 1;
#endif
    slot[which].state = LOOKED
}

/* The process ends, and the service manager starts it again: as a follower, with its book. */
inline start_again(who)
{
    node[who].does = FOLLOW;
    node[who].read = 0; node[who].read_last = 0; node[who].read_sold = 0;
    node[who].epoch = 0; node[who].token = 0; node[who].serves = 0; node[who].missing = 0; node[who].retries = 0
}

#if defined(BUG_RETRY_WITHOUT_GUARD) || defined(BUG_RETRY_BY_SELECT)
#define REMEMBER_RETRY(who) node[who].retries = 1
#else
#define REMEMBER_RETRY(who) skip
#endif

/* No answer, or one with a warning: the statement is repeated, or the question is asked. */
inline undecided(who)
{
    if
    :: node[who].does == TAKING -> node[who].does = ASK
    :: else -> REMEMBER_RETRY(who)
    fi;
    clear_slot(who)
}

inline run_append(at, which)
{
    if
    :: !MAY_WRITE(at, which) ->
        clear_slot(which);
        if
        :: which < NODES -> start_again(which)
        :: else
        fi
    :: else ->
        if
        :: slot[which].fits && !written[at].row[slot[which].seq] ->
            check_row(at, which);
            written[at].row[slot[which].seq] = slot[which].row;
            written[at].end = slot[which].seq;
            slot[which].answer = WRITTEN
        :: else -> slot[which].answer = FOUND
        fi;
        shares[at]++;
        slot[which].state = WAITING
    fi
}

/* After a failover that lost rows, the owner before may have written how far its own memory is durable. */
#ifdef BUG_TAKE_KEEPS_DURABLE
#define KEEP_DURABLE_IN_LOG(d)
#else
#define KEEP_DURABLE_IN_LOG(d) \
        if \
        :: written[d].durable > visible[d].end -> written[d].durable = visible[d].end \
        :: else \
        fi;
#endif

inline run_take(at, which)
{
    if
    :: slot[which].kind == TAKE && written[at].epoch + 1 == EPOCH_OF(slot[which].row) && !written[at].halted ->
        written[at].epoch = EPOCH_OF(slot[which].row);
        written[at].token = TOKEN_OF(slot[which].row);
        KEEP_DURABLE_IN_LOG(at)
        locked[at] = 1; slot[which].answer = YES; slot[which].state = WAITING
    :: slot[which].kind == TAKEN && written[at].epoch == EPOCH_OF(slot[which].row) &&
       written[at].token == TOKEN_OF(slot[which].row) ->
        locked[at] = 1; slot[which].answer = YES; slot[which].state = WAITING
    :: else ->
        clear_slot(which);
        if
        :: which < NODES -> start_again(which)
        :: else
        fi
    fi
}

#ifdef BUG_WARNING_COUNTS
#define ANSWER_COUNTS(which) true
#else
#define ANSWER_COUNTS(which) slot[which].copied
#endif

/* The commit ends: its effect is visible, and its locks are gone. */
inline publish(at, which)
{
    if
    :: slot[which].kind == APPEND ->
        if
        :: slot[which].answer == WRITTEN ->
            visible[at].row[slot[which].seq] = slot[which].row;
            visible[at].end = slot[which].seq
        :: else
        fi;
        shares[at]--
    :: else ->
        visible[at].epoch = written[at].epoch;
        visible[at].token = written[at].token;
        visible[at].durable = written[at].durable;
        locked[at] = 0
    fi;
    if
    :: which >= NODES -> clear_slot(which)
    :: which < NODES && ANSWER_COUNTS(which) -> slot[which].state = ANSWERED; slot[which].copied = 0
    :: which < NODES -> undecided(which) /* the answer is lost, or has a warning */
    fi
}

#ifdef BUG_TAKE_WITHOUT_WAITING
#define TAKE_MAY_RUN(d) (!locked[d])
#else
#define TAKE_MAY_RUN(d) (!locked[d] && !shares[d])
#endif

/* The row at this seq is being written by a statement whose end an append waits for. */
#define ROW_LOCKED(d, k) (written[d].row[slot[k].seq] && !visible[d].row[slot[k].seq])

/* Runs the statement of slot k. A statement can be lost on its way, and a backend can be ended while it waits for the
 * standby: then the effect is visible, and the answer is a warning, or none. A restart of the primary ends all of them. */
proctype backend(byte k)
{
    byte q;
    do
    :: atomic { slot[k].state == LOOKED && !locked[slot[k].server] && !ROW_LOCKED(slot[k].server, k) ->
        run_append(slot[k].server, k) }
    :: atomic { slot[k].state == WAITING -> publish(slot[k].server, k) }
    :: atomic { k >= NODES && slot[k].state == ARRIVED && slot[k].kind == APPEND -> look(slot[k].server, k) }
    :: atomic { k >= NODES && slot[k].state == ARRIVED && slot[k].kind != APPEND && TAKE_MAY_RUN(slot[k].server) ->
        run_take(slot[k].server, k) }
    :: atomic { k >= NODES && (slot[k].state == ARRIVED || slot[k].state == LOOKED) -> clear_slot(k) }
    od
}

/* The standby has everything up to here. */
inline replicate(at)
{
    replicated[at] = written[at].end;
    q = 0;
    do
    :: q < SLOTS ->
        if
        :: slot[q].state == WAITING && slot[q].server == at -> slot[q].copied = 1
        :: else
        fi;
        q++
    :: else -> break
    od;
    q = 0
}

#define UNCOPIED(d, k) (slot[k].state == WAITING && slot[k].server == d && !slot[k].copied)
#if NODES + STRAYS == 3
#define ANY_UNCOPIED(d) (UNCOPIED(d, 0) || UNCOPIED(d, 1) || UNCOPIED(d, 2))
#else
#define ANY_UNCOPIED(d) (UNCOPIED(d, 0) || UNCOPIED(d, 1) || UNCOPIED(d, 2) || UNCOPIED(d, 3))
#endif

inline end_server_0()
{
    q = 0;
    do
    :: q < SLOTS ->
        if
        :: slot[q].state != NONE && slot[q].state != ANSWERED && slot[q].server == 0 ->
            if
            :: q >= NODES -> clear_slot(q)
            :: else -> undecided(q)
            fi
        :: else
        fi;
        q++
    :: else -> break
    od;
    q = 0; shares[0] = 0; locked[0] = 0;
#ifndef LAGGING
    replicated[0] = 0;
#endif
   
    copy_database(visible[0], visible[1]);
    copy_database(written[0], visible[1])
}

proctype servers()
{
    byte q;
    do
    :: d_step { !promoted && (ANY_UNCOPIED(0) || replicated[0] < written[0].end) ->
        replicate(0);
#ifndef LAGGING
        copy_database(written[1], written[0])
#endif
        }
    :: d_step { promoted && (ANY_UNCOPIED(1) || replicated[1] < written[1].end) -> replicate(1) }
#ifdef LAGGING
    :: d_step { !promoted -> copy_database(written[1], written[0]) }
#endif
#ifndef NO_FAILOVER
    :: d_step { !promoted ->
        promoted = 1;
        replicated[1] = written[1].end;
        copy_database(visible[1], written[1]);
#ifndef SPLIT
        end_server_0();
#endif
#ifdef SPLIT
        skip
#endif
        }
#endif
    od
}

/* ---- A node ---- */

inline fill(which, what, at)
{
    slot[which].state = ARRIVED; slot[which].kind = what; slot[which].server = at;
    slot[which].row = ROW(node[i].token, node[i].epoch, 0)
}

inline halt(at)
{
#ifndef LAGGING
    HOLDS(NO_NEEDLESS_HALT, promoted && at == 0)
#endif
    if
    :: !locked[at] && !shares[at] -> written[at].halted = 1; visible[at].halted = 1
    :: else
    fi
}

#ifdef BUG_SHOW_THE_LAST_ROW
#define MAY_SHOW(d, s) true
#else
#define MAY_SHOW(d, s) (visible[d].row[(s) + 1] || visible[d].durable >= (s))
#endif

inline poll(at)
{
    if
    :: visible[at].row[node[i].end] != node[i].last -> halt(at)
    :: else ->
        if
        :: visible[at].end > node[i].end && MAY_SHOW(at, node[i].end + 1) ->
            node[i].end++;
            HOLDS(SHOWN_IS_KEPT, KEPT(at, node[i].end))
            node[i].last = visible[at].row[node[i].end];
            node[i].sold = node[i].sold || SALE_OF(node[i].last)
        :: else
        fi
    fi
}

/* The rest of the log. An owner decides with it, but it counts as its copy only when its own first row is durable. */
inline read_rest(at)
{
    if
    :: visible[at].row[node[i].end] != node[i].last -> start_again(i)
    :: else ->
        node[i].read = node[i].end; node[i].read_last = node[i].last; node[i].read_sold = node[i].sold;
        HOLDS(TAKEOVER_IS_LAST, visible[at].token != node[i].token || visible[at].end == written[at].end)
        do
        :: node[i].read < visible[at].end ->
            node[i].read++;
            node[i].read_last = visible[at].row[node[i].read];
            node[i].read_sold = node[i].read_sold || SALE_OF(node[i].read_last)
        :: else -> break
        od;
#ifdef BUG_READ_COUNTS_AT_ONCE
        node[i].end = node[i].read; node[i].last = node[i].read_last; node[i].sold = node[i].read_sold;
#endif
        node[i].does = OWN
    fi;
    clear_slot(i)
}

/* The first row names the owner, the next ones sell what is free, as far as its memory says. */
#define NEXT_ROW ROW(node[i].token, node[i].epoch, node[i].serves && !node[i].read_sold)

inline fill_append(which, at)
{
    fill(which, APPEND, at);
    slot[which].seq = node[i].read + 1;
    slot[which].before = node[i].read_last;
    slot[which].row = NEXT_ROW;
    slot[which].again = node[i].retries
}

/* The batch is durable: acknowledge it. */
inline acknowledge()
{
    node[i].read++;
    node[i].read_last = NEXT_ROW;
    node[i].read_sold = node[i].read_sold || SALE_OF(node[i].read_last);
    node[i].end = node[i].read; node[i].last = node[i].read_last; node[i].sold = node[i].read_sold;
    node[i].missing = 0; node[i].retries = 0;
#ifndef LAGGING
    HOLDS(ACKNOWLEDGED_IS_KEPT, written[1].row[node[i].end] == node[i].last)
    HOLDS(WHO_SERVES_HAS_ALL, node[i].serves || node[i].epoch < acknowledged_epoch || node[i].end >= acknowledged)
    if
    :: acknowledged < node[i].end -> acknowledged = node[i].end; acknowledged_epoch = node[i].epoch
    :: else
    fi;
    q = 0;
    do
    :: q < NODES ->
        HOLDS(SUCCESSOR_HAS_ALL, !node[q].serves || node[q].epoch <= node[i].epoch || node[q].end >= node[i].end)
        q++
    :: else -> break
    od;
    q = 0;
#else
    HOLDS(ACKNOWLEDGED_IS_KEPT, node[i].end <= replicated[0] || node[i].end <= replicated[1])
#endif
    node[i].serves = 1
}

inline read_append()
{
    if
    :: slot[i].answer == WRITTEN || slot[i].found == slot[i].row -> clear_slot(i); acknowledge()
    :: else ->
        if
        :: !slot[i].found && !node[i].missing -> clear_slot(i); node[i].missing = 1; REMEMBER_RETRY(i)
        :: else -> clear_slot(i); start_again(i)
        fi
    fi
}

#ifdef BUG_RETRY_BY_SELECT
inline append(at)
{
    if
    :: node[i].retries && visible[at].row[node[i].read + 1] == NEXT_ROW -> acknowledge()
    :: else -> fill_append(i, at); look(at, i)
    fi
}
#else
#define append(at) fill_append(i, at); look(at, i)
#endif

#ifdef BUG_DURABLE_BY_EPOCH
#define LEASE_IS_MINE(d) (visible[d].epoch == node[i].epoch)
#else
#define LEASE_IS_MINE(d) (visible[d].epoch == node[i].epoch && visible[d].token == node[i].token)
#endif

#if STRAYS == 1
#define STRAY NODES
#else
#define STRAY (slot[NODES].state == NONE -> NODES : NODES + 1)
#endif
#define STRAY_FREE (slot[SLOTS - 1].state == NONE)

/* The node no longer waits for its statement; the server goes on with it. */
inline give_up()
{
    slot[STRAY].state = slot[i].state; slot[STRAY].kind = slot[i].kind; slot[STRAY].answer = slot[i].answer;
    slot[STRAY].server = slot[i].server; slot[STRAY].fits = slot[i].fits; slot[STRAY].copied = slot[i].copied;
    slot[STRAY].again = slot[i].again; slot[STRAY].seq = slot[i].seq; slot[STRAY].row = slot[i].row;
    slot[STRAY].before = slot[i].before; slot[STRAY].found = slot[i].found
}

inline send_take(at, which, what)
{
    if
    :: what == TAKE -> tokens++; node[i].token = tokens; node[i].epoch = visible[at].epoch + 1
    :: else
    fi;
    fill(which, what, at)
}

proctype member_run(byte i)
{
    byte d, q;
    do
    :: atomic { node[i].does == FOLLOW -> choose_server(d); poll(d); d = 0 }
    :: atomic { i < TAKERS && node[i].does == FOLLOW && tokens < TOKENS ->
        choose_server(d);
        if
        :: !visible[d].halted && TAKE_MAY_RUN(d) -> send_take(d, i, TAKE); node[i].does = TAKING; run_take(d, i)
        :: !visible[d].halted && STRAY_FREE -> send_take(d, STRAY, TAKE); node[i].does = ASK
        :: else
        fi; d = 0 }
    :: atomic { node[i].does == ASK ->
        choose_server(d);
        if
        :: TAKE_MAY_RUN(d) -> node[i].does = TAKING; send_take(d, i, TAKEN); run_take(d, i)
        :: else
        fi; d = 0 }
    :: atomic { node[i].does == TAKING && slot[i].state == ANSWERED -> choose_server(d); read_rest(d); d = 0 }
    :: atomic { node[i].does == OWN && slot[i].state == NONE && node[i].read < ROWS -> choose_server(d); append(d); d = 0 }
    :: atomic { node[i].does == OWN && slot[i].state == NONE && node[i].read < ROWS && STRAY_FREE ->
        choose_server(d); fill_append(STRAY, d); REMEMBER_RETRY(i); d = 0 }
    :: atomic { node[i].does == OWN && slot[i].state == ANSWERED -> read_append() }
    :: atomic { node[i].serves -> /* part of a renewal, and 20 ms after a burst */
        choose_server(d);
        if
        :: !locked[d] && LEASE_IS_MINE(d) -> written[d].durable = node[i].end; visible[d].durable = node[i].end
        :: else
        fi; d = 0 }
    /* The answer does not come in time, or the connection is lost. */
    :: atomic { (slot[i].state == LOOKED || slot[i].state == WAITING) && STRAY_FREE -> give_up(); undecided(i) }
#ifdef KILLS
    :: atomic { node[i].does != FOLLOW && (slot[i].state == NONE || slot[i].state == ANSWERED || STRAY_FREE) ->
        if
        :: slot[i].state == LOOKED || slot[i].state == WAITING -> give_up()
        :: else
        fi;
        clear_slot(i);
        start_again(i) }
#endif
    od
}

init
{
    byte k, q;
    atomic {
        written[0].row[1] = ROW(1, 1, 0); written[0].end = 1; written[0].epoch = 1; written[0].token = 1;
        written[0].durable = 1; replicated[0] = 1;
        copy_database(visible[0], written[0]);
        copy_database(written[1], written[0]);
        acknowledged = 1; acknowledged_epoch = 1;
        k = 0;
        do
        :: k < NODES ->
            node[k].does = FOLLOW; node[k].end = 1; node[k].last = ROW(1, 1, 0);
            k++
        :: else -> break
        od;
        /* Node 0 is the owner of the first epoch. */
        node[0].does = OWN; node[0].epoch = 1; node[0].token = 1; node[0].serves = 1;
        node[0].read = 1; node[0].read_last = ROW(1, 1, 0);
        k = 0;
        do
        :: k < SLOTS -> clear_slot(k); run backend(k); k++
        :: else -> break
        od;
        k = 0;
        do
        :: k < NODES -> run member_run(k); k++
        :: else -> break
        od;
        k = 0;
        run servers()
    }
}
