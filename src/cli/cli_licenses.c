/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "base/assertion.h"
#include "cli/cli.h"
#include "http/web/assets.h"

int cli_licenses(int argc, char **argv)
{
    (void)argv;
    if (argc > 0) {
        fputs("usage: holdfast licenses\n\nPrints the licenses of the libraries built into the program.\n",
              stderr);
        return 64;
    }
    const struct asset *notices = asset_find(TEXT("/licenses.txt"));
    ASSERT(notices);
    return fwrite(notices->plain, 1, notices->plain_size, stdout) == notices->plain_size ? 0 : 74;
}
