/* SPDX-License-Identifier: Apache-2.0 */
/* lease.pml — who may answer from memory: renewals, looks, takeover and hand-over, with a clock for each node.
 *
 * Time is in ticks. Each node has its own clock, and no clock is ever more than one tick ahead of another: over a span,
 * two of them differ by at most two ticks, which is the margin between ANSWER and TAKE. A tick waits for nobody, so any process may pause anywhere.
 *
 * The servers are those of log.pml: default, SPLIT, LAGGING.
 */

/* What must hold, as in log.pml. */
#ifdef ONLY
#define HOLDS(claim, what) assert(claim && (claim != ONLY || (what)));
#else
#define HOLDS(claim, what) assert(claim && (what));
#endif
#define ONE_ANSWERS 101 /* no two nodes answer from memory at once */

#ifndef NODES
#define NODES 2
#endif
#ifndef TOKENS
#define TOKENS 3
#endif
#ifndef BEATS
#define BEATS 3 /* renewals per epoch */
#endif
#define TAKE_TICKS 3
#ifdef BUG_NO_MARGIN
#define ANSWER_TICKS TAKE_TICKS
#else
#define ANSWER_TICKS (TAKE_TICKS - 2)
#endif

typedef database {
    byte epoch, token, beat; /* lease and fence have the same epoch */
    bit free;                /* lease.owner is NULL */
};
database written[2], visible[2];
bit lease_locked[2], fence_locked[2];
bit promoted;
byte tokens = 1;

mtype = { NONE, ARRIVED, WAITING, ANSWERED, RENEW, TAKE, TAKEN, BACK, FOLLOW, TAKING, ASK, OWN, LEAVE };
typedef statement {
    mtype state, kind;
    bit server, copied;
    byte epoch, token, beat; /* TAKE: the epoch and beat that were seen, and the new token */
};
statement slot[NODES + 1]; /* the last one: a stray, which its node gave up, and which the server may still run, or receive */

typedef member {
    mtype does;
    byte epoch, token;
    byte left;         /* ticks until this node stops answering */
    byte sent_age;     /* since its statement, or its try to take over, was sent */
    bit grant;         /* the server that gave it */
    byte remembered;   /* the file with the token of its last try */
    bit looks;         /* a look was run by the server, and its answer is on its way */
    byte look_epoch, look_beat; bit look_free, look_server;
    bit seen;
    byte seen_epoch, seen_beat, seen_age; bit seen_free, seen_server;
};
member node[NODES];
bit ahead[NODES];

inline clear_slot(which)
{
    slot[which].state = NONE; slot[which].kind = 0; slot[which].server = 0; slot[which].copied = 0;
    slot[which].epoch = 0; slot[which].token = 0; slot[which].beat = 0
}

inline copy_database(to, from)
{
    to.epoch = from.epoch; to.token = from.token; to.beat = from.beat; to.free = from.free
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

/* ---- What must be right ---- */

/* After a failover that lost a takeover, two nodes may answer for the rest of what the old server granted. */
#ifdef LAGGING
#define ANSWERS(j) ((node[j].does == OWN || node[j].does == LEAVE) && node[j].left && node[j].grant == promoted)
#else
#define ANSWERS(j) ((node[j].does == OWN || node[j].does == LEAVE) && node[j].left)
#endif

inline check_answers()
{
    q = 0;
    do
    :: q < NODES -> HOLDS(ONE_ANSWERS, q == i || !ANSWERS(i) || !ANSWERS(q)) q++
    :: else -> break
    od;
    q = 0
}

/* ---- The servers ---- */

/* Ends what this node knows, and its process; the next one follows. */
inline start_again(who)
{
    node[who].does = FOLLOW; node[who].epoch = 0; node[who].token = 0; node[who].left = 0; node[who].sent_age = 0;
    node[who].grant = 0
}

inline undecided(who)
{
    clear_slot(who);
    if
    :: node[who].does == TAKING -> node[who].does = ASK
    :: node[who].does == OWN -> node[who].sent_age = 0
    :: node[who].does == LEAVE -> start_again(who)
    :: else
    fi
}

#ifdef BUG_RENEW_BY_EPOCH
#define IS_MINE(d, k) (written[d].epoch == slot[k].epoch)
#else
#define IS_MINE(d, k) (written[d].epoch == slot[k].epoch && written[d].token == slot[k].token)
#endif
#ifdef BUG_TAKE_WITHOUT_BEAT
#define SAME_BEAT(d, k) true
#else
#define SAME_BEAT(d, k) (written[d].beat == slot[k].beat)
#endif

inline refuse(which)
{
    clear_slot(which);
    if
    :: which < NODES -> start_again(which)
    :: else
    fi
}

/* Statements of these kinds wait for the rows that they change. */
#define MAY_RUN(d, what) ((what == TAKEN || !lease_locked[d]) && (what == RENEW || what == BACK || !fence_locked[d]))

inline run_statement(at, which)
{
    if
    :: (slot[which].kind == RENEW || slot[which].kind == BACK) && IS_MINE(at, which) ->
        if
        :: slot[which].kind == RENEW && written[at].beat < BEATS -> written[at].beat++
        :: slot[which].kind == BACK -> written[at].free = 1
        :: else
        fi;
        lease_locked[at] = 1; slot[which].state = WAITING
    :: slot[which].kind == TAKE && written[at].epoch == slot[which].epoch && SAME_BEAT(at, which) ->
        written[at].epoch++; written[at].token = slot[which].token; written[at].beat = 0; written[at].free = 0;
        lease_locked[at] = 1; fence_locked[at] = 1; slot[which].state = WAITING
    :: slot[which].kind == TAKEN && written[at].epoch == slot[which].epoch && written[at].token == slot[which].token ->
        fence_locked[at] = 1; slot[which].state = WAITING
    :: else -> refuse(which)
    fi
}

#ifdef BUG_RENEWAL_WITH_WARNING
#define ANSWER_COUNTS(k) (slot[k].copied || slot[k].kind == RENEW)
#else
#ifdef BUG_TAKE_WITH_WARNING
#define ANSWER_COUNTS(k) (slot[k].copied || slot[k].kind == TAKE)
#else
#define ANSWER_COUNTS(k) slot[k].copied
#endif
#endif

/* A renewal and a question can run at once on one server: each publishes its own row. */
inline publish(at, which)
{
    if
    :: slot[which].kind == TAKE -> copy_database(visible[at], written[at])
    :: slot[which].kind == RENEW || slot[which].kind == BACK ->
        visible[at].beat = written[at].beat; visible[at].free = written[at].free
    :: else
    fi;
    if
    :: slot[which].kind != TAKEN -> lease_locked[at] = 0
    :: else
    fi;
    if
    :: slot[which].kind == TAKE || slot[which].kind == TAKEN -> fence_locked[at] = 0
    :: else
    fi;
    if
    :: which >= NODES -> clear_slot(which)
    :: which < NODES && ANSWER_COUNTS(which) -> slot[which].state = ANSWERED; slot[which].copied = 0
    :: which < NODES -> undecided(which) /* the answer is lost, or has a warning */
    fi
}

proctype backend(byte k)
{
    do
    :: atomic { slot[k].state == WAITING -> publish(slot[k].server, k) }
    :: atomic { k == NODES && slot[k].state == ARRIVED && MAY_RUN(slot[k].server, slot[k].kind) ->
        run_statement(slot[k].server, k) }
    :: atomic { k == NODES && slot[k].state == ARRIVED -> clear_slot(k) }
    od
}

#define UNCOPIED(d, k) (slot[k].state == WAITING && slot[k].server == d && !slot[k].copied)
#if NODES == 2
#define ANY_UNCOPIED(d) (UNCOPIED(d, 0) || UNCOPIED(d, 1) || UNCOPIED(d, 2))
#else
#define ANY_UNCOPIED(d) (UNCOPIED(d, 0) || UNCOPIED(d, 1) || UNCOPIED(d, 2) || UNCOPIED(d, 3))
#endif

inline replicate(at)
{
    q = 0;
    do
    :: q <= NODES ->
        if
        :: slot[q].state == WAITING && slot[q].server == at -> slot[q].copied = 1
        :: else
        fi;
        q++
    :: else -> break
    od;
    q = 0
}

inline end_server_0()
{
    q = 0;
    do
    :: q <= NODES ->
        if
        :: (slot[q].state == WAITING || slot[q].state == ARRIVED) && slot[q].server == 0 ->
            if
            :: q == NODES -> clear_slot(q)
            :: else -> undecided(q)
            fi
        :: else
        fi;
        q++
    :: else -> break
    od;
    q = 0; lease_locked[0] = 0; fence_locked[0] = 0;
    copy_database(visible[0], visible[1]);
    copy_database(written[0], visible[1])
}

proctype servers()
{
    byte q;
    do
    :: d_step { !promoted && ANY_UNCOPIED(0) ->
        replicate(0);
#ifndef LAGGING
        copy_database(written[1], written[0])
#endif
        }
    :: d_step { promoted && ANY_UNCOPIED(1) -> replicate(1) }
#ifdef LAGGING
    :: d_step { !promoted -> copy_database(written[1], written[0]) }
#endif
#ifndef NO_FAILOVER
    :: d_step { !promoted ->
        promoted = 1;
        copy_database(visible[1], written[1]);
#ifndef SPLIT
        end_server_0();
#endif
        skip }
#endif
    od
}

/* ---- The clocks ---- */

inline older(age, most)
{
    if
    :: age < most -> age++
    :: else
    fi
}

proctype clock(byte i)
{
    byte q;
    do
    :: d_step { !ahead[i] ->
        if
        :: node[i].left -> node[i].left--
        :: else
        fi;
        if
        :: slot[i].state != NONE || node[i].does == TAKING || node[i].does == ASK -> older(node[i].sent_age, ANSWER_TICKS)
        :: else
        fi;
        if
        :: node[i].seen -> older(node[i].seen_age, TAKE_TICKS)
        :: else
        fi;
        ahead[i] = 1;
        q = 0;
        do
        :: q < NODES && ahead[q] -> q++
        :: else -> break
        od;
        if
        :: q == NODES ->
            do
            :: q > 0 -> q--; ahead[q] = 0
            :: else -> break
            od
        :: else
        fi;
        q = 0 }
    od
}

/* ---- A node ---- */

inline fill(which, what, at)
{
    slot[which].state = ARRIVED; slot[which].kind = what; slot[which].server = at;
    slot[which].epoch = node[i].epoch; slot[which].token = node[i].token
}

inline forget_look(who)
{
    node[who].looks = 0; node[who].look_epoch = 0; node[who].look_beat = 0; node[who].look_free = 0; node[who].look_server = 0;
    node[who].seen = 0; node[who].seen_epoch = 0; node[who].seen_beat = 0; node[who].seen_age = 0; node[who].seen_free = 0;
    node[who].seen_server = 0
}

inline fill_take(which, at)
{
    tokens++;
    node[i].token = tokens; node[i].remembered = tokens;
    node[i].epoch = node[i].seen_epoch;
    fill(which, TAKE, at);
    slot[which].beat = node[i].seen_beat;
    node[i].epoch++; node[i].sent_age = 0;
    forget_look(i);
    if /* nobody looks any more */
    :: tokens == TOKENS ->
        q = 0;
        do
        :: q < NODES -> forget_look(q); q++
        :: else -> break
        od;
        q = 0
    :: else
    fi
}

#ifdef BUG_WAIT_ACROSS_SERVERS
#define SAME_SERVER true
#else
#define SAME_SERVER (node[i].seen_server == node[i].look_server)
#endif

/* The answer of a look. The wait begins when an answer first shows this epoch and beat. */
inline read_look()
{
    if
    :: node[i].seen && node[i].seen_epoch == node[i].look_epoch && node[i].seen_beat == node[i].look_beat && SAME_SERVER
    :: else -> node[i].seen_age = 0
    fi;
    node[i].seen = 1; node[i].seen_epoch = node[i].look_epoch; node[i].seen_beat = node[i].look_beat;
    node[i].seen_free = node[i].look_free; node[i].seen_server = node[i].look_server;
    node[i].looks = 0; node[i].look_epoch = 0; node[i].look_beat = 0; node[i].look_free = 0; node[i].look_server = 0
}

/* A good renewal or takeover: this node may answer for a while since it was sent. */
inline granted()
{
#ifdef BUG_RENEWAL_COUNTS_FROM_ITS_ANSWER
    node[i].sent_age = 0;
#endif
    if
    :: node[i].left < ANSWER_TICKS - node[i].sent_age -> node[i].left = ANSWER_TICKS - node[i].sent_age
    :: else
    fi;
    node[i].grant = slot[i].server;
    node[i].sent_age = 0; node[i].does = OWN;
    clear_slot(i);
    check_answers()
}

#ifdef BUG_HANDS_OVER_FIRST
#define STOP_ANSWERING skip
#else
#define STOP_ANSWERING node[i].left = 0
#endif
#define STRAY_FREE (slot[NODES].state == NONE)

inline give_up()
{
    slot[NODES].state = slot[i].state; slot[NODES].kind = slot[i].kind; slot[NODES].server = slot[i].server;
    slot[NODES].copied = slot[i].copied; slot[NODES].epoch = slot[i].epoch; slot[NODES].token = slot[i].token;
    slot[NODES].beat = slot[i].beat
}

proctype member_run(byte i)
{
    byte d, q;
    do
    /* A look: the server runs it, and later its answer is there. */
    :: atomic { node[i].does == FOLLOW && !node[i].looks && tokens < TOKENS ->
        choose_server(d);
        node[i].looks = 1; node[i].look_epoch = visible[d].epoch; node[i].look_beat = visible[d].beat;
        node[i].look_free = visible[d].free || node[i].remembered == visible[d].token;
        node[i].look_server = d; d = 0 }
    :: atomic { node[i].does == FOLLOW && node[i].looks -> read_look() }
    :: atomic { node[i].does == FOLLOW && node[i].seen && (node[i].seen_free || node[i].seen_age >= TAKE_TICKS) &&
                tokens < TOKENS && (promoted || !node[i].seen_server) ->
        d = node[i].seen_server;
#ifndef SPLIT
        d = promoted;
        if
        :: node[i].seen_server != promoted -> forget_look(i) /* the connection is lost: nothing was sent */
        :: else ->
#else
        if
        :: true ->
#endif
            if
            :: MAY_RUN(d, TAKE) -> fill_take(i, d); node[i].does = TAKING; run_statement(d, i)
            :: STRAY_FREE -> fill_take(NODES, d); node[i].does = ASK
            :: else
            fi
        fi; d = 0 }
    :: atomic { node[i].does == ASK ->
        choose_server(d);
        if
        :: MAY_RUN(d, TAKEN) ->
            node[i].does = TAKING; fill(i, TAKEN, d);
#ifdef BUG_QUESTION_COUNTS_AS_RENEWAL
            node[i].sent_age = 0;
#endif
            run_statement(d, i)
        :: else
        fi; d = 0 }
    :: atomic { node[i].does == TAKING && slot[i].state == ANSWERED -> granted() }
    :: atomic { node[i].does == OWN && slot[i].state == NONE ->
        choose_server(d);
        if
        :: MAY_RUN(d, RENEW) && written[d].beat < BEATS -> node[i].sent_age = 0; fill(i, RENEW, d); run_statement(d, i)
        :: MAY_RUN(d, BACK) -> fill(i, BACK, d); node[i].does = LEAVE; STOP_ANSWERING; run_statement(d, i)
        :: else
        fi; d = 0 }
    :: atomic { node[i].does == OWN && slot[i].state == ANSWERED && slot[i].kind == RENEW -> granted() }
    :: atomic { slot[i].kind == BACK && slot[i].state == ANSWERED -> clear_slot(i); start_again(i) }
    :: atomic { slot[i].state == WAITING && slot[i].kind != BACK && STRAY_FREE -> give_up(); undecided(i) }
    /* The process is killed. */
    :: atomic { node[i].does != FOLLOW && slot[i].state != WAITING -> clear_slot(i); start_again(i) }
    od
}

init
{
    byte k;
    atomic {
        written[0].epoch = 1; written[0].token = 1;
        copy_database(visible[0], written[0]);
        copy_database(written[1], written[0]);
        k = 0;
        do
        :: k < NODES -> node[k].does = FOLLOW; k++
        :: else -> break
        od;
        node[0].does = OWN; node[0].epoch = 1; node[0].token = 1; node[0].remembered = 1; node[0].left = ANSWER_TICKS;
        k = 0;
        do
        :: k <= NODES -> clear_slot(k); run backend(k); k++
        :: else -> break
        od;
        k = 0;
        do
        :: k < NODES -> run member_run(k); run clock(k); k++
        :: else -> break
        od;
        k = 0;
        run servers()
    }
}
