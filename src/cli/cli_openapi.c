/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "cli/cli.h"
#include "http/describe/openapi.h"
#include "http/routes.h"

int cli_openapi(int argc, char **argv)
{
    (void)argv;
    if (argc > 0) {
        fputs("usage: holdfast openapi\n\nPrints the OpenAPI 3.1 description of the API, as /openapi.json "
              "shows it.\n",
              stderr);
        return 64;
    }
    struct buf document;
    buf_init(&document, OPENAPI_SIZE_MAX);
    routes_init(false);
    openapi_write(&document);
    bool written = fwrite(document.data, 1, document.size, stdout) == document.size && fflush(stdout) == 0;
    buf_release(&document);
    return written ? 0 : 74;
}
