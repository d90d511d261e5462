/* SPDX-License-Identifier: Apache-2.0 */
/* hook_address.h — to whom a hook may connect. Judged for the address itself, after DNS, at every connect: a name says
 * nothing about where it leads. */
#ifndef HTTP_HOOK_ADDRESS_H
#define HTTP_HOOK_ADDRESS_H

#include <sys/socket.h>

enum hook_reach {
    HOOK_REACH_PUBLIC,
    HOOK_REACH_PRIVATE, /* this machine, its networks, multicast, or an IPv4 address in disguise: --hooks-private */
    HOOK_REACH_NEVER, /* link-local: where clouds keep their credentials; or no internet address at all */
};

enum hook_reach hook_address_reach(const struct sockaddr *address);

#endif
