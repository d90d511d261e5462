/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces _exit in programs of the cover variant, so that they write their counters first. A process that is
 * killed cannot. */
void __gcov_dump(void);
_Noreturn void __real__exit(int code);
_Noreturn void __wrap__exit(int code);

_Noreturn void __wrap__exit(int code)
{
    __gcov_dump();
    __real__exit(code);
}
