/* SPDX-License-Identifier: Apache-2.0 */
/* registration.h — a driver who is registered in several fleets: several records, one driver.
 *
 * A driver has one status in all of them, and at most one live offer or ride over all. So whatever is heard of it in one
 * fleet (place, available, silence) counts in every one, and the record that has no ride while another has one says so
 * (d->elsewhere). Rating, types and surge are each fleet's own.
 *
 * Owns which records belong together and nothing else. Only drivers with several records are in the index (d->shared), so
 * that a driver of one fleet costs no memory; a new record looks for the others in every fleet, once.
 */
#ifndef CORE_REGISTRATION_H
#define CORE_REGISTRATION_H

#include "core/dispatch/driver.h"

struct registration {
    uint32_t fleet; /* slot */
    uint32_t driver;
    uint32_t next; /* of the same driver, handle + 1 */
};

/* Another record of the same driver; fleet == NULL: there is none left. */
struct other_record {
    struct fleet *fleet;
    uint32_t driver;
    uint32_t next;
    const struct fleet *self;
};

void registrations_init(struct state *st);
void registrations_release(struct state *st);
/* A new record: it belongs to those of the same id, and shows what they are doing. */
void driver_join(struct state *st, struct fleet *f, uint32_t handle);
/* It goes, and the others stay. */
void driver_part(struct state *st, struct fleet *f, uint32_t handle);
/* The book is loaded: the same for all records at once. */
void drivers_join_all(struct state *st);

/* for (struct other_record o = driver_others(st, f, d); o.fleet; driver_other_next(st, &o)) */
struct other_record driver_others(const struct state *st, const struct fleet *f, uint32_t handle);
void driver_other_next(const struct state *st, struct other_record *o);

/* Its ride began, ended or was accepted here: the other records follow, and their fleets look for rides. */
void driver_tell_others(struct state *st, struct fleet *f, uint32_t handle);
/* Since when it has been free by another record, but for offers that came to nothing; now, if no other says. */
int64_t driver_free_since_ms(const struct state *st, const struct fleet *f, uint32_t handle);
/* It was heard of now, in this fleet's cell: in all of its fleets. */
void driver_heard_everywhere(struct state *st, struct fleet *f, uint32_t handle, const struct position *p,
                             bool available);
/* It counts as gone, everywhere. */
void driver_silent_everywhere(struct state *st, struct fleet *f, uint32_t handle);
/* The ride that it is offered or has: handle + 1, and in which fleet; 0: none. */
uint32_t driver_ride(const struct state *st, struct fleet *f, uint32_t handle, struct fleet **where);
/* A deadline of that ride that has come counts, whether or not the timer has run. */
void driver_settle(struct state *st, struct fleet *f, uint32_t handle);

#endif
