/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stop.h"

static const char usage[] =
    "usage: load WORKLOAD --port PORT [option ...]\n"
    "\n"
    "workloads: hold, refuse, slot, join, check-in, commit, pay, fixed, get, mixed, stream, redis-set, "
    "redis-hot\n"
    "  mixed is hold plus --reads GETs a second of --path on connections of their own\n"
    "  stream joins --connections users to the waiting room of --event, which is paused, follows the stream "
    "of\n"
    "  each, resumes the room and waits up to --time until all have been admitted; --rate is the room's,\n"
    "  to report how far behind it they were\n"
    "\n"
    "  --host ADDRESS          127.0.0.1\n"
    "  --connections N         64\n"
    "  --threads N             1\n"
    "  --time SECONDS          stop after this long; so does SIGTERM\n"
    "  --count N               stop after this many requests\n"
    "  --rate N                open loop, N requests a second; without it closed loop\n"
    "  --start-at MS           begin at this instant (milliseconds since the epoch)\n"
    "  --event NAME            or calendar; bench; with --events N: NAME-0, NAME-1, …\n"
    "  --events N              1\n"
    "  --seats N               seats s0 … of each event, or slots of each calendar; 1000000\n"
    "  --first N               where in the order of seats and users to begin; the seat of refuse; the "
    "first\n"
    "                          user of join and stream; 0\n"
    "  --random SEED           pseudo-random order instead of ascending\n"
    "  --users N               different users, each with a token; 100000\n"
    "  --tokens-end SECONDS    when the tokens expire (since the epoch); without it in a day\n"
    "  --digest                send nothing: print the SHA-256 of the first --count requests\n"
    "  --admin                 send the admin key, and user_id in the body, instead of user tokens\n"
    "  --commit                buy at once; with --admin\n"
    "  --sell-every N          only every Nth request buys at once; with --admin\n"
    "  --slots-from SECONDS    when the first slot begins (since the epoch); one every half hour\n"
    "  --item FIELDS           more fields of each item, as JSON: '\"code\":\"FRIENDS\"'\n"
    "  --short                 {\"resource_id\":\"event/seat\"} instead of items\n"
    "  --ttl SECONDS           ttl_seconds of each hold; EX of redis-set\n"
    "  --ends-at SECONDS       all holds end within the second that begins there (since the epoch),\n"
    "                          or at most 50 ms before it\n"
    "  --path PATH             of get and mixed\n"
    "  --codes FILE            of check-in and commit, with --admin, and of pay: one ticket code or one\n"
    "                          reservation id per line; --first skips some\n"
    "  --provider-secret TEXT  of pay: signs the events\n"
    "  --reads N               of mixed, a second; 50\n"
    "  --read-connections N    of mixed; 8\n"
    "\n"
    "HOLDFAST_SECRET signs the tokens, HOLDFAST_ADMIN_KEY is the key of --admin and of stream.\n";

enum option_name {
    OPTION_HOST = 256,
    OPTION_PORT,
    OPTION_CONNECTIONS,
    OPTION_THREADS,
    OPTION_TIME,
    OPTION_COUNT,
    OPTION_RATE,
    OPTION_START_AT,
    OPTION_EVENT,
    OPTION_EVENTS,
    OPTION_SEATS,
    OPTION_FIRST,
    OPTION_RANDOM,
    OPTION_USERS,
    OPTION_TOKENS_END,
    OPTION_DIGEST,
    OPTION_ADMIN,
    OPTION_COMMIT,
    OPTION_SELL_EVERY,
    OPTION_SLOTS_FROM,
    OPTION_ITEM,
    OPTION_SHORT,
    OPTION_TTL,
    OPTION_ENDS_AT,
    OPTION_PATH,
    OPTION_CODES,
    OPTION_PROVIDER_SECRET,
    OPTION_READS,
    OPTION_READ_CONNECTIONS,
    OPTION_HELP,
};

static const struct option table[] = {
    {"host", required_argument, NULL, OPTION_HOST},
    {"port", required_argument, NULL, OPTION_PORT},
    {"connections", required_argument, NULL, OPTION_CONNECTIONS},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"time", required_argument, NULL, OPTION_TIME},
    {"count", required_argument, NULL, OPTION_COUNT},
    {"rate", required_argument, NULL, OPTION_RATE},
    {"start-at", required_argument, NULL, OPTION_START_AT},
    {"event", required_argument, NULL, OPTION_EVENT},
    {"events", required_argument, NULL, OPTION_EVENTS},
    {"seats", required_argument, NULL, OPTION_SEATS},
    {"first", required_argument, NULL, OPTION_FIRST},
    {"random", required_argument, NULL, OPTION_RANDOM},
    {"users", required_argument, NULL, OPTION_USERS},
    {"tokens-end", required_argument, NULL, OPTION_TOKENS_END},
    {"digest", no_argument, NULL, OPTION_DIGEST},
    {"admin", no_argument, NULL, OPTION_ADMIN},
    {"commit", no_argument, NULL, OPTION_COMMIT},
    {"sell-every", required_argument, NULL, OPTION_SELL_EVERY},
    {"slots-from", required_argument, NULL, OPTION_SLOTS_FROM},
    {"item", required_argument, NULL, OPTION_ITEM},
    {"short", no_argument, NULL, OPTION_SHORT},
    {"ttl", required_argument, NULL, OPTION_TTL},
    {"ends-at", required_argument, NULL, OPTION_ENDS_AT},
    {"path", required_argument, NULL, OPTION_PATH},
    {"codes", required_argument, NULL, OPTION_CODES},
    {"provider-secret", required_argument, NULL, OPTION_PROVIDER_SECRET},
    {"reads", required_argument, NULL, OPTION_READS},
    {"read-connections", required_argument, NULL, OPTION_READ_CONNECTIONS},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

static uint64_t whole(const char *text, uint64_t least, uint64_t most)
{
    char *end = NULL;
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    if (errno || end == text || *end || *text == '-' || value < least || value > most)
        stop("'%s' is not a whole number from %llu to %llu", text, (unsigned long long)least,
             (unsigned long long)most);
    return value;
}

static double positive(const char *text)
{
    char *end = NULL;
    double value = strtod(text, &end);
    if (end == text || *end || !(value > 0) || value > 1e9)
        stop("'%s' is not a number above 0", text);
    return value;
}

/* Returns whether the option is about pace or duration. */
static bool set_pace(struct options *o, int name, const char *value)
{
    switch (name) {
    case OPTION_HOST:
        o->host = o->workload.host = value;
        return true;
    case OPTION_PORT:
        o->port = (int)whole(value, 1, 65535);
        return true;
    case OPTION_CONNECTIONS:
        o->connections = (int)whole(value, 1, 20000);
        return true;
    case OPTION_THREADS:
        o->threads = (int)whole(value, 1, 64);
        return true;
    case OPTION_TIME:
        o->time_s = positive(value);
        return true;
    case OPTION_COUNT:
        o->count = whole(value, 1, UINT64_MAX / 2);
        return true;
    case OPTION_DIGEST:
        o->digest = true;
        return true;
    case OPTION_RATE:
        o->rate = positive(value);
        return true;
    case OPTION_START_AT:
        o->start_at_ms = (int64_t)whole(value, 1, INT64_MAX / 1000000);
        return true;
    case OPTION_READS:
        o->reads = positive(value);
        return true;
    case OPTION_READ_CONNECTIONS:
        o->read_connections = (int)whole(value, 1, 20000);
        return true;
    default:
        return false;
    }
}

/* The rest is about the requests. */
static void set_workload(struct options *o, int name, const char *value)
{
    struct workload_settings *w = &o->workload;
    switch (name) {
    case OPTION_EVENT:
        w->event = value;
        break;
    case OPTION_EVENTS:
        w->events = whole(value, 1, 1000);
        break;
    case OPTION_SEATS:
        w->seats = whole(value, 1, UINT64_C(4000000000));
        break;
    case OPTION_FIRST:
        w->first = whole(value, 0, UINT64_C(4000000000));
        break;
    case OPTION_RANDOM:
        w->random = true;
        w->seed = whole(value, 0, UINT64_MAX);
        break;
    case OPTION_USERS:
        w->users = whole(value, 1, 99999999);
        break;
    case OPTION_TOKENS_END:
        w->tokens_end = (int64_t)whole(value, 1, INT64_MAX / 1000000000);
        break;
    case OPTION_ADMIN:
        w->key = o->admin_key;
        if (!w->key)
            stop("--admin needs HOLDFAST_ADMIN_KEY in the environment");
        break;
    case OPTION_COMMIT:
        w->commit = true;
        break;
    case OPTION_SELL_EVERY:
        w->sell_every = whole(value, 1, UINT32_MAX);
        break;
    case OPTION_SLOTS_FROM:
        w->slots_from = (int64_t)whole(value, 1, INT64_MAX / 1000000000);
        break;
    case OPTION_ITEM:
        w->item = value;
        break;
    case OPTION_SHORT:
        w->short_form = true;
        break;
    case OPTION_TTL:
        w->ttl_seconds = (int64_t)whole(value, 1, 999999);
        break;
    case OPTION_ENDS_AT:
        w->ends_at = (int64_t)whole(value, 1, INT64_MAX / 1000000000);
        break;
    case OPTION_PATH:
        w->path = o->read_path = value;
        break;
    case OPTION_CODES:
        w->codes = value;
        break;
    case OPTION_PROVIDER_SECRET:
        w->provider_secret = value;
        break;
    case OPTION_HELP:
        fputs(usage, stdout);
        exit(0);
    default:
        fputs(usage, stderr);
        exit(2);
    }
}

static void choose(struct options *o, const char *name)
{
    static const struct {
        const char *name;
        enum workload_kind kind;
    } kinds[] = {
        {"hold", WORKLOAD_HOLD},
        {"refuse", WORKLOAD_REFUSE},
        {"slot", WORKLOAD_SLOT},
        {"join", WORKLOAD_JOIN},
        {"fixed", WORKLOAD_FIXED},
        {"get", WORKLOAD_GET},
        {"mixed", WORKLOAD_HOLD},
        {"stream", WORKLOAD_JOIN},
        {"redis-set", WORKLOAD_REDIS_SET},
        {"redis-hot", WORKLOAD_REDIS_HOT},
        {"check-in", WORKLOAD_CHECK_IN},
        {"commit", WORKLOAD_COMMIT},
        {"pay", WORKLOAD_PAY},
    };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(name, kinds[i].name))
            continue;
        o->workload.kind = kinds[i].kind;
        o->stream = !strcmp(name, "stream");
        if (strcmp(name, "mixed"))
            o->reads = 0;
        else if (!o->reads)
            o->reads = 50;
        return;
    }
    stop("no workload is called '%s'; see --help", name);
}

static void check(const struct options *o)
{
    bool slot = o->workload.kind == WORKLOAD_SLOT;
    bool signs = slot || o->workload.kind == WORKLOAD_HOLD || o->workload.kind == WORKLOAD_REFUSE ||
                 o->workload.kind == WORKLOAD_JOIN;
    if (!o->port && !o->digest)
        stop("--port is missing");
    if (signs && !o->workload.key && !o->workload.secret)
        stop("HOLDFAST_SECRET is not set: it signs the user tokens");
    if ((o->workload.commit || o->workload.sell_every) && !o->workload.key)
        stop("--commit and --sell-every are for --admin");
    if (o->workload.commit && o->workload.sell_every)
        stop("--commit and --sell-every exclude each other");
    if (o->workload.kind == WORKLOAD_CHECK_IN && (!o->workload.codes || !o->workload.key))
        stop("check-in needs --codes and --admin");
    if (o->workload.kind == WORKLOAD_COMMIT && (!o->workload.codes || !o->workload.key))
        stop("commit needs --codes and --admin");
    if (o->workload.kind == WORKLOAD_PAY && (!o->workload.codes || !o->workload.provider_secret))
        stop("pay needs --codes and --provider-secret");
    if (slot && !o->workload.slots_from)
        stop("--slots-from is missing");
    if ((o->workload.kind == WORKLOAD_GET || o->reads > 0) && !o->workload.path)
        stop("--path is missing");
    if (o->digest && (!o->count || o->stream))
        stop("--digest needs --count, and does not go with stream");
    if (o->stream && (!o->workload.secret || !o->admin_key))
        stop("stream needs HOLDFAST_SECRET and HOLDFAST_ADMIN_KEY in the environment");
    if (o->time_s == 0 && !o->count && !o->stream)
        stop("give --time or --count, or both");
    if (o->connections < o->threads)
        stop("each thread needs a connection");
}

void options_read(struct options *o, int argc, char **argv)
{
    *o = (struct options){
        .host = "127.0.0.1",
        .connections = 64,
        .threads = 1,
        .read_connections = 8,
        .workload = {.host = "127.0.0.1", .event = "bench", .events = 1, .seats = 1000000, .users = 100000},
    };
    o->workload.secret = getenv("HOLDFAST_SECRET");
    o->admin_key = getenv("HOLDFAST_ADMIN_KEY");
    int name;
    while ((name = getopt_long(argc, argv, "", table, NULL)) != -1)
        if (!set_pace(o, name, optarg))
            set_workload(o, name, optarg);
    if (optind + 1 != argc) {
        fputs(usage, stderr);
        exit(2);
    }
    choose(o, argv[optind]);
    check(o);
}
