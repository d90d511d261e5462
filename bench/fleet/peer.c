/* SPDX-License-Identifier: Apache-2.0 */
#include "peer.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory/buf.h"

#define BULK 1000
#define SEARCH_METRES 800 /* the two rings around a cell that a search reads at this density */
#define SEARCHES 200      /* under way at a time */
#define READ_SIZE 65536

struct peer {
    int socket, pid;
    double spent, worked; /* seconds: ours, waiting, and the server's */
    struct buf in;
    struct buf requests;
};

__attribute__((noreturn)) static void stop(const char *what, const char *detail)
{
    fprintf(stderr, "bench: %s: %s\n", what, detail);
    exit(1);
}

static double worked_seconds(int pid)
{
    char name[64];
    unsigned long long ns = 0;
    snprintf(name, sizeof(name), "/proc/%d/task/%d/schedstat", pid, pid);
    FILE *file = fopen(name, "r");
    if (!file || fscanf(file, "%llu", &ns) != 1)
        stop("cannot read", name);
    fclose(file);
    return (double)ns / 1e9;
}

static void peer_open(struct peer *p, uint16_t port, int pid)
{
    *p = (struct peer){.pid = pid};
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    p->socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    connect(p->socket, (struct sockaddr *)&to, sizeof(to));
    buf_init(&p->in, (size_t)1 << 30);
    buf_init(&p->requests, (size_t)1 << 30);
}

static struct rate peer_close(struct peer *p, uint64_t count)
{
    close(p->socket);
    buf_release(&p->in);
    buf_release(&p->requests);
    return (struct rate){(double)count / p->spent, (double)count / p->worked};
}

/* The total size of one answer of Redis; 0: incomplete. */
static size_t resp_size(const uint8_t *at, size_t size)
{
    const uint8_t *end = memchr(at, '\n', size);
    if (!end)
        return 0;
    size_t head = (size_t)(end - at) + 1;
    if (*at == '-')
        stop("Redis refused", "an error");
    if (*at == '+' || *at == ':')
        return head;
    long count = strtol((const char *)at + 1, NULL, 10);
    if (*at == '$')
        return size >= head + (size_t)count + 2 ? head + (size_t)count + 2 : 0;
    size_t all = head;
    for (long i = 0; i < count; i++) {
        size_t one = all < size ? resp_size(at + all, size - all) : 0;
        if (!one)
            return 0;
        all += one;
    }
    return all;
}

static size_t http_size(const uint8_t *at, size_t size)
{
    const uint8_t *end = memmem(at, size, "\r\n\r\n", 4);
    if (!end)
        return 0;
    const char *length = memmem(at, (size_t)(end - at), "ontent-", 7);
    while (length && strncasecmp(length, "ontent-length:", 14) != 0)
        length = memmem(length + 1, (size_t)((const char *)end - length) - 1, "ontent-", 7);
    if (memcmp(at, "HTTP/1.1 200", 12) != 0 || !length)
        stop("positions are refused", (const char *)at);
    size_t all = (size_t)(end - at) + 4 + (size_t)atol(length + 14);
    return size >= all ? all : 0;
}

/* Sends the prepared requests and waits for `count` answers. */
static void peer_exchange(struct peer *p, uint32_t count, size_t (*size_of)(const uint8_t *at, size_t size))
{
    size_t sent = 0, read_to = 0;
    double began = town_seconds(), worked = worked_seconds(p->pid);
    buf_clear(&p->in);
    while (count) {
        struct pollfd ready = {p->socket, (short)(POLLIN | (sent < p->requests.size ? POLLOUT : 0)), 0};
        poll(&ready, 1, 10000);
        if (ready.revents & POLLOUT) {
            ssize_t some = write(p->socket, p->requests.data + sent, p->requests.size - sent);
            sent += some > 0 ? (size_t)some : 0;
        }
        if (!(ready.revents & POLLIN)) {
            if (!ready.revents)
                stop("no answer", "within 10 seconds");
            continue;
        }
        ssize_t some = read(p->socket, buf_reserve(&p->in, READ_SIZE), READ_SIZE);
        if (some <= 0)
            stop("the connection was closed", "");
        p->in.size += (size_t)some;
        for (size_t one;
             count && read_to < p->in.size && (one = size_of(p->in.data + read_to, p->in.size - read_to));
             count--)
            read_to += one;
    }
    p->spent += town_seconds() - began;
    p->worked += worked_seconds(p->pid) - worked;
}

static void put_word(struct buf *out, const char *word)
{
    buf_printf(out, "$%zu\r\n%s\r\n", strlen(word), word);
}

static void put_point(struct buf *out, struct geo_point p)
{
    char word[32];
    snprintf(word, sizeof(word), "%.7f", p.lng_e7 / 1e7);
    put_word(out, word);
    snprintf(word, sizeof(word), "%.7f", p.lat_e7 / 1e7);
    put_word(out, word);
}

/* All drivers once. */
static void geoadd_all(struct peer *p, const struct town *t)
{
    for (uint32_t first = 0; first < t->drivers; first += BULK) {
        uint32_t some = t->drivers - first < BULK ? t->drivers - first : BULK;
        buf_clear(&p->requests);
        for (uint32_t i = first; i < first + some; i++) {
            char id[TOWN_ID_SIZE + 1];
            town_id(i, id);
            buf_append_text(&p->requests, "*5\r\n");
            put_word(&p->requests, "GEOADD");
            put_word(&p->requests, "fleet");
            put_point(&p->requests, t->points[i]);
            put_word(&p->requests, id);
        }
        peer_exchange(p, some, resp_size);
    }
}

struct rate peer_geoadd(uint16_t port, int pid, struct town *t, double seconds)
{
    struct peer p;
    uint64_t count = 0;
    peer_open(&p, port, pid);
    geoadd_all(&p, t);
    for (p.spent = p.worked = 0; p.spent < seconds; count += t->drivers) {
        town_move(t);
        geoadd_all(&p, t);
    }
    return peer_close(&p, count);
}

struct rate peer_geosearch(uint16_t port, int pid, struct town *t, double seconds)
{
    struct peer p;
    uint64_t count = 0;
    peer_open(&p, port, pid);
    for (; p.spent < seconds; count += SEARCHES) {
        buf_clear(&p.requests);
        for (int i = 0; i < SEARCHES; i++) {
            char metres[16];
            snprintf(metres, sizeof(metres), "%d", SEARCH_METRES);
            buf_append_text(&p.requests, "*11\r\n");
            put_word(&p.requests, "GEOSEARCH");
            put_word(&p.requests, "fleet");
            put_word(&p.requests, "FROMLONLAT");
            put_point(&p.requests, town_anywhere(t));
            put_word(&p.requests, "BYRADIUS");
            put_word(&p.requests, metres);
            put_word(&p.requests, "m");
            put_word(&p.requests, "ASC");
            put_word(&p.requests, "COUNT");
            put_word(&p.requests, "16");
        }
        peer_exchange(&p, SEARCHES, resp_size);
    }
    return peer_close(&p, count);
}

/* Appends one request with the positions of these drivers. */
static void put_request(struct peer *p, const char *key, const char *fleet, const struct town *t,
                        uint32_t first, uint32_t count)
{
    struct buf body;
    buf_init(&body, 1 << 24);
    for (uint32_t i = first; i < first + count; i++) {
        char id[TOWN_ID_SIZE + 1];
        town_id(i, id);
        buf_printf(&body, "%s{\"driver\":\"%s\",\"lat\":%.7f,\"lng\":%.7f}", i == first ? "[" : ",", id,
                   t->points[i].lat_e7 / 1e7, t->points[i].lng_e7 / 1e7);
    }
    buf_append_text(&body, "]");
    buf_printf(&p->requests,
               "POST /v1/fleets/%s/positions HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\n"
               "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
               fleet, key, body.size);
    buf_append(&p->requests, body.data, body.size);
    buf_release(&body);
}

struct rate peer_positions(uint16_t port, int pid, const char *key, const char *fleet, struct town *t,
                           double seconds)
{
    enum { TOGETHER = 8 };
    struct peer p;
    uint64_t count = 0;
    peer_open(&p, port, pid);
    while (p.spent < seconds) {
        town_move(t);
        for (uint32_t first = 0; first < t->drivers;) {
            uint32_t requests = 0;
            buf_clear(&p.requests);
            for (; requests < TOGETHER && first < t->drivers; requests++) {
                uint32_t some = t->drivers - first < BULK ? t->drivers - first : BULK;
                put_request(&p, key, fleet, t, first, some);
                first += some;
                count += some;
            }
            peer_exchange(&p, requests, http_size);
        }
    }
    return peer_close(&p, count);
}
