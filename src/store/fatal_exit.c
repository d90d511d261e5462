/* SPDX-License-Identifier: Apache-2.0 */
#include "store/fatal_exit.h"

#include <unistd.h>

#include "base/assertion.h"
#include "base/logging.h"

_Noreturn void fatal_exit(const char *message, const struct status *fault)
{
    ASSERT(!status_ok(fault)); /* it would exit with 0 */
    log_error(message, {"fault", LOG_STR(fault->text)});
    /* Not exit(): other threads are running, and nothing may be flushed or cleaned up. */
    _exit(status_exit_code(fault->kind));
}
