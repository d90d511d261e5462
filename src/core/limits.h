/* SPDX-License-Identifier: Apache-2.0 */
/* limits.h — the limits of the domain; those of one kind of resource are beside its image (pool.h,
 * calendar_image.h). The edge checks them, core asserts them. */
#ifndef CORE_LIMITS_H
#define CORE_LIMITS_H

#define ID_SIZE_MAX 64 /* event, seat, pool, calendar, service, key names */
#define USER_SIZE_MAX 128
#define NAME_SIZE_MAX 256          /* names of events, pools and calendars */
#define DESCRIPTION_SIZE_MAX 16384 /* of an event */
#define VENUE_SIZE_MAX 256
#define IMAGE_SIZE_MAX 2048 /* a path or an https URL */
#define LABEL_SIZE_MAX 64   /* section, row, number, tier */
#define ATTRIBUTES_SIZE_MAX 4096
#define ITEM_ATTRIBUTES_SIZE_MAX 1024
#define PAYMENT_TEXT_SIZE_MAX 255   /* payment_method, payment_ref */
#define ITEMS_MAX 100               /* of one reservation, after `best` is resolved */
#define QUANTITY_MAX 1000           /* units of one item */
#define UNITS_MAX 1000              /* seats, units and slots of one reservation; each gets a ticket */
#define SEATS_MAX 50000000          /* of one event */
#define TIERS_MAX 16                /* named by a waiting room or an entry in it */
#define QUEUE_TIERS_MAX 64          /* distinct tiers named by the entries of one queue, in total */
#define QUEUE_ENTRIES_MAX 100000000 /* of one event, ever */
#define LIST_ENTRIES_MAX 10000000   /* of one event's waiting list, ever */
#define ADMISSION_RATE_MAX 100000   /* a second */
#define POLL_AFTER_MAX_S 60
#define RETURN_MAX_S 900            /* how long a person passed over can still come back */
#define PRICE_MAX 1000000000000     /* minor units */
#define TOTAL_MAX 9007199254740991  /* of one reservation, in minor units: 2^53 - 1 */
#define TTL_SECONDS_MAX 2592000     /* thirty days */
#define EXPIRED_IDS_MAX 1024        /* reservations in one `expired` change */
#define CANCEL_SECONDS_MAX 31622400 /* 366 days, before the start of an event */
#define OLD_KEY_SECONDS_MAX 2592000 /* how long the old value of a rotated key can stay valid */
#define IDEMPOTENCY_KEEP_MS (24LL * 3600 * 1000)

/* Of user ids made by the server. */
#define GUEST_PREFIX "guest_"

/* Limits of one step. The simulator is compiled with smaller ones, so that a few people are enough to reach them. */
#ifndef SETTLE_MAX
#define SETTLE_MAX 512 /* lapsed reservations settled by one command */
#endif
#ifndef OFFERS_MAX
#define OFFERS_MAX 128 /* to waiting lists in one step */
#endif
#ifndef MOVES_MAX
#define MOVES_MAX 1024 /* entries in one `moved` change */
#endif

#endif
