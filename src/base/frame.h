/* SPDX-License-Identifier: Apache-2.0 */
/* frame.h — functions that may keep more on the stack than the build allows (2 KB: FRAMES in the Makefile).
 *
 * Locals are zeroed (-ftrivial-auto-var-init), so a large one costs its size on every call. First consider the
 * request's arena, the state's step or memory_get. Bytes that are always written before they are read can skip the
 * zeroing: __attribute__((uninitialized)).
 */
#ifndef BASE_FRAME_H
#define BASE_FRAME_H

/* Put one before and the other after the function. `why` is only for the reader. */
#define LARGE_FRAME(why)                                                                                     \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wframe-larger-than=\"")
#define LARGE_FRAME_END _Pragma("GCC diagnostic pop")

#endif
