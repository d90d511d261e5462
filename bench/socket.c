/* SPDX-License-Identifier: Apache-2.0 */
#include "socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "stop.h"

static void come_from(int fd, uint32_t from)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(from)};
    int on = 1; /* the port is chosen when the other end is known, so that only the pair must be new */
    if (setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof(on)) ||
        bind(fd, (struct sockaddr *)&address, sizeof(address)))
        stop("cannot come from %s: %s", inet_ntoa(address.sin_addr), strerror(errno));
}

int socket_connect(const char *host, int port, uint32_t from)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int on = 1;
    if (inet_pton(AF_INET, host, &address.sin_addr) != 1)
        stop("'%s' is no IPv4 address", host);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        stop("cannot make a socket: %s", strerror(errno));
    if (from)
        come_from(fd, from);
    if (connect(fd, (struct sockaddr *)&address, sizeof(address)))
        stop("cannot connect to %s:%d: %s", host, port, strerror(errno));
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) || fcntl(fd, F_SETFL, O_NONBLOCK))
        stop("cannot prepare a connection: %s", strerror(errno));
    return fd;
}

void socket_allow(uint64_t files)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit))
        stop("cannot read the limit of open files: %s", strerror(errno));
    if (limit.rlim_cur >= files)
        return;
    limit.rlim_cur = files < limit.rlim_max ? files : limit.rlim_max;
    if (limit.rlim_cur < files || setrlimit(RLIMIT_NOFILE, &limit))
        stop("%llu open files are needed and %llu allowed: see ulimit -Hn", (unsigned long long)files,
             (unsigned long long)limit.rlim_max);
}
