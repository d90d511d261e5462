/* SPDX-License-Identifier: Apache-2.0 */
#include "log/pg.h"

#include <postgresql/libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "base/time/clock.h"

#define STATEMENTS_MAX 32
#define POLL_MS 100
#define REPEATS_MAX 5

/* Of the server's built-in types. */
#define OID_INT8 20
#define OID_TEXT 25
#define OID_BYTEA 17
#define OID_UUID 2950

/* How long one server of the URL may take to accept a connection, if there are others. libpq has no such limit when it does
 * not block, and would wait for a silent one until TCP gives up. */
#define SERVER_LIMIT_MS 1000

struct pg {
    struct pg_options options;
    char *hosts, *ports, *addresses; /* lists as in the URL; NULL: none */
    uint32_t server_count, server;   /* of the URL; the one that is tried first */
    PGconn *connection;                     /* NULL: none */
    const char *prepared[STATEMENTS_MAX];   /* on this connection */
    uint32_t prepared_count;
    PGresult *answer; /* NULL: none */
    bool warned;      /* by the statement that runs */
    uint64_t began_ns, connect_until_ns;
    bool slow; /* options.slow was called for it */
    char fault[200];
    char state[6];
};

/* ---- The connection ---- */

static void on_notice(void *owner, const PGresult *notice)
{
    struct pg *p = owner;
    const char *severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    p->warned = p->warned || (severity && strcmp(severity, "WARNING") == 0);
}

static void disconnect(struct pg *p)
{
    if (p->connection)
        PQfinish(p->connection);
    p->connection = NULL;
    p->prepared_count = 0;
}

/* The first line: libpq adds hints and the statement in further ones. */
static void set_fault(struct pg *p, const char *text)
{
    snprintf(p->fault, sizeof(p->fault), "%.*s", (int)strcspn(text, "\n"), text);
}

static uint32_t count_of(const char *list)
{
    uint32_t count = list && *list ? 1 : 0;
    for (; list && *list; list++)
        count += *list == ',';
    return count;
}

/* A URL that cannot be read is reported when it is used. */
static void read_servers(struct pg *p)
{
    PQconninfoOption *all = PQconninfoParse(p->options.url, NULL);
    for (PQconninfoOption *o = all; o && o->keyword; o++) {
        char **list = strcmp(o->keyword, "host") == 0       ? &p->hosts
                      : strcmp(o->keyword, "port") == 0     ? &p->ports
                      : strcmp(o->keyword, "hostaddr") == 0 ? &p->addresses
                                                            : NULL;
        if (list && o->val)
            *list = memory_copy(o->val, strlen(o->val));
    }
    if (all)
        PQconninfoFree(all);
    uint32_t hosts = count_of(p->hosts), addresses = count_of(p->addresses);
    p->server_count = hosts > addresses ? hosts : addresses;
}

/* Entry `index` of a list; a list of one is for all servers. NULL: none. */
static const char *entry_of(const char *list, uint32_t index, char *out, size_t size)
{
    const char *at = list;
    if (!list || !*list)
        return NULL;
    for (uint32_t i = 0; count_of(list) > 1 && i < index; i++)
        at = strchr(at, ',') ? strchr(at, ',') + 1 : "";
    snprintf(out, size, "%.*s", (int)strcspn(at, ","), at);
    return out;
}

struct pg *pg_make(const struct pg_options *options)
{
    ASSERT(options->url && options->name && options->limit_ms && (!options->slow || options->slow_ms));
    /* The TLS library is initialised by libcurl. */
    PQinitOpenSSL(0, 0);
    struct pg *p = memory_zeroed(1, sizeof(*p));
    p->options = *options;
    p->connect_until_ns = UINT64_MAX;
    read_servers(p);
    return p;
}

void pg_release(struct pg *p)
{
    if (!p)
        return;
    PQclear(p->answer);
    disconnect(p);
    free(p->hosts);
    free(p->ports);
    free(p->addresses);
    free(p);
}

/* Calls `slow` when it is due. False: the limit is over. */
static bool time_left(struct pg *p)
{
    uint64_t took_ms = (clock_monotonic_ns() - p->began_ns) / 1000000;
    if (p->options.slow && !p->slow && took_ms >= p->options.slow_ms) {
        p->slow = true;
        p->options.slow(p->options.slow_ctx);
    }
    return took_ms < p->options.limit_ms && clock_monotonic_ns() < p->connect_until_ns;
}

static bool wait_for(struct pg *p, short events)
{
    struct pollfd fd = {.fd = PQsocket(p->connection), .events = events};
    while (time_left(p))
        if (fd.fd < 0 || poll(&fd, 1, POLL_MS) > 0)
            return fd.fd >= 0;
    set_fault(p, "the server did not answer in time");
    return false;
}

/* One server of several: the parameters after the URL replace those in it. NULL values are left out. */
static PGconn *start(const struct pg *p)
{
    static const char *const names[] = {"dbname", "application_name", "client_encoding", "keepalives_idle", "keepalives_interval",
                                        "keepalives_count", "tcp_user_timeout", "options", "host", "port", "hostaddr", NULL};
    char options[64], host[256], port[16], address[64];
    bool one = p->server_count > 1;
    /* A server that silently disappears is noticed within ten seconds. */
    const char *const values[] = {p->options.url, p->options.name, "UTF8", "4", "2", "3", "10000", options,
                                  one ? entry_of(p->hosts, p->server, host, sizeof(host)) : NULL,
                                  one ? entry_of(p->ports, p->server, port, sizeof(port)) : NULL,
                                  one ? entry_of(p->addresses, p->server, address, sizeof(address)) : NULL, NULL};
    /* Always with a limit: the server does not notice that a connection was given up while its statement waits for a lock. */
    snprintf(options, sizeof(options), "-c lock_timeout=%u", p->options.lock_ms ? p->options.lock_ms : p->options.limit_ms);
    return PQconnectStartParams(names, values, 1);
}

static bool connect_one(struct pg *p)
{
    uint64_t began_ns = clock_monotonic_ns();
    p->connection = start(p);
    bool waits = p->connection && PQstatus(p->connection) != CONNECTION_BAD;
    p->connect_until_ns = p->server_count > 1 ? began_ns + SERVER_LIMIT_MS * 1000000ull : UINT64_MAX;
    for (PostgresPollingStatusType next = PGRES_POLLING_WRITING; waits && next != PGRES_POLLING_OK;) {
        waits = wait_for(p, next == PGRES_POLLING_READING ? POLLIN : POLLOUT);
        next = waits ? PQconnectPoll(p->connection) : PGRES_POLLING_FAILED;
        if (next == PGRES_POLLING_FAILED) {
            if (waits)
                set_fault(p, PQerrorMessage(p->connection));
            return false;
        }
    }
    if (!waits && !p->fault[0])
        set_fault(p, p->connection ? PQerrorMessage(p->connection) : "out of memory");
    return waits;
}

/* Each server in turn, beginning with the one that was connected last. */
static bool connect_within(struct pg *p)
{
    bool connected = false;
    for (uint32_t i = 0; !connected; i++) {
        p->fault[0] = '\0';
        connected = connect_one(p);
        p->connect_until_ns = UINT64_MAX;
        if (connected || i + 1 >= p->server_count || !time_left(p))
            break;
        disconnect(p);
        p->server = (p->server + 1) % p->server_count;
    }
    if (!connected && p->server_count > 1)
        p->server = (p->server + 1) % p->server_count; /* a silent one must not use up the time of the next call, too */
    return connected;
}

/* ---- Statements ---- */

bool pg_statement_lost(const struct pg *p)
{
    return strncmp(p->state, "26", 2) == 0 || strcmp(p->state, "42P05") == 0;
}

bool pg_lacks_set_up(const struct pg *p)
{
    return strncmp(p->state, "42", 2) == 0 || strncmp(p->state, "28", 2) == 0 || strcmp(p->state, "3D000") == 0;
}

/* What a SQLSTATE means, by its class. */
static enum pg_outcome outcome_of(const char *state)
{
    static const char repeated[][3] = {"08", "25", "40", "53", "55", "57", "58"};
    if (!state[0])
        return PG_UNDECIDED; /* the connection was lost */
    if (strcmp(state, "53100") == 0)
        return PG_FULL;
    for (size_t i = 0; i < sizeof(repeated) / sizeof(repeated[0]); i++)
        if (memcmp(state, repeated[i], 2) == 0)
            return PG_UNDECIDED;
    return PG_REFUSED;
}

/* Waits for all that the server answers; the last result is kept, or the first fault. */
static enum pg_outcome collect(struct pg *p)
{
    enum pg_outcome outcome = PG_DONE;
    for (int left = 1; left;) {
        left = PQflush(p->connection);
        if (left < 0 || (left && !wait_for(p, POLLIN | POLLOUT)) || !PQconsumeInput(p->connection))
            goto lost;
    }
    for (;;) {
        while (PQisBusy(p->connection))
            if (!wait_for(p, POLLIN) || !PQconsumeInput(p->connection))
                goto lost;
        PGresult *next = PQgetResult(p->connection);
        if (!next)
            break;
        ExecStatusType status = PQresultStatus(next);
        if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
            PQclear(p->answer);
            p->answer = next;
            continue;
        }
        const char *state = PQresultErrorField(next, PG_DIAG_SQLSTATE);
        if (outcome == PG_DONE) {
            snprintf(p->state, sizeof(p->state), "%s", state ? state : "");
            set_fault(p, PQresultErrorMessage(next));
            outcome = outcome_of(p->state);
        }
        PQclear(next);
    }
    if (PQstatus(p->connection) != CONNECTION_OK || pg_statement_lost(p)) {
        disconnect(p);
        return PG_UNDECIDED;
    }
    return outcome;
lost:
    if (!p->fault[0])
        set_fault(p, PQerrorMessage(p->connection));
    disconnect(p);
    return PG_UNDECIDED;
}

/* After a first statement with a fault the connection is dropped: it may be to a server that cannot be written. */
static enum pg_outcome begin(struct pg *p)
{
    PQclear(p->answer);
    p->answer = NULL;
    p->warned = p->slow = false;
    p->fault[0] = p->state[0] = '\0';
    p->began_ns = clock_monotonic_ns();
    if (p->connection)
        return PG_DONE;
    if (!connect_within(p)) {
        disconnect(p);
        return PG_UNDECIDED;
    }
    PQsetNoticeReceiver(p->connection, on_notice, p);
    PQsetnonblocking(p->connection, 1);
    return PG_DONE;
}

static enum pg_outcome pg_statement_end(struct pg *p, enum pg_outcome outcome)
{
    if (outcome != PG_DONE || !p->warned)
        return outcome;
    set_fault(p, "the server warned that the commit may not be replicated");
    return PG_UNDECIDED;
}

static enum pg_outcome sent(struct pg *p, int fine)
{
    if (fine)
        return collect(p);
    set_fault(p, PQerrorMessage(p->connection));
    disconnect(p);
    return PG_UNDECIDED;
}

struct encoded {
    const char *values[PG_VALUES_MAX];
    int sizes[PG_VALUES_MAX], formats[PG_VALUES_MAX];
    Oid types[PG_VALUES_MAX];
    uint8_t numbers[PG_VALUES_MAX][8];
};

static void encode(const struct pg_value *v, int i, struct encoded *out)
{
    static const Oid types[] = {[PG_KIND_INT] = OID_INT8,
                                [PG_KIND_TEXT] = OID_TEXT,
                                [PG_KIND_BYTES] = OID_BYTEA,
                                [PG_KIND_ID] = OID_UUID};
    uint64_t number = (uint64_t)v->number;
    for (int k = 0; k < 8; k++)
        out->numbers[i][k] = (uint8_t)(number >> (56 - 8 * k));
    /* NULL would be SQL's NULL; no bytes are an empty value. */
    const char *at = v->at ? v->at : "";
    out->types[i] = types[v->kind];
    out->formats[i] = v->kind != PG_KIND_TEXT;
    out->values[i] = v->kind == PG_KIND_INT ? (const char *)out->numbers[i] : at;
    out->sizes[i] = v->kind == PG_KIND_INT ? 8 : v->kind == PG_KIND_ID ? 16 : (int)v->size;
}

/* The name of the statement on this connection; prepares it first if it is new there. */
static enum pg_outcome pg_statement_prepare(struct pg *p, const char *sql, const struct encoded *e, int count, char name[8])
{
    uint32_t i = 0;
    while (i < p->prepared_count && p->prepared[i] != sql)
        i++;
    snprintf(name, 8, "s%u", i);
    if (i < p->prepared_count)
        return PG_DONE;
    ASSERT(i < STATEMENTS_MAX);
    enum pg_outcome outcome = sent(p, PQsendPrepare(p->connection, name, sql, count, e->types));
    if (outcome == PG_DONE)
        p->prepared[p->prepared_count++] = sql;
    return outcome;
}

enum pg_outcome pg_run(struct pg *p, const char *sql, const struct pg_value *values, int count)
{
    struct encoded e;
    char name[8];
    ASSERT(count <= PG_VALUES_MAX);
    for (int i = 0; i < count; i++)
        encode(&values[i], i, &e);
    enum pg_outcome outcome = begin(p);
    if (outcome == PG_DONE)
        outcome = pg_statement_prepare(p, sql, &e, count, name);
    if (outcome == PG_DONE)
        outcome = sent(p, PQsendQueryPrepared(p->connection, name, count, e.values, e.sizes, e.formats, 1));
    return pg_statement_end(p, outcome);
}

enum pg_outcome pg_run_repeated(struct pg *p, const char *sql, const struct pg_value *values, int count)
{
    enum pg_outcome outcome = PG_UNDECIDED;
    for (int i = 0; i < REPEATS_MAX && outcome == PG_UNDECIDED; i++)
        outcome = pg_run(p, sql, values, count);
    return outcome;
}

enum pg_outcome pg_script(struct pg *p, const char *sql)
{
    enum pg_outcome outcome = begin(p);
    if (outcome == PG_DONE)
        outcome = sent(p, PQsendQuery(p->connection, sql));
    return pg_statement_end(p, outcome);
}

/* ---- Answers ---- */

int pg_rows_count(const struct pg *p)
{
    return p->answer ? PQntuples(p->answer) : 0;
}

bool pg_null(const struct pg *p, int row, int column)
{
    return PQgetisnull(p->answer, row, column);
}

int64_t pg_int(const struct pg *p, int row, int column)
{
    const uint8_t *at = (const uint8_t *)PQgetvalue(p->answer, row, column);
    int size = PQgetlength(p->answer, row, column);
    ASSERT(PQfformat(p->answer, column) == 1 && (size == 8 || size == 4 || size == 2 || size == 1));
    uint64_t number = size > 1 && at[0] & 0x80 ? UINT64_MAX : 0;
    for (int i = 0; i < size; i++)
        number = number << 8 | at[i];
    return (int64_t)number;
}

const uint8_t *pg_bytes(const struct pg *p, int row, int column, size_t *size)
{
    *size = (size_t)PQgetlength(p->answer, row, column);
    return (const uint8_t *)PQgetvalue(p->answer, row, column);
}

const char *pg_fault(const struct pg *p)
{
    return p->fault;
}

const char *pg_state(const struct pg *p)
{
    return p->state;
}

struct status pg_fault_status(const struct pg *p)
{
    return status_make(STATUS_IO, "the database did not accept a statement: %.150s", pg_fault(p));
}
