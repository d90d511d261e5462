/* SPDX-License-Identifier: Apache-2.0 */
/* registration.h — a driver who is registered in several fleets: several records, one driver.
 *
 * A driver has one status in all of them, and at most one live offer or ride in total. So a report in one fleet
 * (position, availability) and silence count in all of them, and a record without a ride shows that another one has it
 * (d->elsewhere). Rating, types and surge are each fleet's own.
 *
 * Owns only which records belong together. Only drivers with several records are in the index (d->shared), so that a
 * driver of one fleet costs no memory; a new record is looked up once in every other fleet.
 */
#ifndef CORE_REGISTRATION_H
#define CORE_REGISTRATION_H

#include "core/dispatch/driver.h"

struct registration {
    uint32_t fleet; /* slot */
    uint32_t driver;
    uint32_t next; /* of the same driver, handle + 1 */
};

/* Another record of the same driver; fleet == NULL: no more. */
struct other_record {
    struct fleet *fleet;
    uint32_t driver;
    uint32_t next;
    const struct fleet *self;
};

void registrations_init(struct state *st);
void registrations_release(struct state *st);
/* Links a new record to those with the same id, and takes over their status. */
void driver_link(struct state *st, struct fleet *f, uint32_t handle);
/* Unlinks a record that is removed; the others stay. */
void driver_unlink(struct state *st, struct fleet *f, uint32_t handle);
/* After the book is loaded: links all records at once. */
void drivers_link_all(struct state *st);

/* for (struct other_record o = driver_others(st, f, d); o.fleet; driver_other_next(st, &o)) */
struct other_record driver_others(const struct state *st, const struct fleet *f, uint32_t handle);
void driver_other_next(const struct state *st, struct other_record *o);

/* Its ride began, ended or was accepted here: updates the other records, and their fleets search again. */
void driver_update_others(struct state *st, struct fleet *f, uint32_t handle);
/* Since when it is free according to another record, ignoring offers that came to nothing; now, if no other record
 * says. */
int64_t driver_free_since_ms(const struct state *st, const struct fleet *f, uint32_t handle);
/* It reported a position now, in this fleet's cell: updates it in all of its fleets. */
void driver_heard_everywhere(struct state *st, struct fleet *f, uint32_t handle, const struct position *p,
                             bool available);
/* It counts as gone, in all of its fleets. */
void driver_silent_everywhere(struct state *st, struct fleet *f, uint32_t handle);
/* The ride it is offered or has: handle + 1, and in which fleet; 0: none. */
uint32_t driver_ride(const struct state *st, struct fleet *f, uint32_t handle, struct fleet **where);
/* Settles that ride: a deadline that has passed counts, whether or not the timer has run. */
void driver_settle(struct state *st, struct fleet *f, uint32_t handle);

#endif
