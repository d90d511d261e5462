/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/json/json_writer.h"
#include "base/memory/buf.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cluster/cluster_site.h"
#include "cluster/nodes.h"
#include "cluster/site_status.h"
#include "log/pg.h"
#include "store/adopt.h"

#define LIMIT_MS 60000
#define ADOPT_LIMIT_MS 600000 /* one statement deletes a whole log */
#define JSON_SIZE_MAX ((size_t)16 << 20)

struct cluster_options {
    const char *store, *site;
    bool json;
    uint32_t limit_ms;
};

static int failed(const char *doing, const struct status *fault)
{
    fprintf(stderr, "holdfast cluster %s: %s\n", doing, fault->text);
    return status_exit_code(fault->kind);
}

/* ---- status ---- */

static void write_node(struct json_writer *w, const struct site_status *s, const struct node_row *n)
{
    json_object_begin(w);
    json_key(w, "node");
    json_string(w, n->id);
    json_key(w, "role");
    json_string(w, n->owner ? "owner" : "follower");
    json_key(w, "url");
    json_string(w, n->url);
    json_key(w, "version");
    json_string(w, n->version);
    json_key(w, "format");
    json_int(w, n->format);
    json_key(w, "book_seq");
    json_uint(w, n->book);
    json_key(w, "behind");
    json_uint(w, s->last_seq > n->book ? s->last_seq - n->book : 0);
    json_key(w, "clean_seq");
    json_uint(w, n->clean);
    json_key(w, "seen_ms_ago");
    json_int(w, n->ago_ms);
    json_object_end(w);
}

static void print_json(const struct cluster_options *o, const struct site_status *s)
{
    struct buf text;
    buf_init(&text, JSON_SIZE_MAX);
    struct json_writer w = json_writer_make(&text);
    json_object_begin(&w);
    json_key(&w, "site");
    json_string(&w, o->site);
    json_key(&w, "epoch");
    json_uint(&w, s->epoch);
    json_key(&w, "owner");
    json_string(&w, s->owner[0] ? s->owner : NULL);
    json_key(&w, "halted");
    json_string(&w, s->is_halted ? s->halted : NULL);
    json_key(&w, "format");
    json_int(&w, s->format);
    json_key(&w, "first_seq");
    json_uint(&w, s->first_seq);
    json_key(&w, "last_seq");
    json_uint(&w, s->last_seq);
    json_key(&w, "snapshot_seq");
    json_uint(&w, s->snapshot_seq);
    json_key(&w, "nodes");
    json_array_begin(&w);
    for (uint32_t i = 0; i < s->node_count; i++)
        write_node(&w, s, &s->nodes[i]);
    json_array_end(&w);
    json_object_end(&w);
    printf("%.*s\n", (int)text.size, (const char *)text.data);
    buf_release(&text);
}

static int widest(const struct site_status *s)
{
    size_t width = strlen("NODE");
    for (uint32_t i = 0; i < s->node_count; i++)
        if (strlen(s->nodes[i].id) > width)
            width = strlen(s->nodes[i].id);
    return (int)width;
}

static void print_table(const struct cluster_options *o, const struct site_status *s)
{
    int width = widest(s);
    printf("site %s: epoch %llu, owner %s, log %llu to %llu, newest snapshot ", o->site,
           (unsigned long long)s->epoch, s->owner[0] ? s->owner : "none", (unsigned long long)s->first_seq,
           (unsigned long long)s->last_seq);
    if (s->snapshot_seq)
        printf("%llu\n", (unsigned long long)s->snapshot_seq);
    else
        puts("none");
    if (s->is_halted)
        printf("halted: %s\n", s->halted);
    printf("\n%-*s  %-8s  %14s  %10s  %10s  %-12s  %s\n", width, "NODE", "ROLE", "BOOK", "BEHIND", "SEEN",
           "VERSION", "URL");
    for (uint32_t i = 0; i < s->node_count; i++) {
        const struct node_row *n = &s->nodes[i];
        char seen[32];
        snprintf(seen, sizeof(seen), "%lld.%llds ago", (long long)n->ago_ms / 1000,
                 (long long)n->ago_ms % 1000 / 100);
        printf("%-*s  %-8s  %14llu  %10llu  %10s  %-12s  %s\n", width, n->id, n->owner ? "owner" : "follower",
               (unsigned long long)n->book,
               (unsigned long long)(s->last_seq > n->book ? s->last_seq - n->book : 0), seen, n->version,
               n->url);
    }
}

static struct status status_of_site(const struct cluster_options *o, struct pg *pg, int32_t shard)
{
    struct site_status s;
    struct status fault = site_status_read(&s, pg, shard);
    if (status_ok(&fault)) {
        if (o->json)
            print_json(o, &s);
        else
            print_table(o, &s);
    }
    site_status_release(&s);
    return fault;
}

/* ---- The commands ---- */

/* Reads the options, and connects. */
static struct status enter(struct cluster_options *o, bool json, int argc, char **argv, struct pg **pg,
                           struct cluster_site *site)
{
    struct option table[] = {
        {OPTION_TEXT, "store", &o->store, "URL", "PostgreSQL with the site, postgres://…", 0, 0},
        {OPTION_TEXT, "site", &o->site, "NAME", "which log of that database (main)", 0, 0},
        {json ? OPTION_SWITCH : OPTION_END, "json", &o->json, "", "as JSON", 0, 0},
        {OPTION_END, NULL, NULL, NULL, NULL, 0, 0},
    };
    o->site = "main";
    *pg = NULL;
    struct status fault = options_read(table, argc, argv);
    if (status_ok(&fault) && !o->store)
        fault = status_make(STATUS_INVALID, "missing --store URL; see --help");
    if (!status_ok(&fault))
        return fault;
    *pg = pg_make(&(struct pg_options){.url = o->store, .name = "holdfast cluster", .limit_ms = o->limit_ms});
    return cluster_site_find(site, *pg, o->site);
}

static int run_status(int argc, char **argv)
{
    struct cluster_options o = {.limit_ms = LIMIT_MS};
    struct cluster_site site;
    struct pg *pg;
    struct status fault = enter(&o, true, argc, argv, &pg, &site);
    if (status_ok(&fault))
        fault = status_of_site(&o, pg, site.shard);
    pg_release(pg);
    return status_ok(&fault) ? 0 : failed("status", &fault);
}

static int run_forget(int argc, char **argv)
{
    struct cluster_options o = {.limit_ms = LIMIT_MS};
    struct cluster_site site;
    struct pg *pg;
    if (argc == 0 || argv[0][0] == '-') {
        fputs("holdfast cluster forget: missing NODE; see --help\n", stderr);
        return 64;
    }
    struct status fault = enter(&o, false, argc - 1, argv + 1, &pg, &site);
    if (status_ok(&fault))
        fault = node_forget(pg, site.shard, argv[0]);
    pg_release(pg);
    if (!status_ok(&fault))
        return failed("forget", &fault);
    printf("forgot %s; if it starts again, it discards its book\n", argv[0]);
    return 0;
}

static int run_adopt(int argc, char **argv)
{
    struct cluster_options o = {.limit_ms = ADOPT_LIMIT_MS};
    struct cluster_site site;
    struct pg *pg;
    struct adopt_report report;
    struct status fault = enter(&o, false, argc, argv, &pg, &site);
    if (status_ok(&fault))
        fault = adopt_run(&(struct adopt_options){o.store, o.site}, pg, &site, &report);
    pg_release(pg);
    if (!status_ok(&fault))
        return failed("adopt", &fault);
    printf("adopted the log that ends with seq %llu; it goes on with seq %llu, in epoch %llu\n",
           (unsigned long long)report.old_seq, (unsigned long long)report.new_seq,
           (unsigned long long)report.epoch);
    return 0;
}

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {{"status", run_status}, {"forget", run_forget}, {"adopt", run_adopt}};

int cli_cluster(int argc, char **argv)
{
    bool asked = options_help_requested(argc, argv);
    for (size_t i = 0; !asked && argc > 0 && i < sizeof(commands) / sizeof(commands[0]); i++)
        if (strcmp(argv[0], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    if (!asked && argc > 0)
        fprintf(stderr, "holdfast cluster: unknown command '%s'\n", argv[0]);
    fputs(
        "usage: holdfast cluster status --store URL [--site NAME] [--json]\n"
        "       holdfast cluster forget NODE --store URL [--site NAME]\n"
        "       holdfast cluster adopt --store URL [--site NAME]\n\n"
        "  status  the nodes of a site: which one is the owner, how far their books go, when they were last "
        "seen\n"
        "  forget  remove a node that will not come back; if it does, it discards its book\n"
        "  adopt   declare the log in the database valid, after a restore or a failover that lost\n"
        "          acknowledged changes; all nodes must be stopped\n\n"
        "Exit code 64: refused; 65: damage; 73: no space; 74: the database does not answer; 75: a node is running.\n",
        asked ? stdout : stderr);
    return asked ? 0 : 64;
}
