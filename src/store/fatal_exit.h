/* SPDX-License-Identifier: Apache-2.0 */
/* fatal_exit.h — says why the process must not go on, and ends it at once with the fault's exit code.
 *
 * For a journal that cannot be written and for data that cannot be trusted: nobody was shown what is not
 * durable, and the next start judges what is there. May be called by any thread.
 */
#ifndef STORE_FATAL_EXIT_H
#define STORE_FATAL_EXIT_H

#include "base/status.h"

_Noreturn void fatal_exit(const char *message, const struct status *fault);

#endif
