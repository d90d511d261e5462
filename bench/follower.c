/* SPDX-License-Identifier: Apache-2.0 */
#include "follower.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define REQUEST_MAX 2048
#define READ_SIZE 65536
#define ENTRY_MAX 64

static void lose(struct follower *f, const char *why, const char *what, size_t what_size)
{
    static bool said; /* one is enough: they rarely differ */
    if (!said)
        fprintf(stderr, "load: a follower was lost: %s %.*s\n", why, (int)what_size, what);
    said = true;
    f->state = FOLLOWER_LOST;
    follower_release(f);
}

void follower_release(struct follower *f)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
}

/* A request is far smaller than what a new connection accepts at once. */
static void send_all(struct follower *f, const char *request, int size)
{
    if (send(f->fd, request, (size_t)size, MSG_NOSIGNAL) != size)
        lose(f, "its request was not taken:", strerror(errno), strlen(strerror(errno)));
}

void follower_begin(struct follower *f, const struct follower_queue *queue, int fd, const char *token)
{
    char request[REQUEST_MAX];
    *f = (struct follower){.fd = fd, .state = FOLLOWER_JOINING, .token = token};
    answer_init(&f->answer, ANSWER_HTTP, 201);
    f->answer.keeps = true;
    int size = snprintf(request, sizeof(request),
                        "POST /v1/events/%s/queue HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"
                        "Content-Length: 2\r\nAuthorization: Bearer %.*s\r\n\r\n{}",
                        queue->event, queue->host, (int)queue->token_size, token);
    send_all(f, request, size);
}

/* Where the value of a member of a flat JSON object begins, or NULL. */
static const char *member(const char *json, size_t size, const char *name)
{
    const char *found = memmem(json, size, name, strlen(name));
    return found ? found + strlen(name) : NULL;
}

static void joined(struct follower *f, const struct follower_queue *queue)
{
    const struct answer *a = &f->answer;
    const char *entry = member(a->sample, a->sample_size, "\"entry_id\":\"");
    const char *end = entry ? memchr(entry, '"', (size_t)(a->sample + a->sample_size - entry)) : NULL;
    if (a->code != a->expected || !end || end - entry > ENTRY_MAX) {
        lose(f, "it could not join:", a->sample, a->sample_size);
        return;
    }
    char request[REQUEST_MAX];
    int size =
        snprintf(request, sizeof(request),
                 "GET /v1/events/%s/queue/%.*s/stream HTTP/1.1\r\nHost: %s\r\n"
                 "Accept: text/event-stream\r\nAuthorization: Bearer %.*s\r\n\r\n",
                 queue->event, (int)(end - entry), entry, queue->host, (int)queue->token_size, f->token);
    f->state = FOLLOWER_OPENING;
    send_all(f, request, size);
}

/* A line of the stream's head: the first has the status, an empty one ends it. */
static void head_line(struct follower *f)
{
    static const char good[] = "HTTP/1.1 200 ";
    bool first = f->line_size >= 5 && !memcmp(f->line, "HTTP/", 5);
    if (first && (f->line_size < sizeof(good) || memcmp(f->line, good, sizeof(good) - 1)))
        lose(f, "its stream was refused:", f->line, f->line_size);
    else if (f->line_size == 0)
        f->state = FOLLOWER_FOLLOWING;
}

/* Chunks are not decoded: each has whole events, so its size is a line of its own. */
static void event_line(struct follower *f)
{
    if (f->line_size < 5 || memcmp(f->line, "data:", 5) ||
        !member(f->line, f->line_size, "\"status\":\"admitted\""))
        return;
    const char *position = member(f->line, f->line_size, "\"position\":");
    f->line[f->line_size] = '\0';
    f->position = position ? strtoull(position, NULL, 10) : 0;
    f->state = FOLLOWER_TOLD;
}

static void follow(struct follower *f, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size && f->state != FOLLOWER_LOST; i++) {
        if (bytes[i] != '\n') {
            if (f->line_size == FOLLOWER_LINE_MAX - 1) {
                lose(f, "a line of its stream is too long:", f->line, 80);
                return;
            }
            f->line[f->line_size++] = bytes[i];
            continue;
        }
        if (f->line_size && f->line[f->line_size - 1] == '\r')
            f->line_size--;
        if (f->state == FOLLOWER_OPENING)
            head_line(f);
        else if (f->state == FOLLOWER_FOLLOWING)
            event_line(f);
        f->line_size = 0;
    }
}

void follower_ready(struct follower *f, const struct follower_queue *queue)
{
    static char bytes[READ_SIZE];
    if (f->fd < 0)
        return;
    ssize_t size = recv(f->fd, bytes, sizeof(bytes), 0);
    if (size < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (size <= 0 && f->state == FOLLOWER_TOLD) {
        follower_release(f); /* it is done */
        return;
    }
    if (size <= 0) {
        lose(f, "its connection ended", "", 0);
        return;
    }
    if (f->state != FOLLOWER_JOINING) {
        follow(f, bytes, (size_t)size);
        return;
    }
    answer_feed(&f->answer, bytes, (size_t)size);
    if (f->answer.state == ANSWER_DONE)
        joined(f, queue);
    else if (f->answer.state == ANSWER_BAD)
        lose(f, "it was answered nonsense:", bytes, (size_t)size < 80 ? (size_t)size : 80);
}
