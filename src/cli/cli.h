/* SPDX-License-Identifier: Apache-2.0 */
/* cli.h — the subcommands of the program. Each gets the arguments after its own name and returns the exit
 * code. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

int cli_serve(int argc, char **argv);    /* serve.c */
int cli_demo(int argc, char **argv);     /* demo.c */
int cli_check(int argc, char **argv);    /* cli_check.c */
int cli_cluster(int argc, char **argv);  /* cli_cluster.c */
int cli_migrate(int argc, char **argv);  /* cli_migrate.c */
int cli_backup(int argc, char **argv);   /* cli_backup.c */
int cli_restore(int argc, char **argv);  /* cli_backup.c */
int cli_export(int argc, char **argv);   /* export.c */
int cli_simulate(int argc, char **argv); /* simulate.c */
int cli_licenses(int argc, char **argv); /* cli_licenses.c */
int cli_openapi(int argc, char **argv);  /* cli_openapi.c */

#endif
