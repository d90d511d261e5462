/* SPDX-License-Identifier: Apache-2.0 */
/* fatal_exit.h — logs a fault and ends the process at once, with the fault's exit code.
 *
 * For a journal that cannot be written, and for data that cannot be trusted. No client has seen what is not durable; the
 * next start checks what is on disk. May be called by any thread.
 */
#ifndef STORE_FATAL_EXIT_H
#define STORE_FATAL_EXIT_H

#include "base/status.h"

_Noreturn void fatal_exit(const char *message, const struct status *fault);

#endif
