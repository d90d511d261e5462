/* SPDX-License-Identifier: Apache-2.0 */
/* hook_address.h — where a hook may connect. Decided by the address itself, after DNS resolution, at every connection:
 * a name can resolve to anything. */
#ifndef HTTP_HOOK_ADDRESS_H
#define HTTP_HOOK_ADDRESS_H

#include <sys/socket.h>

enum hook_reach {
    HOOK_REACH_PUBLIC,
    HOOK_REACH_PRIVATE, /* this machine, its networks, multicast, or an IPv4 address inside IPv6: --hooks-private */
    HOOK_REACH_NEVER, /* link-local, where clouds serve credentials; or not an internet address */
};

enum hook_reach hook_address_reach(const struct sockaddr *address);

#endif
