/* SPDX-License-Identifier: Apache-2.0 */
#include "http/wire/listen.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BACKLOG 4096

static struct status not_an_address(const char *text)
{
    return status_make(STATUS_INVALID,
                       "%s is not an address to listen on; expected one such as 127.0.0.1:8080 or [::1]:8080",
                       text);
}

struct status listen_read(const char *text, struct sockaddr_storage *out)
{
    const char *colon = strrchr(text, ':');
    char host[64], *end;
    if (!colon || colon == text || (size_t)(colon - text) >= sizeof host || colon[1] < '0' || colon[1] > '9')
        return not_an_address(text);
    unsigned long port = strtoul(colon + 1, &end, 10);
    if (*end || port > 65535)
        return not_an_address(text);
    bool brackets = text[0] == '[' && colon[-1] == ']';
    snprintf(host, sizeof host, "%.*s", (int)(colon - text) - 2 * brackets, text + brackets);
    if (strcmp(host, "localhost") == 0)
        snprintf(host, sizeof host, "127.0.0.1");
    memset(out, 0, sizeof *out);
    int failed = brackets ? uv_ip6_addr(host, (int)port, (struct sockaddr_in6 *)(void *)out)
                          : uv_ip4_addr(host, (int)port, (struct sockaddr_in *)(void *)out);
    return failed ? not_an_address(text) : status_none();
}

static struct status cannot_listen(const char *text, int error)
{
    return status_make(error == EADDRINUSE ? STATUS_BUSY : STATUS_INVALID, "cannot listen on %s: %s", text,
                       strerror(error));
}

struct status listen_bind(const char *text, int *out)
{
    struct sockaddr_storage address;
    struct status status = listen_read(text, &address);
    if (!status_ok(&status))
        return status;
    bool v6 = address.ss_family == AF_INET6;
    int fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1, off = 0;
    if (fd < 0)
        return status_make(STATUS_IO, "cannot create a socket: %s", strerror(errno));
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (v6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off); /* [::] includes IPv4 */
    socklen_t size = v6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    if (bind(fd, (const struct sockaddr *)&address, size) == 0) {
        *out = fd;
        return status_none();
    }
    status = cannot_listen(text, errno);
    close(fd);
    return status;
}

unsigned listen_port(int fd)
{
    struct sockaddr_storage address = {0};
    struct sockaddr_in in; /* sockaddr_in6 has its port in the same place */
    socklen_t size = sizeof address;
    getsockname(fd, (struct sockaddr *)&address, &size);
    memcpy(&in, &address, sizeof in);
    return ntohs(in.sin_port);
}

struct status listen_open(uv_tcp_t *listener, uv_loop_t *loop, int take, uv_connection_cb on_connection)
{
    char text[96] = "";
    int error = uv_tcp_init(loop, listener);
    if (!error)
        error = uv_tcp_open(listener, take);
    if (error) {
        close(take);
        return status_make(STATUS_IO, "cannot create a socket: %s", uv_strerror(error));
    }
    error = uv_listen((uv_stream_t *)listener, BACKLOG, on_connection);
    if (!error)
        return status_none();
    listen_address(listener, text, sizeof text);
    uv_close((uv_handle_t *)listener, NULL);
    return cannot_listen(text, -error);
}

void listen_address(const uv_tcp_t *listener, char *out, size_t size)
{
    struct sockaddr_storage address;
    int length = sizeof address;
    char host[64] = "?";
    unsigned port = 0;
    if (uv_tcp_getsockname(listener, (struct sockaddr *)&address, &length) == 0) {
        struct sockaddr_in in; /* sockaddr_in6 has its port in the same place */
        memcpy(&in, &address, sizeof in);
        uv_ip_name((struct sockaddr *)&address, host, sizeof host);
        port = ntohs(in.sin_port);
    }
    snprintf(out, size, strchr(host, ':') ? "[%s]:%u" : "%s:%u", host, port);
}
