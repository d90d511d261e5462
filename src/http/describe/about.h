/* SPDX-License-Identifier: Apache-2.0 */
/* about.h — descriptions of fields that both a request and an answer have.
 *
 * For the body tables (json_field.about) and the lists of records (record.h); shown in /openapi.json. Fields that
 * only one of them has are described there.
 */
#ifndef HTTP_ABOUT_H
#define HTTP_ABOUT_H

/* clang-format off */
#define ABOUT_NAME "The display name."
#define ABOUT_OWNER "The owner. If given, it must match; otherwise 403 not_owner."

/* The terms of a sale. */
#define ABOUT_CURRENCY "The currency of every price (ISO 4217)."
#define ABOUT_HOLD_TTL "How long a hold lasts, in seconds."
#define ABOUT_MAX_HOLD "How long a hold can last with extensions, in seconds."
#define ABOUT_STAFF_HOLD \
    "The longest hold that app and admin keys may request, in seconds; at least `max_hold_seconds`."
#define ABOUT_PAYMENT_TTL \
    "The minimum time a buyer has once payment starts, in seconds; 0: no payment window."
#define ABOUT_PAYMENT \
    "`required`: a reservation with a price is confirmed by an app or admin key, or after a payment is recorded. " \
    "`none`: buyers confirm themselves."
#define ABOUT_LATE_PAYMENT \
    "What to do with a payment that arrives after the deadline: confirm the sale if everything is still available, " \
    "or create a refund due."

/* Events. */
#define ABOUT_STARTS_AT "When it starts."
#define ABOUT_ON_SALE_AT "When the sale starts; null: immediately."
#define ABOUT_OFF_SALE_AT "When the sale ends, after on_sale_at; null: when the event starts."
#define ABOUT_DESCRIPTION "A description for buyers."
#define ABOUT_VENUE "The venue, for buyers."
#define ABOUT_IMAGE "A picture: a path on this server, or an https URL."
#define ABOUT_GUESTS "Whether guest tokens may hold, and join the waiting room and waiting list; otherwise 403 guests_refused."
#define ABOUT_ACCESS "`code`: holds, the waiting room and the waiting list need a code of this event."
#define ABOUT_CODE "The code, as written; compared ignoring ASCII case."
#define ABOUT_CODE_UNITS "How many seats and units may be held and sold with it at once; 0: any number."
#define ABOUT_CODE_TIERS "Only seats of these tiers; null: anything."
#define ABOUT_CODE_ALLOTMENT "The allotment that it gives access to."
#define ABOUT_SEAT_ALLOTMENT "The allotment that it belongs to; null: on sale to the public."
#define ABOUT_POOL_ALLOTMENT "The allotment that it belongs to: `available` is 0 for the public."
#define ABOUT_CODE_GIVEN "A code, for items that need one."
#define ABOUT_LIMIT "How many seats and units one user may have, held and confirmed; 0: no limit."
#define ABOUT_QUEUE "The waiting room in front of the sale; null: none."
#define ABOUT_TRANSFER "Whether confirmed reservations may be transferred to another user."
#define ABOUT_CANCEL_SECONDS \
    "Until how many seconds before the start the owner may cancel a confirmed reservation; null: never."
#define ABOUT_MANAGE_TOKEN \
    "Set to 1 for a new `manage_token` in the response, if the reservation is confirmed. Not with a manage token."
#define ABOUT_CATEGORIES "The categories of prices, such as adult and child; the first is the default. null: none."
#define ABOUT_PRICES                                                                                         \
    "The prices by tier and category, in minor units. In a tier without prices a seat costs its own price, in the first " \
    "category only."
#define ABOUT_SINGLE_SEATS                                                                                   \
    "`refuse`: user tokens may not leave a single free seat between taken ones or at the end of a row."
#define ABOUT_CATEGORY "The price category. Defaults to the event's first one."
#define ABOUT_LIST "Whether there is a waiting list for sold-out seats and pools."

/* Waiting rooms. */
#define ABOUT_QUEUE_OPEN_AT "When it starts to admit people; null: immediately."
#define ABOUT_QUEUE_RATE "How many people are admitted per second."
#define ABOUT_QUEUE_MAX_ACTIVE "How many people may be active (admitted and not finished) at once; 0: no limit."
#define ABOUT_QUEUE_PASS_TTL "How long a pass is valid, in seconds."
#define ABOUT_QUEUE_SHUFFLE "People who join before `open_at` are put in random order when it opens."
#define ABOUT_QUEUE_BY_INVENTORY "Whether active people are limited to the number of unsold seats and units."
#define ABOUT_QUEUE_TIERS "The tiers that a pass is valid for; null: all."

/* Wishes of a waiting list. */
#define ABOUT_WISH_QUANTITY "How many seats or units."
#define ABOUT_WISH_ADJACENT "Only seats side by side."
#define ABOUT_WISH_TIER "Only seats of this tier."
#define ABOUT_WISH_SECTION "Only seats of this section."
#define ABOUT_WISH_POOL "Units of this pool instead of seats."

/* Seats and pools. */
#define ABOUT_SEAT_ID "The id of the seat within its event."
#define ABOUT_SEAT_SECTION "The section of the venue."
#define ABOUT_SEAT_ROW "The row label."
#define ABOUT_SEAT_NUMBER "The seat number within the row, as labelled."
#define ABOUT_SEAT_X "Position on a plan, from left to right; rounded to three decimals."
#define ABOUT_SEAT_Y "Position on a plan, from front to back; rounded to three decimals."
#define ABOUT_SEAT_TIER "The tier of the seat, which determines its prices."
#define ABOUT_SEAT_PRICE "The price in minor units."
#define ABOUT_SEAT_ACCESSIBLE "Whether it is wheelchair accessible."
#define ABOUT_POOL_CAPACITY "How many units there are."
#define ABOUT_POOL_PRICE "The price of a unit, in minor units."
#define ABOUT_POOL_PRICES "The prices of a unit by category; null: `price`, in the first category only."

/* Calendars. */
#define ABOUT_EVENT_TIMEZONE \
    "The time zone of the venue, in which its times are shown and days in reports are counted."
#define ABOUT_CALENDAR_TIMEZONE "The time zone of the opening hours."
#define ABOUT_CALENDAR_CAPACITY "How many claims may overlap."
#define ABOUT_CALENDAR_PRICE "The price in minor units, of a slot or of a claim: see `price_per`."
#define ABOUT_CALENDAR_SLOT "The interval between listed slots, in minutes, and their default length."
#define ABOUT_CALENDAR_BUFFER "Minutes kept free after each claim."
#define ABOUT_CALENDAR_BUFFER_BEFORE "Minutes kept free before each claim."
#define ABOUT_CALENDAR_MIN "The minimum length of a claim by a user token, in minutes; null: one slot."
#define ABOUT_CALENDAR_MAX \
    "The maximum length of a claim by a user token, in minutes; null: one slot, or the minimum if that is longer."
#define ABOUT_CALENDAR_PRICE_PER "`slot`: the price is multiplied by the slots begun. `claim`: any length costs the same."
#define ABOUT_CALENDAR_NOTICE "How many minutes before its start a user token must claim at the latest."
#define ABOUT_CALENDAR_HORIZON "How far ahead a claim by a user token may begin, in days."
#define ABOUT_CALENDAR_LIMIT "How many current and future claims one user may have; 0: any number. For user tokens only."
#define ABOUT_CALENDAR_CHANGE "Until how many minutes before its start a user token may move a claim."
#define ABOUT_CALENDAR_CANCEL \
    "Until how many minutes before its start the owner may cancel a confirmed claim; null: never."
#define ABOUT_CALENDAR_SIZE "How many people it has room for."
#define ABOUT_CALENDAR_GUESTS "Whether guest tokens may claim."
#define ABOUT_CALENDAR_HOURS "The weekly opening hours; empty: always open."
#define ABOUT_CALENDAR_CLOSED "Closed intervals, even within opening hours."
#define ABOUT_CALENDAR_SERVICES "The services that can be booked."
#define ABOUT_GROUP_CALENDARS "Its calendars, 1 to 100, in order; all have the same time zone and currency."
#define ABOUT_GROUP_PICK \
    "Which of several free calendars of the same size is chosen. `least_busy`: the one with the fewest claims that day. " \
    "`in_order`: the first."
#define ABOUT_HOURS_DAYS "The days on which the range starts."
#define ABOUT_HOURS_FROM "Opening time, in the calendar's time zone."
#define ABOUT_HOURS_TO "Closing time; on the next day unless later than `from`."
#define ABOUT_CLOSED_START "The start of the closed interval."
#define ABOUT_CLOSED_END "The end of the closed interval."
#define ABOUT_SERVICE_ID "The id of the service."
#define ABOUT_SERVICE_DURATION "How long it takes, in minutes."

/* Dispatch. */
#define ABOUT_LAT "Latitude, in degrees."
#define ABOUT_LNG "Longitude, in degrees."
#define ABOUT_CELL "The H3 cell in hexadecimal, at the fleet's resolution."
#define ABOUT_OFFER_SECONDS "How long a driver has to accept an offer, in seconds."
#define ABOUT_RESOLUTION "The resolution of the H3 cells used to find drivers; fixed once there are drivers or rides."
#define ABOUT_MAX_RINGS "How many rings of cells around the pickup are searched."
#define ABOUT_PRESENCE_SECONDS "Seconds without a position before a driver is away."
#define ABOUT_SEARCH_SECONDS "For how many seconds a ride is offered to drivers."
#define ABOUT_SPEED "The speed in km/h used to compute ETAs."
#define ABOUT_BATCH_MS \
    "For how many milliseconds rides are collected to be matched with drivers together; 0: each is offered immediately, " \
    "oldest first."
#define ABOUT_RIDES_PER_RIDER \
    "How many live rides a rider's own token may have in this fleet, including those requested by keys; more are 409 " \
    "limit_exceeded. 0: no limit. App and admin keys are not limited."
#define ABOUT_RIDE_GUESTS "Whether guest tokens may request rides; otherwise 403 guests_refused."
#define ABOUT_WEIGHTS "The weights of a driver's score; the lowest score gets the offer first."
#define ABOUT_WEIGHT_ETA "Score increase per millisecond of ETA."
#define ABOUT_WEIGHT_RATING "Score reduction per star, in minutes."
#define ABOUT_WEIGHT_WAITING "Score reduction per idle millisecond, up to 30 minutes."
#define ABOUT_WEIGHT_SURGE "Score reduction in minutes for a driver who prefers surge, if the ride has surge."
#define ABOUT_AVAILABLE "Whether the driver takes offers. During a ride it takes effect when the ride ends."
#define ABOUT_RATING "The driver's rating, from 0 to 5."
#define ABOUT_DRIVER_TYPES "The types of rides that the driver can be offered."
#define ABOUT_DRIVER_SURGE "Whether the driver prefers rides with surge."
#define ABOUT_RIDE_TYPE "Only drivers of this type; null: any."
/* clang-format on */

#endif
