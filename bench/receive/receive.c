/* SPDX-License-Identifier: Apache-2.0 */
/* receive.c — accepts webhooks and answers 204, as cheaply as possible, so that a figure shows the sender's cost.
 *
 * Prints the port it listens on, a free one on the loopback, and at SIGTERM how many requests it had.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECTIONS_MAX 512
#define REQUEST_MAX (64 << 10)

static const char answer[] = "HTTP/1.1 204 No Content\r\n\r\n";
static const char length_name[] = "\r\nContent-Length: ";

struct connection {
    size_t size;
    char bytes[REQUEST_MAX + 1];
};

static struct pollfd polled[CONNECTIONS_MAX];
static struct connection *connections[CONNECTIONS_MAX];
static nfds_t count = 1; /* the first is the listener */
static unsigned long long taken;
static volatile sig_atomic_t over;

static void on_term(int number)
{
    (void)number;
    over = 1;
}

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "receive: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int listen_somewhere(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(at);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, size) || listen(fd, 128) ||
        getsockname(fd, (struct sockaddr *)&at, &size))
        fail("cannot listen");
    printf("%d\n", ntohs(at.sin_port));
    fflush(stdout);
    return fd;
}

static void take_in(void)
{
    int on = 1, fd = accept4(polled[0].fd, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0)
        return;
    if (count == CONNECTIONS_MAX) {
        close(fd);
        return;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    connections[count] = calloc(1, sizeof(struct connection));
    if (!connections[count])
        fail("no memory");
    polled[count++] = (struct pollfd){.fd = fd, .events = POLLIN};
}

static void close_at(nfds_t i)
{
    close(polled[i].fd);
    free(connections[i]);
    polled[i] = polled[--count];
    connections[i] = connections[count];
}

/* The size of the first request, or 0: incomplete. */
static size_t request_size(struct connection *c)
{
    c->bytes[c->size] = 0;
    const char *end = strstr(c->bytes, "\r\n\r\n"), *length = strstr(c->bytes, length_name);
    if (!end || !length || length > end)
        return 0;
    size_t size = (size_t)(end - c->bytes) + 4 + strtoul(length + strlen(length_name), NULL, 10);
    return size <= c->size ? size : 0;
}

/* Returns whether the connection stays open. */
static int serve(nfds_t i)
{
    struct connection *c = connections[i];
    ssize_t got = read(polled[i].fd, c->bytes + c->size, REQUEST_MAX - c->size);
    if (got <= 0)
        return 0;
    c->size += (size_t)got;
    for (size_t size; (size = request_size(c)); taken++) {
        memmove(c->bytes, c->bytes + size, c->size - size);
        c->size -= size;
        if (write(polled[i].fd, answer, sizeof(answer) - 1) != (ssize_t)sizeof(answer) - 1)
            return 0;
    }
    return c->size < REQUEST_MAX;
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    struct sigaction end = {.sa_handler = on_term};
    sigaction(SIGTERM, &end, NULL);
    polled[0] = (struct pollfd){.fd = listen_somewhere(), .events = POLLIN};
    while (!over) {
        if (poll(polled, count, -1) < 0)
            continue;
        for (nfds_t i = count; i-- > 1;)
            if (polled[i].revents && !serve(i))
                close_at(i);
        if (polled[0].revents)
            take_in();
    }
    printf("%llu\n", taken);
    return 0;
}
