/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/shared_options.h"
#include "cluster/cluster_site.h"
#include "http/access/credentials.h"
#include "log/pg.h"
#include "store/migrate.h"

#define LIMIT_MS 600000

/* A key in the folder that the nodes would not know: what it signed would be refused. */
static struct status check_key(const char *from, const char *file, const char *name, const char *given,
                               const char *also)
{
    char text[CREDENTIALS_SIZE_MAX];
    int folder = open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int fd = folder < 0 ? -1 : openat(folder, file, O_RDONLY | O_CLOEXEC);
    int error = errno;
    if (folder >= 0)
        close(folder);
    if (fd < 0)
        return error == ENOENT
                   ? status_none()
                   : status_make(STATUS_IO, "cannot open %.150s/%s: %s", from, file, strerror(error));
    ssize_t size = read(fd, text, sizeof(text) - 1);
    close(fd);
    while (size > 0 && (text[size - 1] == '\n' || text[size - 1] == '\r' || text[size - 1] == ' '))
        size--;
    text[size > 0 ? size : 0] = '\0';
    bool known = size <= 0 || strcmp(text, given) == 0 || (also && strcmp(text, also) == 0);
    explicit_bzero(text, sizeof(text));
    return known ? status_none()
                 : status_make(STATUS_INVALID, "%s differs from %.150s/%s, which the folder was served with",
                               name, from, file);
}

static struct status check_keys(const char *from, const struct credentials_given *given)
{
    struct status fault = check_key(from, "secret", "HOLDFAST_SECRET", given->secret, given->secret_old);
    if (status_ok(&fault))
        fault = check_key(from, "ticket.key", "HOLDFAST_TICKET_KEY", given->ticket_key, NULL);
    return fault;
}

static struct status migrate(const char *from, const char *store, const char *site,
                             struct migrate_report *report)
{
    const struct credentials_given given = {.admin_key = getenv("HOLDFAST_ADMIN_KEY"),
                                            .secret = getenv("HOLDFAST_SECRET"),
                                            .secret_old = getenv("HOLDFAST_SECRET_OLD"),
                                            .ticket_key = getenv("HOLDFAST_TICKET_KEY")};
    struct cluster_site_options options = {.url = store, .name = site, .node = "migrate"};
    _Static_assert(sizeof(options.prints) == SHARED_PRINTS_SIZE, "the same prints");
    struct status fault = credentials_check(&given);
    if (status_ok(&fault))
        fault = shared_prints(&given, options.prints, options.prints_old);
    if (status_ok(&fault))
        fault = check_keys(from, &given);
    if (!status_ok(&fault))
        return fault;
    struct pg *pg =
        pg_make(&(struct pg_options){.url = store, .name = "holdfast migrate", .limit_ms = LIMIT_MS});
    fault = migrate_run(from, pg, &options, report);
    pg_release(pg);
    return fault;
}

int cli_migrate(int argc, char **argv)
{
    const char *from = NULL, *store = NULL, *site = "main";
    const struct option table[] = {
        {OPTION_TEXT, "from", &from, "DATA", "stopped data folder; it is not changed", 0, 0},
        {OPTION_TEXT, "store", &store, "URL", "PostgreSQL, postgres://…", 0, 0},
        {OPTION_TEXT, "site", &site, "NAME", "the log to create in that database (main)", 0, 0},
        {OPTION_END, NULL, NULL, NULL, NULL, 0, 0},
    };
    struct migrate_report report;
    if (options_help_requested(argc, argv)) {
        options_print("migrate --from DATA --store URL [--site NAME]", table);
        puts("\nMoves a stopped data folder into a new site of PostgreSQL, with all seqs and fences. Needs "
             "the same\n"
             "HOLDFAST_SECRET, HOLDFAST_TICKET_KEY and HOLDFAST_ADMIN_KEY as the nodes of the site.");
        return 0;
    }
    struct status fault = options_read(table, argc, argv);
    if (status_ok(&fault) && (!from || !store))
        fault = status_make(STATUS_INVALID, "missing --from DATA or --store URL; see --help");
    if (status_ok(&fault))
        fault = migrate(from, store, site, &report);
    if (!status_ok(&fault)) {
        fprintf(stderr, "holdfast migrate: %s\n", fault.text);
        return status_exit_code(fault.kind);
    }
    printf("migrate: everything up to seq %llu is in the site %s; start nodes with new folders, and do not "
           "serve %s again\n",
           (unsigned long long)report.last_seq, site, from);
    return 0;
}
