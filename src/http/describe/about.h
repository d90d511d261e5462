/* SPDX-License-Identifier: Apache-2.0 */
/* about.h — what a field is for, in words, where a request and an answer have it alike.
 *
 * For the body tables (json_field.about) and the tables of answers (schema.h); told in /openapi.json. What
 * only one table has is said there.
 */
#ifndef HTTP_ABOUT_H
#define HTTP_ABOUT_H

/* clang-format off */
#define ABOUT_NAME "The name, for people."
#define ABOUT_OWNER "The owner. Given, it must be the right one: 403 not_owner otherwise."

/* The terms of a sale. */
#define ABOUT_CURRENCY "The currency of every price (ISO 4217)."
#define ABOUT_HOLD_TTL "How long a hold lasts, in seconds."
#define ABOUT_MAX_HOLD "How long a hold can be made to last by extending it, in seconds."
#define ABOUT_PAYMENT_TTL \
    "How much time a buyer who went to pay has at least, in seconds; 0: there is no payment window."
#define ABOUT_PAYMENT \
    "`required`: what costs something is confirmed by an app or admin key, or once a payment is recorded. " \
    "`none`: buyers confirm by themselves."
#define ABOUT_LATE_PAYMENT \
    "What is to become of a payment that comes after the deadline. Kept and shown; nothing acts on it yet."

/* Events. */
#define ABOUT_STARTS_AT "When it begins."
#define ABOUT_ON_SALE_AT "When the sale begins; null: at once."
#define ABOUT_OFF_SALE_AT "When the sale ends; null: never."
#define ABOUT_LIMIT "How many seats and units one user may have, held and confirmed; 0: any number."
#define ABOUT_QUEUE "The waiting room in front of the sale; null: there is none."
#define ABOUT_LIST "Whether there is a waiting list for what is sold out."

/* Waiting rooms. */
#define ABOUT_QUEUE_OPEN_AT "When it begins to admit; null: at once."
#define ABOUT_QUEUE_RATE "How many are admitted in a second."
#define ABOUT_QUEUE_MAX_ACTIVE "How many may be admitted and not finished at one time; 0: any number."
#define ABOUT_QUEUE_PASS_TTL "How long a pass is good, in seconds."
#define ABOUT_QUEUE_SHUFFLE "Those who join before `open_at` are put in order by lot when it opens."
#define ABOUT_QUEUE_BY_INVENTORY "Never more people active than there are seats and units free or merely held."
#define ABOUT_QUEUE_TIERS "The tiers that a pass is for; null: every one."

/* Wishes of a waiting list. */
#define ABOUT_WISH_QUANTITY "How many seats or units."
#define ABOUT_WISH_ADJACENT "Only seats side by side."
#define ABOUT_WISH_TIER "Only seats of this tier."
#define ABOUT_WISH_SECTION "Only seats of this section."
#define ABOUT_WISH_POOL "Units of this pool in place of seats."

/* Seats and pools. */
#define ABOUT_SEAT_ID "The id of the seat within its event."
#define ABOUT_SEAT_SECTION "The part of the house."
#define ABOUT_SEAT_ROW "The row, as it is written on it."
#define ABOUT_SEAT_NUMBER "The number within the row, as it is written on it."
#define ABOUT_SEAT_X "Where it is on a plan, from left to right; kept to three decimals."
#define ABOUT_SEAT_Y "Where it is on a plan, from front to back; kept to three decimals."
#define ABOUT_SEAT_TIER "The class of its price."
#define ABOUT_SEAT_PRICE "The price in minor units."
#define ABOUT_SEAT_ACCESSIBLE "Whether it suits a wheelchair."
#define ABOUT_POOL_CAPACITY "How many units there are."
#define ABOUT_POOL_PRICE "The price of a unit, in minor units."

/* Calendars. */
#define ABOUT_CALENDAR_TIMEZONE "A name of the IANA time zone database, for the clocks of the hours."
#define ABOUT_CALENDAR_CAPACITY "How many claims may overlap."
#define ABOUT_CALENDAR_PRICE "The price of a claim, whatever its length, in minor units."
#define ABOUT_CALENDAR_SLOT "The step of the slots that are listed, and their length where none is asked for."
#define ABOUT_CALENDAR_BUFFER "How many minutes are kept free after each claim."
#define ABOUT_CALENDAR_HOURS "The opening hours of a week; none: always open."
#define ABOUT_CALENDAR_CLOSED "Times that are closed all the same."
#define ABOUT_CALENDAR_SERVICES "What can be booked by name."
#define ABOUT_HOURS_DAYS "The days that it begins on."
#define ABOUT_HOURS_FROM "When it opens, on the clocks of the time zone."
#define ABOUT_HOURS_TO "When it closes; the next day's unless it is after `from`."
#define ABOUT_CLOSED_START "When it closes."
#define ABOUT_CLOSED_END "When it opens again."
#define ABOUT_SERVICE_ID "What an item names it by."
#define ABOUT_SERVICE_DURATION "How many minutes it takes."
/* clang-format on */

#endif
