/* SPDX-License-Identifier: Apache-2.0 */
/* load.c — the load generator of the benches: one epoll loop that speaks HTTP/1.1 and RESP, so that Holdfast and Redis
 * are driven by the same code. Prints one JSON object; exits 0 if every answer was the expected one, 1 otherwise.
 */
#include <math.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "crowd.h"
#include "drive.h"
#include "options.h"
#include "stop.h"

/* A thread that is busy more than this share of the time measures itself. */
#define BOTTLENECK_CPU 0.9

struct worker {
    pthread_t thread;
    const struct options *options;
    uint64_t start_ns, end_ns;
    int epoll;
    int lane_count;
    struct lane lanes[2];
    double cpu; /* share of a core */
};

static void interrupted(int signal_number)
{
    (void)signal_number;
    drive_interrupt();
    crowd_interrupt();
}

static double thread_cpu_s(void)
{
    struct rusage use;
    getrusage(RUSAGE_THREAD, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
}

static void *work(void *argument)
{
    struct worker *w = argument;
    double before = thread_cpu_s();
    drive(w->lanes, w->lane_count, w->epoll, w->start_ns, w->end_ns);
    uint64_t wall_ns = lane_now_ns() - w->start_ns;
    w->cpu = (thread_cpu_s() - before) * 1e9 / (double)wall_ns;
    return NULL;
}

static void worker_init(struct worker *w, const struct options *o, const struct workload *holds,
                        const struct workload *reads, int number)
{
    int share = o->connections / o->threads + (number < o->connections % o->threads);
    w->options = o;
    w->epoll = epoll_create1(EPOLL_CLOEXEC);
    lane_init(&w->lanes[0], holds, o->host, o->port, share, w->epoll);
    w->lanes[0].rate = o->rate / o->threads;
    w->lanes[0].offset = (uint64_t)number;
    w->lanes[0].stride = (uint64_t)o->threads;
    uint64_t limit = o->count && o->count < holds->limit ? o->count : holds->limit;
    if (limit != UINT64_MAX)
        limit = limit / (uint64_t)o->threads + ((uint64_t)number < limit % (uint64_t)o->threads);
    w->lanes[0].limit = limit;
    w->lane_count = 1;
    if (reads && !number) { /* a few per second: one thread is enough */
        lane_init(&w->lanes[1], reads, o->host, o->port, o->read_connections, w->epoll);
        w->lanes[1].rate = o->reads;
        w->lane_count = 2;
    }
}

static uint64_t start_instant_ns(const struct options *o)
{
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    int64_t wait_ms = o->start_at_ms - ((int64_t)wall.tv_sec * 1000 + wall.tv_nsec / 1000000);
    return lane_now_ns() + (wait_ms > 0 ? (uint64_t)wait_ms * 1000000 : 1000000);
}

static void merge(struct lane_results *into, const struct lane_results *from)
{
    into->requests += from->requests;
    into->unexpected += from->unexpected;
    into->broken += from->broken;
    into->unsent += from->unsent;
    into->unanswered += from->unanswered;
    into->last_ns = from->last_ns > into->last_ns ? from->last_ns : into->last_ns;
    for (int i = 0; i < ANSWER_CODES; i++)
        into->codes[i] += from->codes[i];
    for (int i = 0; i < LANE_SECONDS_MAX; i++)
        into->per_second[i] += from->per_second[i];
    histogram_merge(&into->latency, &from->latency);
    histogram_merge(&into->late, &from->late);
}

static void print_results(const struct lane_results *r, const struct lane *l)
{
    double duration_s = (double)(r->last_ns - l->start_ns) / 1e9;
    bool comma = false;
    printf("\"requests\":%llu,\"duration_s\":%.6f,\"rate\":%.1f,\"errors\":%llu,\"answers\":{",
           (unsigned long long)r->requests, duration_s, duration_s > 0 ? (double)r->requests / duration_s : 0,
           (unsigned long long)(r->unexpected + r->broken + r->unsent + r->unanswered));
    for (int code = 0; code < ANSWER_CODES; code++) {
        char name[16];
        if (!r->codes[code])
            continue;
        printf("%s\"%s\":%llu", comma ? "," : "", answer_name(l->workload->protocol, code, name),
               (unsigned long long)r->codes[code]);
        comma = true;
    }
    printf("},\"broken\":%llu,\"unsent\":%llu,\"unanswered\":%llu", (unsigned long long)r->broken,
           (unsigned long long)r->unsent, (unsigned long long)r->unanswered);
    histogram_print(&r->latency, "latency_us");
    if (l->rate > 0)
        histogram_print(&r->late, "late_us");
    int seconds = (int)ceil(duration_s);
    printf(",\"per_second\":[");
    for (int i = 0; i < seconds && i < LANE_SECONDS_MAX; i++)
        printf("%s%llu", i ? "," : "", (unsigned long long)r->per_second[i]);
    putchar(']');
}

/* Adds the threads up, prints, and returns whether everything was as expected. */
static bool report(struct worker *workers, const struct options *o)
{
    struct lane_results *sum = &workers[0].lanes[0].results;
    double cpu = workers[0].cpu;
    for (int i = 1; i < o->threads; i++) {
        merge(sum, &workers[i].lanes[0].results);
        cpu = workers[i].cpu > cpu ? workers[i].cpu : cpu;
    }
    bool exhausted = true;
    for (int i = 0; i < o->threads; i++)
        exhausted = exhausted && workers[i].lanes[0].next >= workers[i].lanes[0].limit;
    printf("{");
    print_results(sum, &workers[0].lanes[0]);
    bool good = !sum->unexpected && !sum->broken && !sum->unsent && !sum->unanswered;
    if (workers[0].lane_count > 1) {
        const struct lane_results *reads = &workers[0].lanes[1].results;
        printf(",\"reads\":{");
        print_results(reads, &workers[0].lanes[1]);
        printf("}");
        good = good && !reads->unexpected && !reads->broken;
    }
    printf(",\"exhausted\":%s", exhausted ? "true" : "false");
    printf(",\"connections\":%d,\"threads\":%d,\"offered_rate\":%.1f", o->connections, o->threads, o->rate);
    printf(",\"cpu\":%.3f,\"bottleneck\":%s}\n", cpu, cpu > BOTTLENECK_CPU ? "true" : "false");
    return good;
}

static void run(struct worker *workers, const struct options *o)
{
    uint64_t start_ns = start_instant_ns(o);
    for (int i = 0; i < o->threads; i++) {
        workers[i].start_ns = start_ns;
        workers[i].end_ns = o->time_s > 0 ? start_ns + (uint64_t)(o->time_s * 1e9) : UINT64_MAX;
    }
    for (int i = 1; i < o->threads; i++)
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
            stop("cannot start a thread");
    work(&workers[0]);
    for (int i = 1; i < o->threads; i++)
        pthread_join(workers[i].thread, NULL);
}

/* The requests as they would be sent, one after the other, as one hash: whether two runs send the same bytes. */
static void print_digest(const struct workload *w, uint64_t count)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    unsigned char digest[32];
    if (!context || !EVP_DigestInit_ex(context, EVP_sha256(), NULL))
        stop("OpenSSL has no SHA-256");
    for (uint64_t n = 0; n < count && n < w->limit; n++) {
        workload_fill(w, n, w->bytes);
        if (!EVP_DigestUpdate(context, w->bytes, w->size))
            stop("hashing failed");
    }
    if (!EVP_DigestFinal_ex(context, digest, NULL))
        stop("hashing failed");
    EVP_MD_CTX_free(context);
    printf("{\"digest\":\"");
    for (size_t i = 0; i < sizeof(digest); i++)
        printf("%02x", digest[i]);
    printf("\"}\n");
}

int main(int argc, char **argv)
{
    struct options options;
    struct workload holds, reads;
    struct sigaction action = {.sa_handler = interrupted};
    options_read(&options, argc, argv);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    if (options.stream)
        return crowd_run(&options) ? 0 : 1;
    workload_init(&holds, &options.workload);
    if (options.digest) {
        print_digest(&holds, options.count);
        workload_release(&holds);
        return 0;
    }
    bool mixed = options.reads > 0;
    if (mixed) {
        struct workload_settings settings = options.workload;
        settings.kind = WORKLOAD_GET;
        workload_init(&reads, &settings);
    }
    struct worker *workers = stop_or_zeroed((size_t)options.threads, sizeof(*workers));
    for (int i = 0; i < options.threads; i++)
        worker_init(&workers[i], &options, &holds, mixed ? &reads : NULL, i);
    run(workers, &options);
    bool good = report(workers, &options);
    for (int i = 0; i < options.threads; i++) {
        for (int l = 0; l < workers[i].lane_count; l++)
            lane_release(&workers[i].lanes[l]);
        close(workers[i].epoll);
    }
    free(workers);
    workload_release(&holds);
    if (mixed)
        workload_release(&reads);
    return good ? 0 : 1;
}
