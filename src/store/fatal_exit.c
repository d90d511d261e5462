/* SPDX-License-Identifier: Apache-2.0 */
#include "store/fatal_exit.h"

#include <unistd.h>

#include "base/logging.h"

_Noreturn void fatal_exit(const char *message, const struct status *fault)
{
    log_error(message, {"fault", LOG_STR(fault->text)});
    /* Not exit(): other threads run, and nothing may be flushed or cleaned up any more. */
    _exit(status_exit_code(fault->kind));
}
