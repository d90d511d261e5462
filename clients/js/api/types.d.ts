/* SPDX-License-Identifier: Apache-2.0 */
/* Made from the description of the API by clients/generate. */

/** A page of a list. */
export interface Page<T> {
    data: T[];
    next_cursor: string | null;
}

/** The stable codes of refusals. */
export type ProblemCode = "invalid" | "forbidden" | "not_owner" | "no_such_reservation" | "no_such_item" | "no_such_event" | "no_such_seat" | "no_such_pool" | "no_such_calendar" | "no_such_group" | "no_such_entry" | "no_such_key" | "no_such_code" | "no_such_refund" | "no_such_hook" | "no_such_ticket" | "no_such_fleet" | "no_such_driver" | "no_such_ride" | "no_such_offer" | "exists" | "in_use" | "capacity_in_use" | "not_on_sale" | "pass_required" | "pass_invalid" | "pass_expired" | "pass_tier" | "no_waiting_room" | "no_waiting_list" | "not_sold_out" | "version_mismatch" | "guests_refused" | "code_required" | "code_invalid" | "code_used" | "limit_exceeded" | "closed" | "not_bookable" | "taken" | "sold_out" | "no_adjacent_seats" | "leaves_single" | "expired" | "paying" | "payment_window_off" | "payment_required" | "payment_used" | "refund_changed" | "no_such_payment" | "not_confirmed" | "not_transferable" | "not_cancellable" | "already_confirmed" | "already_released" | "already_cancelled" | "already_refunded" | "checked_in" | "already_checked_in" | "wrong_event" | "void" | "offer_expired" | "not_assigned" | "already_completed" | "no_driver" | "undone" | "idempotency_key_reused" | "storage_full" | "unavailable" | "unauthenticated" | "no_such_route" | "method_not_allowed" | "too_large" | "unsupported_type" | "slow_down" | "headers_too_large";

/** Checkouts that ended on one day without a sale. */
export interface AbandonedRow {
    /** The day on which they ended, in UTC. */
    day: string;
    /** The event; null: a calendar. */
    event: string | null;
    /** The calendar; null: an event. */
    calendar: string | null;
    /** The tier of the seats; null: none, or not seats. */
    tier: string | null;
    /** The pool; null: not a pool. */
    pool: string | null;
    /** The service of the calendar; null: none. */
    service: string | null;
    /** How it ended: `expired` or `released`. */
    how: string;
    /** How far it got: `held`, or `paying` if a payment was started. */
    reached: string;
    /** The currency (ISO 4217). */
    currency: string;
    /** How many reservations. */
    checkouts: number;
    /** Seats, units or slots in them. */
    units: number;
    /** Their prices, in minor units. */
    amount: number;
    /** How long they were held on average, in seconds. */
    seconds_held: number;
    /** The longest time held, in seconds. */
    seconds_held_max: number;
}

/** A change of the catalogue, a key, a hook, a fleet or a driver: what, when and by whom. */
export interface AuditEntry {
    /** The number of the change. */
    seq: number;
    /** When it was made. */
    at: string;
    /** Who made it: `admin`, or `app:` and the name of the key. */
    actor: string;
    /** The kind of record: `event`, `seats`, `pool`, `codes`, `queue`, `calendar`, `group`, `key`, `hook`, `fleet`, `driver`, `provider`, `refund` or `user`. */
    kind: string;
    /** The action: `put`, `removed`; for an event `cancelled`; for seats `imported`, `copied`, `blocked`, `unblocked`, `allotted`, `removed`; for a refund due `done`; for a user `erased`. */
    action: string;
    /** Its id or name; for allotted seats the allotment. Null: identified by `event` and `kind`. */
    id: string | null;
    /** The event it belongs to; null: none. */
    event: string | null;
    /** The fleet it belongs to; null: none. */
    fleet: string | null;
    /** How many seats or codes; 1 for everything else, including imports of seats. */
    count: number;
}

/** Availability: by id or, with format=map, as letters. */
export type Availability = AvailabilitySeats | AvailabilityMap;

/** The status of every seat as one letter (a, h, s or b), in the order of the layout. */
export interface AvailabilityMap {
    /** The version of this answer: send it as `since`, or compare it with the ids of stream events. */
    version: number;
    /** The ETag of the layout that the map belongs to. */
    layout: string;
    /** One letter per seat: available, held, sold or blocked. */
    map: string;
}

/** The capacity of a pool and how many units are free. */
export interface AvailabilityPool {
    /** How many units there are. */
    capacity: number;
    /** How many units are free. */
    available: number;
}

/** The status of every seat and pool, or of those changed since a version. */
export interface AvailabilitySeats {
    /** The version of this answer: send it as `since`, or compare it with the ids of stream events. */
    version: number;
    /** Whether this is everything, or only the changes since. */
    full: boolean;
    /** The status of each seat, by id. */
    seats: Record<string, "available" | "held" | "sold" | "blocked">;
    /** The availability of each pool, by id. */
    pools: Record<string, AvailabilityPool>;
}

/** The requested best seats. */
export interface BestSeats {
    /** How many seats. */
    quantity: number;
    /** Only seats of this section. */
    section?: string;
    /** Only seats of this tier. */
    tier?: string;
    /** Also seats of this allotment. */
    allotment?: string;
    /** How many of them must be accessible. */
    accessible?: number;
    /** Only side by side. */
    adjacent: boolean;
}

/** A calendar and its settings. */
export interface Calendar {
    /** The id of the calendar. */
    id: string;
    /** The display name. */
    name: string;
    /** The time zone of the opening hours. */
    timezone: string;
    /** How many claims may overlap. */
    capacity: number;
    /** The price in minor units, of a slot or of a claim: see `price_per`. */
    price: number;
    /** The currency of every price (ISO 4217). */
    currency: string;
    /** How long a hold lasts, in seconds. */
    hold_ttl_seconds: number;
    /** How long a hold can last with extensions, in seconds. */
    max_hold_seconds: number;
    /** The minimum time a buyer has once payment starts, in seconds; 0: no payment window. */
    payment_ttl_seconds: number;
    /** `required`: a reservation with a price is confirmed by an app or admin key, or after a payment is recorded. `none`: buyers confirm themselves. */
    payment: "required" | "none";
    /** What to do with a payment that arrives after the deadline: confirm the sale if everything is still available, or create a refund due. */
    late_payment: "accept_if_free" | "refund";
    /** The interval between listed slots, in minutes, and their default length. */
    slot_minutes: number;
    /** Minutes kept free after each claim. */
    buffer_minutes: number;
    /** Minutes kept free before each claim. */
    buffer_before_minutes: number;
    /** The minimum length of a claim by a user token, in minutes; null: one slot. */
    min_minutes: number | null;
    /** The maximum length of a claim by a user token, in minutes; null: one slot, or the minimum if that is longer. */
    max_minutes: number | null;
    /** `slot`: the price is multiplied by the slots begun. `claim`: any length costs the same. */
    price_per: "claim" | "slot";
    /** How many minutes before its start a user token must claim at the latest. */
    notice_minutes: number;
    /** How far ahead a claim by a user token may begin, in days. */
    horizon_days: number;
    /** How many current and future claims one user may have; 0: any number. For user tokens only. */
    per_user_limit: number;
    /** Until how many minutes before its start a user token may move a claim. */
    change_until_minutes: number;
    /** Until how many minutes before its start the owner may cancel a confirmed claim; null: never. */
    cancel_until_minutes: number | null;
    /** How many people it has room for. */
    size: number;
    /** Whether guest tokens may claim. */
    guests: boolean;
    /** The weekly opening hours; empty: always open. */
    hours: OpeningHours[];
    /** Closed intervals, even within opening hours. */
    closed: ClosedInterval[];
    /** The services that can be booked. */
    services: Service[];
    /** When it was created. */
    created_at: string;
}

/** The available time changed. */
export interface CalendarChanged {
    /** Slots that end after this time may have changed. */
    from: string;
    /** Slots that start before this time may have changed. */
    to: string;
}

/** The result of a scan. */
export interface CheckIn {
    /** `ok`: checked in; `undone`: check-in undone. For an upload also `duplicate`: already checked in; `void`: the ticket is void, or for another event. */
    result: "ok" | "undone" | "duplicate" | "void";
    /** The code of the ticket. */
    code: string;
    /** The reservation that it belongs to. */
    reservation_id: string;
    /** The item that the ticket is for. */
    item_id: string;
    /** Which unit of that item, from 0. */
    unit: number;
    /** The event, if it is for one. */
    event?: string;
    /** The seat. */
    seat?: string;
    /** The pool. */
    pool?: string;
    /** The calendar, if it is for a slot. */
    calendar?: string;
    /** The service, if one was booked. */
    service?: string;
    /** When it happened; for an upload, when it was scanned. Null: never used, so there was nothing to undo. */
    at: string | null;
    /** The gate; null: not known. */
    gate: string | null;
}

/** A closed interval. */
export interface ClosedInterval {
    /** The start of the closed interval. */
    start: string;
    /** The end of the closed interval. */
    end: string;
}

/** A code of an event. */
export interface Code {
    /** The code, as written; compared ignoring ASCII case. */
    code: string;
    /** How many seats and units may be held and sold with it at once; 0: any number. */
    units: number;
    /** How many seats and units are held and sold with it. */
    used: number;
    /** Only seats of these tiers; null: anything. */
    tiers: string[] | null;
    /** The allotment that it gives access to. */
    allotment: string | null;
}

/** The result of an import. */
export interface CodeImportResult {
    /** How many codes were created. */
    created: number;
    /** How many existing codes were updated. */
    updated: number;
}

/** A confirmed reservation, with an order and tickets. */
export interface ConfirmedReservation {
    /** The id of the reservation. Ids sort by time. */
    reservation_id: string;
    /** A short, readable code of six characters. */
    pnr: string;
    /** The reservation is confirmed. */
    status: "confirmed";
    /** `list`: offered from a waiting list. */
    reason?: "list";
    /** The owner. */
    user_id: string;
    /** When it was created. */
    created_at: string;
    /** When the hold expires. */
    expires_at: string;
    /** Seconds until the hold expires, rounded up; 0 if it is no longer held. */
    expires_in: number;
    /** Milliseconds until the hold expires; 0 if it is no longer held. */
    expires_in_ms: number;
    /** The latest time to which the hold can be extended. */
    max_expires_at: string;
    /** When the payment started; null: not yet. */
    payment_started_at: string | null;
    /** For app and admin keys: how it was paid; null: not known. */
    payment?: Payment | null;
    /** For app and admin keys: its payments in the ledger, in the order of first receipt. */
    payments?: PaymentRow[];
    /** For app and admin keys: the amount still missing; 0 unless it is confirmed. */
    balance?: Money;
    /** For the owner: the amount paid for it and kept. */
    paid?: Money;
    /** When it was confirmed. */
    confirmed_at: string;
    /** Not ended. */
    ended_at: null;
    /** A fencing token: greater than that of any earlier grant. */
    fence: number;
    /** Increases with every change. */
    version: number;
    /** The total price of all items. */
    total: Money;
    /** Your own data, as you sent it. */
    attributes: Record<string, unknown>;
    /** The items. */
    items: Item[];
    /** Single free seats that the owner's choice leaves, if the event refuses that. */
    leaves_single: string[];
    /** The id of the order. */
    order_id: string;
    /** One ticket for each seat, slot and unit of a pool. */
    tickets: Ticket[];
    /** Gives access to this reservation without a login; in the response to a commit, or on request. */
    manage_token?: string;
}

/** A message that could not be delivered. */
export interface DeadMessage {
    /** Its `webhook-id`. */
    id: string;
    /** The type of the message. */
    type: string;
    /** The reservation; null: it is about a ride, or a payment without one. */
    reservation_id: string | null;
    /** The ride; null: it is about a reservation. */
    ride_id: string | null;
    /** When the event happened. */
    timestamp: string;
    /** When it was given up. */
    dead_at: string;
}

/** The current state of a ticket that was used, is void or has moved. */
export interface DoorTicket {
    /** The code of the ticket. */
    code: string;
    /** Signed forms of this code with a smaller number are void. */
    reissue: number;
    /** `in`: checked in. `out`: the check-in was undone, and the ticket is valid again. `void`: valid only with this `reissue` or a greater one, which a ticket that is void for good never gets. */
    result: "in" | "out" | "void";
    /** Since when. */
    at: string;
    /** The gate; null: not known, or the ticket is void. */
    gate: string | null;
}

/** Data to verify a draw. The seed and the number of entries are published at the opening. */
export interface Draw {
    /** The SHA-256 of the seed, published before the opening. */
    commitment: string;
    /** The seed, in hex; null before the opening. */
    seed: string | null;
    /** How many entries were drawn; null before the opening. */
    entries: number | null;
}

/** A driver of a fleet. */
export interface Driver {
    /** The driver: a user id. */
    driver_id: string;
    /** The H3 cell in hexadecimal, at the fleet's resolution. null: no position since the server started. */
    cell: string | null;
    /** `free`: can get an offer. `offered`: has a live offer. `busy`: is on a ride. `away`: not available, or no position for `presence_seconds`. */
    status: "free" | "offered" | "busy" | "away";
    /** Latitude, in degrees. */
    lat: number | null;
    /** Longitude, in degrees. */
    lng: number | null;
    /** Whether the driver takes offers. During a ride it takes effect when the ride ends. */
    available: boolean;
    /** The driver's rating, from 0 to 5. */
    rating: number;
    /** The types of rides that the driver can be offered. */
    types: string[];
    /** Whether the driver prefers rides with surge. */
    surge: boolean;
    /** When the position was last reported; null: not since the server started. */
    heard_at: string | null;
}

/** An offer, as its driver sees it. */
export interface DriverOffer {
    /** The id of the offer. */
    offer_id: string;
    /** The ride that is offered. */
    ride_id: string;
    /** The pickup. */
    pickup: Point;
    /** The destination; null: not given. */
    to: Point | null;
    /** The ETA at the pickup when the offer was made, in seconds. */
    eta_seconds: number;
    /** Until when it can be accepted. */
    expires_at: string;
    /** Milliseconds until then. */
    expires_in_ms: number;
}

/** The driver's current position. */
export interface DriverPosition {
    /** Latitude, in degrees. */
    lat: number;
    /** Longitude, in degrees. */
    lng: number;
    /** The ETA at the pickup, in seconds. */
    eta_seconds: number;
}

/** A released or expired hold. Its items are available again. */
export interface EndedReservation {
    /** The id of the reservation. Ids sort by time. */
    reservation_id: string;
    /** A short, readable code of six characters. */
    pnr: string;
    /** How it ended. */
    status: "released" | "expired";
    /** `list`: offered from a waiting list. */
    reason?: "list";
    /** The owner. */
    user_id: string;
    /** When it was created. */
    created_at: string;
    /** When the hold expires. */
    expires_at: string;
    /** Seconds until the hold expires, rounded up; 0 if it is no longer held. */
    expires_in: number;
    /** Milliseconds until the hold expires; 0 if it is no longer held. */
    expires_in_ms: number;
    /** The latest time to which the hold can be extended. */
    max_expires_at: string;
    /** When the payment started; null: not yet. */
    payment_started_at: string | null;
    /** For app and admin keys: how it was paid; null: not known. */
    payment?: Payment | null;
    /** For app and admin keys: its payments in the ledger, in the order of first receipt. */
    payments?: PaymentRow[];
    /** For app and admin keys: the amount still missing; 0 unless it is confirmed. */
    balance?: Money;
    /** For the owner: the amount paid for it and kept. */
    paid?: Money;
    /** Never confirmed. */
    confirmed_at: null;
    /** When it ended. */
    ended_at: string;
    /** A fencing token: greater than that of any earlier grant. */
    fence: number;
    /** Increases with every change. */
    version: number;
    /** The total price of all items. */
    total: Money;
    /** Your own data, as you sent it. */
    attributes: Record<string, unknown>;
    /** The items. */
    items: Item[];
    /** Single free seats that the owner's choice leaves, if the event refuses that. */
    leaves_single: string[];
}

/** The last erasure of a person. */
export interface Erasure {
    /** The progress. `none`: no erasure of this user id, or too long ago. */
    state: "none" | "running" | "done";
    /** When it was last requested. */
    erased_at: string | null;
}

/** An event, its settings and seat counts. */
export interface Event {
    /** The id of the event. */
    id: string;
    /** The display name. */
    name: string;
    /** When it starts. */
    starts_at: string | null;
    /** When the sale starts; null: immediately. */
    on_sale_at: string | null;
    /** When the sale ends, after on_sale_at; null: when the event starts. */
    off_sale_at: string | null;
    /** The currency of every price (ISO 4217). */
    currency: string;
    /** How long a hold lasts, in seconds. */
    hold_ttl_seconds: number;
    /** How long a hold can last with extensions, in seconds. */
    max_hold_seconds: number;
    /** The minimum time a buyer has once payment starts, in seconds; 0: no payment window. */
    payment_ttl_seconds: number;
    /** `required`: a reservation with a price is confirmed by an app or admin key, or after a payment is recorded. `none`: buyers confirm themselves. */
    payment: "required" | "none";
    /** What to do with a payment that arrives after the deadline: confirm the sale if everything is still available, or create a refund due. */
    late_payment: "accept_if_free" | "refund";
    /** The longest hold that app and admin keys may request, in seconds; at least `max_hold_seconds`. */
    staff_hold_seconds: number;
    /** How many seats and units one user may have, held and confirmed; 0: no limit. */
    per_user_limit: number;
    /** The waiting room in front of the sale; null: none. */
    waiting_room: WaitingRoom | null;
    /** Whether there is a waiting list for sold-out seats and pools. */
    waiting_list: boolean;
    /** Whether guest tokens may hold, and join the waiting room and waiting list; otherwise 403 guests_refused. */
    guests: boolean;
    /** `code`: holds, the waiting room and the waiting list need a code of this event. */
    access: "open" | "code";
    /** A description for buyers. */
    description: string | null;
    /** The venue, for buyers. */
    venue: string | null;
    /** A picture: a path on this server, or an https URL. */
    image: string | null;
    /** The time zone of the venue, in which its times are shown and days in reports are counted. */
    timezone: string;
    /** Whether confirmed reservations may be transferred to another user. */
    transfer: "on" | "off";
    /** Until how many seconds before the start the owner may cancel a confirmed reservation; null: never. */
    cancel_until_seconds: number | null;
    /** `refuse`: user tokens may not leave a single free seat between taken ones or at the end of a row. */
    single_seats: "allow" | "refuse";
    /** The categories of prices, such as adult and child; the first is the default. null: none. */
    categories: string[] | null;
    /** The prices by tier and category, in minor units. In a tier without prices a seat costs its own price, in the first category only. */
    prices: Record<string, Record<string, number>> | null;
    /** When it was created. */
    created_at: string;
    /** When it was cancelled; null: it was not. */
    cancelled_at: string | null;
    /** Seats by status. */
    counts: EventCounts;
}

/** The progress of an event's cancellation. */
export interface EventCancel {
    /** `none`: not cancelled. `running`: holds and sales are being ended. `done`: none are left. */
    state: "none" | "running" | "done";
    /** Sales refunded so far, in full or for their items of this event. */
    refunded: number;
    /** Sales known to be left. */
    left: number;
}

/** The number of seats of an event, in total and by status, and of units of its pools. */
export interface EventCounts {
    /** All seats. */
    seats: number;
    /** Free seats. */
    available: number;
    /** Seats in holds. */
    held: number;
    /** Seats in confirmed reservations. */
    sold: number;
    /** Seats off sale. */
    blocked: number;
    /** Units of all pools together. */
    pools: PoolCounts;
}

/** A fleet of drivers and its settings. */
export interface Fleet {
    /** The id of the fleet. */
    id: string;
    /** How long a driver has to accept an offer, in seconds. */
    offer_seconds: number;
    /** The resolution of the H3 cells used to find drivers; fixed once there are drivers or rides. */
    resolution: number;
    /** How many rings of cells around the pickup are searched. */
    max_rings: number;
    /** Seconds without a position before a driver is away. */
    presence_seconds: number;
    /** For how many seconds a ride is offered to drivers. */
    search_seconds: number;
    /** The speed in km/h used to compute ETAs. */
    speed_kmh: number;
    /** For how many milliseconds rides are collected to be matched with drivers together; 0: each is offered immediately, oldest first. */
    batch_ms: number;
    /** Whether guest tokens may request rides; otherwise 403 guests_refused. */
    guests: boolean;
    /** How many live rides a rider's own token may have in this fleet, including those requested by keys; more are 409 limit_exceeded. 0: no limit. App and admin keys are not limited. */
    rides_per_rider: number;
    /** The weights of a driver's score; the lowest score gets the offer first. */
    weights: FleetWeights;
    /** When it was created. */
    created_at: string;
}

/** How long rides waited for a driver. */
export interface FleetAssignment {
    /** How many rides were assigned in this minute and the 15 before it. */
    rides: number;
    /** The median waiting time, in seconds; null: there were none. */
    median_seconds: number | null;
    /** The 95th percentile of the waiting time, in seconds; null: there were none. */
    p95_seconds: number | null;
}

/** The drivers of one cell. */
export interface FleetCell {
    /** The H3 cell in hexadecimal, at the fleet's resolution. */
    cell: string;
    /** Drivers who can get an offer. */
    free: number;
    /** Drivers who have a live offer. */
    offered: number;
    /** Drivers who are on a ride. */
    busy: number;
}

/** An overview of a fleet. */
export interface FleetOverview {
    /** Cells with drivers who are not away, in no particular order. */
    cells: FleetCell[];
    /** Rides by status. */
    rides: FleetRides;
    /** Seconds from request to assignment, over 15 minutes. */
    assignment: FleetAssignment;
}

/** The rides of a fleet by status. */
export interface FleetRides {
    /** Waiting for a driver. */
    searching: number;
    /** Offered to a driver. */
    offered: number;
    /** Accepted by a driver. */
    assigned: number;
    /** Ended in the last 15 minutes: no driver was found. */
    no_driver: number;
    /** Ended in the last 15 minutes: cancelled. */
    cancelled: number;
    /** Ended in the last 15 minutes: completed. */
    completed: number;
}

/** The weights of a driver's score. */
export interface FleetWeights {
    /** Score increase per millisecond of ETA. */
    eta: number;
    /** Score reduction per star, in minutes. */
    rating: number;
    /** Score reduction per idle millisecond, up to 30 minutes. */
    waiting: number;
    /** Score reduction in minutes for a driver who prefers surge, if the ride has surge. */
    surge: number;
}

/** Requests to hold or to add items that were refused for one reason. */
export interface FunnelRefusal {
    /** The code of the refusal. */
    reason: string;
    /** How many requests got it. */
    count: number;
}

/** How far the reservations of one day got. */
export interface FunnelRow {
    /** The day on which they were created, in UTC. */
    day: string;
    /** The event; null: a calendar. */
    event: string | null;
    /** The calendar; null: an event. */
    calendar: string | null;
    /** The tier of the seats; null: none, or not seats. */
    tier: string | null;
    /** The pool; null: not a pool. */
    pool: string | null;
    /** The service of the calendar; null: none. */
    service: string | null;
    /** Reservations created. */
    held: number;
    /** Of these, those that reached payment: a payment was started, or they were confirmed. */
    paying: number;
    /** Of these, those that were confirmed. */
    confirmed: number;
    /** Those paid after their deadline: confirmed then, or a refund due. */
    late: number;
    /** Those confirmed and then refunded or cancelled, at least in part. */
    refunded: number;
    /** Requests that were refused on that day, by reason. */
    refusals: FunnelRefusal[];
}

/** A group of interchangeable calendars. */
export interface Group {
    /** The id of the group. */
    id: string;
    /** The display name. */
    name: string;
    /** Its calendars, 1 to 100, in order; all have the same time zone and currency. */
    calendars: string[];
    /** Which of several free calendars of the same size is chosen. `least_busy`: the one with the fewest claims that day. `in_order`: the first. */
    pick: "least_busy" | "in_order";
    /** When it was created. */
    created_at: string;
}

/** The process is up. */
export interface Health {
    /** Always `ok`. */
    status: "ok";
}

/** A hold. Confirm it before it expires. */
export interface HeldReservation {
    /** The id of the reservation. Ids sort by time. */
    reservation_id: string;
    /** A short, readable code of six characters. */
    pnr: string;
    /** The reservation is held. */
    status: "held";
    /** `list`: offered from a waiting list. */
    reason?: "list";
    /** The owner. */
    user_id: string;
    /** When it was created. */
    created_at: string;
    /** When the hold expires. */
    expires_at: string;
    /** Seconds until the hold expires, rounded up; 0 if it is no longer held. */
    expires_in: number;
    /** Milliseconds until the hold expires; 0 if it is no longer held. */
    expires_in_ms: number;
    /** The latest time to which the hold can be extended. */
    max_expires_at: string;
    /** When the payment started; null: not yet. */
    payment_started_at: string | null;
    /** For app and admin keys: how it was paid; null: not known. */
    payment?: Payment | null;
    /** For app and admin keys: its payments in the ledger, in the order of first receipt. */
    payments?: PaymentRow[];
    /** For app and admin keys: the amount still missing; 0 unless it is confirmed. */
    balance?: Money;
    /** For the owner: the amount paid for it and kept. */
    paid?: Money;
    /** Not confirmed. */
    confirmed_at: null;
    /** Not ended. */
    ended_at: null;
    /** A fencing token: greater than that of any earlier grant. */
    fence: number;
    /** Increases with every change. */
    version: number;
    /** The total price of all items. */
    total: Money;
    /** Your own data, as you sent it. */
    attributes: Record<string, unknown>;
    /** The items. */
    items: Item[];
    /** Single free seats that the owner's choice leaves, if the event refuses that. */
    leaves_single: string[];
}

/** A refund due of a payment, or of a part of it. */
export interface HistoryRefund {
    /** The id of the refund due. */
    id: string;
    /** The payment provider's reference. Only for app and admin keys; null for others. */
    payment_ref: string | null;
    /** The amount to pay back. */
    amount: RefundAmount;
}

/** An outgoing webhook, without its secret. */
export interface Hook {
    /** The name of the hook. */
    id: string;
    /** The URL to send messages to. */
    url: string;
    /** The types of messages it gets. */
    events: Array<"reservation.held" | "reservation.expiring" | "reservation.confirmed" | "reservation.released" | "reservation.expired" | "reservation.cancelled" | "reservation.refunded" | "reservation.transferred" | "refund.due" | "list.offered" | "ride.assigned" | "refund.withdrawn" | "payment.discrepancy">;
    /** When it was created. */
    created_at: string;
    /** Until when the previous secret also signs; null: it no longer does. */
    old_secret_until: string | null;
    /** How many messages are waiting to be delivered. */
    waiting: number;
}

/** An item of a reservation. */
export type Item = SeatItem | PoolItem | SlotItem;

/** One item before and after a change. */
export interface ItemChange {
    /** The id of the item. */
    item_id: string;
    /** The item before the change; null if it was added. */
    before: Item | null;
    /** The item after the change; null if it was removed. */
    after: Item | null;
}

/** A public key (RFC 7517, RFC 8037). */
export interface Jwk {
    /** The kind of key: `OKP` (RFC 8037). */
    kty: string;
    /** The curve: `Ed25519`. */
    crv: string;
    /** The signature algorithm: `EdDSA`. */
    alg: string;
    /** The use of the key: `sig`. */
    use: string;
    /** Its id: the first 8 bytes of the payload, as base64url. */
    kid: string;
    /** The public key, as base64url. */
    x: string;
}

/** The public keys that verify signed tickets (RFC 7517). */
export interface JwkSet {
    /** The first key signs; the others signed earlier tickets, which are still valid. */
    keys: Jwk[];
}

/** A key, without its value. */
export interface Key {
    /** The name of the key, as shown in the history. */
    name: string;
    /** The role of the key. */
    role: "app" | "door";
    /** When it was created. */
    created_at: string;
    /** Until when the previous value is still valid; null: it no longer is. */
    old_valid_until: string | null;
}

/** The static data of every seat, in the order of the availability map. */
export interface Layout {
    /** The event. */
    event: string;
    /** Every seat, in the order of the availability map. */
    seats: LayoutSeat[];
}

/** The static data of a seat. */
export interface LayoutSeat {
    /** The id of the seat within its event. */
    id: string;
    /** The section of the venue. */
    section: string | null;
    /** The row label. */
    row: string | null;
    /** The seat number within the row, as labelled. */
    number: string | null;
    /** Position on a plan, from left to right; rounded to three decimals. */
    x: number | null;
    /** Position on a plan, from front to back; rounded to three decimals. */
    y: number | null;
    /** The tier of the seat, which determines its prices. */
    tier: string | null;
    /** The price in minor units. */
    price: number;
    /** Whether it is wheelchair accessible. */
    accessible: boolean;
}

/** An entry on a waiting list. */
export interface ListEntry {
    /** The id of the entry. */
    entry_id: string;
    /** The event. */
    event: string;
    /** The owner of the entry. */
    user_id: string;
    /** The position on the list; null if it is no longer waiting. */
    position: number | null;
    /** The status of the entry. */
    status: "waiting" | "offered" | "finished" | "left";
    /** How many seats or units. */
    quantity: number;
    /** Only seats side by side. */
    adjacent: boolean;
    /** Only seats of this tier. */
    tier: string | null;
    /** Only seats of this section. */
    section: string | null;
    /** Units of this pool instead of seats. */
    pool: string | null;
    /** When the user joined. */
    joined_at: string;
    /** If offered: the id of the hold; null: none was offered. */
    reservation_id: string | null;
}

/** An amount in minor units of a currency. */
export interface Money {
    /** The amount in minor units, such as cents. */
    amount: number;
    /** The currency (ISO 4217). */
    currency: string;
}

/** The changes in the ledger on one day, in one currency. */
export interface MoneyRow {
    /** The day, in the requested time zone. */
    day: string;
    /** The currency (ISO 4217). */
    currency: string;
    /** The change of the amount received, in minor units. */
    received: number;
    /** The change of the amount kept for sales. */
    kept: number;
    /** The change of the amount paid back. */
    returned: number;
    /** The change of the amount owed. */
    owed: number;
}

/** A new key. Its value is shown only once. */
export interface NewKey {
    /** The name of the key, as shown in the history. */
    name: string;
    /** The role of the key. */
    role: "app" | "door";
    /** The value of the key. */
    key: string;
}

/** A process that serves this site. */
export interface Node {
    /** The id of the node. */
    node: string;
    /** Where other nodes reach it. */
    url: string;
    /** Whether it decides, or follows the node that does. */
    role: "owner" | "follower";
    /** How often the owner has changed; 0 without a shared log. */
    epoch: number;
    /** How far it is behind the owner. Only of the node that answers; each node has its own in `/readyz`. */
    lag_ms?: number;
    /** The last change in its book. */
    book_seq: number;
    /** When it last wrote its row: every second, or every few, while it runs. */
    seen_at: string;
    /** The version of the program. */
    version: string;
}

/** An item that is not available, as requested: its index in the request, and its status or how many are left. For an import, the seat and its status. */
export interface Obstacle {
    /** The index of the item in the request, from 0. */
    item?: number;
    /** The event. */
    event?: string;
    /** The seat. */
    seat?: string;
    /** The pool. */
    pool?: string;
    /** How many units were requested. */
    quantity?: number;
    /** The requested best seats. */
    best?: BestSeats;
    /** The requested category. */
    category?: string;
    /** The calendar. */
    calendar?: string;
    /** The group. */
    group?: string;
    /** The number of people. */
    party?: number;
    /** The requested start. */
    start?: string;
    /** The requested end. */
    end?: string;
    /** The service. */
    service?: string;
    /** The status of the seat or slot. */
    status?: "held" | "sold" | "blocked";
    /** How many are left. */
    available?: number;
}

/** The end of an offer. */
export interface OfferEnded {
    /** The id of the offer. */
    offer_id: string;
    /** How it ended. */
    end: "accepted" | "declined" | "timed_out" | "withdrawn";
}

/** An OpenAPI 3.1 document. */
export type OpenapiDocument = Record<string, unknown>;

/** A range of opening hours in the calendar's time zone; it ends on the next day unless `to` is after `from`. */
export interface OpeningHours {
    /** The days on which the range starts. */
    days: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">;
    /** Opening time, in the calendar's time zone. */
    from: string;
    /** Closing time; on the next day unless later than `from`. */
    to: string;
}

/** The owners before and after a transfer. */
export interface OwnerChange {
    /** The owner before the transfer. Only for app and admin keys; null for others. */
    before: string | null;
    /** The owner since the transfer. */
    after: string;
}

/** How it was paid. */
export interface Payment {
    /** How it was paid. */
    method: string | null;
    /** The payment provider's reference: of the payment that confirmed it, or else of the first payment kept for it. */
    ref: string | null;
    /** When it was recorded. */
    recorded_at: string;
}

/** The amount in the event. */
export interface PaymentAmount {
    /** The amount in minor units, such as cents. */
    amount: number;
    /** The currency (ISO 4217). */
    currency: string;
}

/** A signed event of the payment provider, or the payment of a refused hold, and its result. */
export interface PaymentEvent {
    /** The provider's id of the event; null: it came with a refused hold. */
    event_id: string | null;
    /** The provider's event type; `hold` for a refused hold. */
    type: string;
    /** The payment provider's reference. */
    payment_ref: string | null;
    /** The reservation that it names. */
    reservation_id: string | null;
    /** The amount that it names; null: none. */
    amount: PaymentAmount | null;
    /** Its result. */
    result: "confirmed" | "refund_due" | "repeated" | "ignored" | "unknown_reservation" | "amount_mismatch" | "currency_mismatch" | "rejected" | "recorded" | "failed" | "returned" | "payment_used";
    /** The refund due of the payment that was open after it. */
    refund_due: string | null;
    /** When it arrived. */
    received_at: string;
}

/** The payment provider, without its secret. */
export interface PaymentProvider {
    /** The provider whose events are accepted. */
    provider: "stripe" | "standard";
    /** When it was last changed. */
    changed_at: string;
    /** Until when the previous secret is also valid; null: it no longer is. */
    old_secret_until: string | null;
}

/** The result of an event. */
export interface PaymentResult {
    /** The result of the event. */
    result: "confirmed" | "recorded" | "failed" | "returned" | "refund_due" | "repeated" | "ignored" | "payment_used" | "unknown_reservation" | "amount_mismatch" | "currency_mismatch";
}

/** A payment: a row of the ledger. kept + returned + owed is the greater of received and returned. */
export interface PaymentRow {
    /** The payment provider's reference. */
    payment_ref: string;
    /** The reservation it belongs to, fixed once money is received; before that the last one that named it; null: none. */
    reservation_id: string | null;
    /** Only `received` means that there is money. */
    status: "begun" | "failed" | "received";
    /** The amount received, in minor units. */
    received: number;
    /** The source of the amount: the provider, the app, or assumed (the amount that was missing then); null: no money yet. */
    received_by: "provider" | "app" | "assumed" | null;
    /** The part that pays for the reservation. */
    kept: number;
    /** The amount paid back. */
    returned: number;
    /** The amount to pay back: the open refund due. */
    owed: number;
    /** What does not match; null: nothing. */
    discrepancy: "unknown_reservation" | "over_returned" | "disputed" | "currency" | "short" | "gone_back" | null;
    /** The currency (ISO 4217) of all amounts. */
    currency: string;
    /** When it was first recorded. */
    first_at: string;
    /** When it last changed. */
    last_at: string;
}

/** An event of a payment. */
export interface PaymentRowEvent {
    /** The provider's id of the event; null: it came with a refused hold. */
    id: string | null;
    /** The provider's event type; `hold` for a refused hold. */
    type: string;
    /** When it arrived. */
    at: string;
    /** Its result. */
    result: "confirmed" | "refund_due" | "repeated" | "ignored" | "unknown_reservation" | "amount_mismatch" | "currency_mismatch" | "rejected" | "recorded" | "failed" | "returned" | "payment_used";
}

/** A payment with its events. */
export interface PaymentShown {
    /** The payment provider's reference. */
    payment_ref: string;
    /** The reservation it belongs to, fixed once money is received; before that the last one that named it; null: none. */
    reservation_id: string | null;
    /** Only `received` means that there is money. */
    status: "begun" | "failed" | "received";
    /** The amount received, in minor units. */
    received: number;
    /** The source of the amount: the provider, the app, or assumed (the amount that was missing then); null: no money yet. */
    received_by: "provider" | "app" | "assumed" | null;
    /** The part that pays for the reservation. */
    kept: number;
    /** The amount paid back. */
    returned: number;
    /** The amount to pay back: the open refund due. */
    owed: number;
    /** What does not match; null: nothing. */
    discrepancy: "unknown_reservation" | "over_returned" | "disputed" | "currency" | "short" | "gone_back" | null;
    /** The currency (ISO 4217) of all amounts. */
    currency: string;
    /** When it was first recorded. */
    first_at: string;
    /** When it last changed. */
    last_at: string;
    /** The events about it, oldest first. */
    events: PaymentRowEvent[];
}

/** All data about a person. */
export interface Person {
    /** The person. */
    user_id: string;
    /** Entries of waiting rooms; on the first page. */
    waiting_rooms: PersonEntry[];
    /** Entries of waiting lists; on the first page. */
    waiting_lists: PersonEntry[];
    /** Reservations given to others; on the first page. */
    transferred: PersonGift[];
    /** The person's records as a driver; on the first page. */
    drivers: PersonDriver[];
    /** Current and past reservations. */
    reservations: PersonReservation[];
    /** Requested rides, after the last reservation. */
    rides: PersonRide[];
    /** Rides offered to the person as a driver, after the last ride. */
    offers: PersonOffer[];
    /** Send it as `cursor` to get the next page; null on the last page. */
    next_cursor: string | null;
}

/** A driver of a fleet. */
export interface PersonDriver {
    /** The fleet. */
    fleet: string;
    /** The driver's rating, from 0 to 5. */
    rating: number;
    /** The types of rides that the driver can be offered. */
    types: string[];
    /** Whether the driver prefers rides with surge. */
    surge: boolean;
}

/** An entry of a waiting room or list. */
export interface PersonEntry {
    /** The entry. */
    entry_id: string;
    /** The event. */
    event: string;
    /** The status of the entry. */
    status: string;
    /** When the user joined. */
    joined_at: string;
    /** How many seats or units. */
    quantity: number;
}

/** A reservation that was given to another user. */
export interface PersonGift {
    /** The reservation. */
    reservation_id: string;
    /** When it was transferred. */
    at: string;
}

/** A ride that was offered to the person as a driver. */
export interface PersonOffer {
    /** The fleet. */
    fleet: string;
    /** The id of the offer. */
    offer_id: string;
    /** The ride. */
    ride_id: string;
    /** The driver's score in milliseconds. */
    score: number;
    /** The driver's ETA at that time, in seconds. */
    eta_seconds: number;
    /** When it was made. */
    made_at: string;
    /** When it ended; null: it is live. */
    ended_at: string | null;
    /** How it ended; null: it is live. */
    end: "accepted" | "declined" | "timed_out" | "withdrawn" | null;
}

/** A reservation with its history and payments. */
export interface PersonReservation {
    /** The reservation, as an app sees it. */
    reservation: Reservation;
    /** Its history, including check-ins. */
    history: ReservationChange[];
    /** Its refunds due, open or not. */
    refunds_due: RefundDue[];
    /** Its payments in the ledger. */
    payments: PaymentRow[];
    /** The payment provider's events about these. */
    payment_events: PaymentEvent[];
}

/** A ride that the person requested. */
export interface PersonRide {
    /** The fleet. */
    fleet: string;
    /** The ride, as its rider sees it, without the driver's position. */
    ride: Ride;
}

/** A place. */
export interface Point {
    /** Latitude, in degrees. */
    lat: number;
    /** Longitude, in degrees. */
    lng: number;
}

/** A pool of identical units. */
export interface Pool {
    /** The id of the pool within its event. */
    id: string;
    /** The display name. */
    name: string | null;
    /** How many units there are. */
    capacity: number;
    /** How many units are free. */
    available: number;
    /** The price of a unit, in minor units. */
    price: number;
    /** The prices of a unit by category; null: `price`, in the first category only. */
    prices: Record<string, number> | null;
    /** The allotment that it belongs to: `available` is 0 for the public. Only for app and admin keys. */
    allotment?: string | null;
}

/** The number of free units changed. */
export interface PoolChanged {
    /** The id of the pool. */
    id: string;
    /** How many units are free. */
    available: number;
}

/** The number of units of all pools of an event. */
export interface PoolCounts {
    /** All units. */
    capacity: number;
    /** Free units. */
    available: number;
}

/** Units of a pool. */
export interface PoolItem {
    /** The id of the item within the reservation. */
    item_id: string;
    /** The event. */
    event: string;
    /** The pool. */
    pool: string;
    /** How many units. */
    quantity: number;
    /** Its price category, if the event has categories. */
    category?: string;
    /** The code that it was claimed with, if any. Only for app and admin keys. */
    code?: string;
    /** The allotment that it was claimed from, or `blocked`; if any. Only for app and admin keys. */
    allotment?: string;
    /** The price of the whole item, in minor units. */
    price: number;
    /** Your own data about this item, if there is any. */
    attributes?: Record<string, unknown>;
}

/** For a unit of a pool. */
export interface PoolTicket {
    /** The code on the ticket; unguessable. */
    code: string;
    /** The item that the ticket is for. */
    item_id: string;
    /** The event. */
    event: string;
    /** The pool. */
    pool: string;
}

/** The result of a list of positions. */
export interface PositionsResult {
    /** How many positions were applied. */
    updated: number;
    /** Drivers that do not exist. */
    unknown: string[];
}

/** A refusal (RFC 9457). `invalid` has a pointer or, in CSV, a line; `taken`, `sold_out` and `no_adjacent_seats` have items; `limit_exceeded` has limit and have, and calendar if it is a calendar's limit; `closed` has item, calendar, timezone, hours and closed; `not_bookable` has item and rule; `not_cancellable` has rule and until; `already_checked_in` and `undone` have at, and gate if known; `leaves_single` has seats; a refused commit has refund_due if a payment of an app or admin key is owed; `payment_used` has reservation_id. */
export interface ProblemBody {
    /** A URN that ends with the code. */
    type: string;
    /** The code as a short title. */
    title: string;
    /** The HTTP status. */
    status: number;
    /** A sentence for people to read. */
    detail: string;
    /** The stable code of the refusal; match on it, not on the text. */
    code: "invalid" | "forbidden" | "not_owner" | "no_such_reservation" | "no_such_item" | "no_such_event" | "no_such_seat" | "no_such_pool" | "no_such_calendar" | "no_such_group" | "no_such_entry" | "no_such_key" | "no_such_code" | "no_such_refund" | "no_such_hook" | "no_such_ticket" | "no_such_fleet" | "no_such_driver" | "no_such_ride" | "no_such_offer" | "exists" | "in_use" | "capacity_in_use" | "not_on_sale" | "pass_required" | "pass_invalid" | "pass_expired" | "pass_tier" | "no_waiting_room" | "no_waiting_list" | "not_sold_out" | "version_mismatch" | "guests_refused" | "code_required" | "code_invalid" | "code_used" | "limit_exceeded" | "closed" | "not_bookable" | "taken" | "sold_out" | "no_adjacent_seats" | "leaves_single" | "expired" | "paying" | "payment_window_off" | "payment_required" | "payment_used" | "refund_changed" | "no_such_payment" | "not_confirmed" | "not_transferable" | "not_cancellable" | "already_confirmed" | "already_released" | "already_cancelled" | "already_refunded" | "checked_in" | "already_checked_in" | "wrong_event" | "void" | "offer_expired" | "not_assigned" | "already_completed" | "no_driver" | "undone" | "idempotency_key_reused" | "storage_full" | "unavailable" | "unauthenticated" | "no_such_route" | "method_not_allowed" | "too_large" | "unsupported_type" | "slow_down" | "headers_too_large";
    /** The invalid field, as a JSON pointer; `?name` is a query parameter. */
    pointer?: string;
    /** The invalid line of the CSV; the header is line 1. */
    line?: number;
    /** The items that are not available. */
    items?: Obstacle[];
    /** The single seats that would be left. */
    seats?: string[];
    /** How many one user may have. */
    limit?: number;
    /** How many this user already has. */
    have?: number;
    /** The index of the item in the request, from 0. */
    item?: number;
    /** The booking rule for user tokens that was not met, or the rule that prevents cancelling. */
    rule?: "change" | "service" | "grid" | "length" | "notice" | "horizon" | "cancel_until_seconds" | "cancel_until_minutes";
    /** Until when it could be cancelled; null: never. */
    until?: string | null;
    /** The calendar that is closed at that time, or whose limit is reached. */
    calendar?: string;
    /** The refund due for the payment that came with a refused commit. */
    refund_due?: string;
    /** The reservation that the payment belongs to. */
    reservation_id?: string;
    /** When the ticket was used, or its check-in undone. */
    at?: string;
    /** The gate where that happened, if known. */
    gate?: string;
    /** The time zone of the opening hours. */
    timezone?: string;
    /** The opening hours. */
    hours?: OpeningHours[];
    /** The closed intervals that overlap; empty: outside opening hours. */
    closed?: ClosedInterval[];
}

/** A waiting room, as the caller may see it. */
export type Queue = QueuePublic | QueueAdmin;

/** A waiting room, as an admin sees it. */
export interface QueueAdmin {
    /** The highest position admitted so far. */
    serving: number;
    /** How many people are waiting. */
    waiting: number;
    /** People admitted per second, over the last ten seconds. */
    admitted_per_second: number;
    /** When it starts to admit people; null: immediately. */
    open_at: string | null;
    /** Whether admission is paused. */
    paused: boolean;
    /** When it opened; null: not yet. */
    opened_at: string | null;
    /** Data to verify the draw; null: no draw. */
    draw: Draw | null;
    /** How many people are admitted per second. */
    rate_per_second: number;
    /** How many people may be active (admitted and not finished) at once; 0: no limit. */
    max_active: number;
    /** How long a pass is valid, in seconds. */
    pass_ttl_seconds: number;
    /** People who join before `open_at` are put in random order when it opens. */
    shuffle_before_open: boolean;
    /** Whether active people are limited to the number of unsold seats and units. */
    by_inventory: boolean;
    /** The tiers that a pass is valid for; null: all. */
    tiers: string[] | null;
    /** How many passes are active. */
    active: number;
    /** How many missed their turn and may come back. */
    passed_over: number;
    /** How many used their pass or let it expire. */
    finished: number;
    /** How many left. */
    left: number;
    /** How many joined in total. */
    joined: number;
}

/** An entry in a waiting room. */
export interface QueueEntry {
    /** The id of the entry. */
    entry_id: string;
    /** The event. */
    event: string;
    /** The owner of the entry. */
    user_id: string;
    /** The number by arrival; the draw is made from it. */
    number: number;
    /** The position in line, which never changes; null before a draw. */
    position: number | null;
    /** How many people are ahead; null before a draw and at the end. */
    ahead: number | null;
    /** The status of the entry. */
    status: "waiting" | "admitted" | "passed_over" | "finished" | "left";
    /** Estimated wait, in seconds; null: unknown. */
    eta_seconds: number | null;
    /** When to poll again, in seconds; null at the end. */
    poll_after_seconds: number | null;
    /** When the user joined. */
    joined_at: string;
    /** If passed over: the time limit to come back; null once back in line. */
    returns_until?: string | null;
    /** If admitted: the pass to send as Holdfast-Pass. */
    pass?: string;
    /** If admitted: when the pass expires. */
    pass_expires_at?: string;
    /** The tiers that the pass is valid for, if not all. */
    tiers?: string[];
}

/** The public state of a waiting room. */
export interface QueuePublic {
    /** The highest position admitted so far. */
    serving: number;
    /** How many people are waiting. */
    waiting: number;
    /** People admitted per second, over the last ten seconds. */
    admitted_per_second: number;
    /** When it starts to admit people; null: immediately. */
    open_at: string | null;
    /** Whether admission is paused. */
    paused: boolean;
    /** When it opened; null: not yet. */
    opened_at: string | null;
    /** Data to verify the draw; null: no draw. */
    draw: Draw | null;
}

/** Whether new holds are accepted, and any problems. */
export interface Readiness {
    /** `degraded`: new holds are refused. */
    status: "ready" | "degraded";
    /** The problems; with any but `book_pinned`, new holds are refused. */
    degraded: Array<"stopping" | "lagging" | "owner_away" | "log_away" | "storage_full" | "book_behind" | "book_pinned">;
    /** With a shared log: whether this server decides, or follows one that does. */
    role?: "owner" | "follower";
    /** With a shared log: how often its owner has changed. */
    epoch?: number;
    /** With a shared log: how far this server is behind its owner. */
    lag_ms?: number;
}

/** An amount to pay back. */
export interface RefundAmount {
    /** The amount in minor units, such as cents. */
    amount: number;
    /** The currency (ISO 4217). */
    currency: string;
}

/** Money received for a reservation that has to be paid back. Holdfast moves no money. */
export interface RefundDue {
    /** The id of the refund due. */
    id: string;
    /** The reservation that was paid for; null: unknown. */
    reservation_id: string | null;
    /** The payment provider's reference of the payment. */
    payment_ref: string;
    /** The amount to pay back; once done, the amount paid back. */
    amount: RefundAmount;
    /** The reason: a word, or the reason given for the refund. */
    reason: string;
    /** `open`, `done` (paid back; a remainder is another refund due), or `withdrawn` (no longer owed). */
    status: "open" | "done" | "withdrawn";
    /** The source of the amount. */
    received_by: "provider" | "app" | "assumed";
    /** Whether the payment is disputed: then do not pay it back. */
    disputed: boolean;
    /** When it became due. */
    created_at: string;
    /** When it was marked as done; null: it is open. */
    done_at: string | null;
}

/** The reservation: refunded, or still confirmed if only some items were. */
export type RefundResult = ConfirmedReservation | ReturnedReservation;

/** The result of a resend. */
export interface Resent {
    /** How many messages will be sent again. */
    resent: number;
    /** Whether there are more: call again. */
    more: boolean;
}

/** A reservation; its fields depend on its status. */
export type Reservation = HeldReservation | ConfirmedReservation | EndedReservation | ReturnedReservation;

/** A change of a reservation: what was done, when and by whom. */
export interface ReservationChange {
    /** The sequence number of the change. */
    seq: number;
    /** When it happened. */
    at: string;
    /** Who did it: `user:…`, `app:…`, `door:…`, `admin`, `server`, `payment` (the payment provider), or `order` (a manage token). */
    actor: string;
    /** What was done. */
    action: "held" | "item_added" | "item_dropped" | "item_moved" | "attributes_changed" | "extended" | "payment_started" | "confirmed" | "released" | "expired" | "item_changed" | "transferred" | "manage_tokens_revoked" | "refunded" | "cancelled" | "payment_received" | "item_refunded" | "checked_in" | "check_in_undone" | "payment_failed" | "erased" | "refund_due" | "refund_done" | "refund_withdrawn";
    /** The reason: `deadline`, `list`, the reason of the refund, or the reason that was given; null if there is no particular reason. */
    reason: string | null;
    /** The status after the change. */
    status: "held" | "confirmed" | "released" | "expired" | "cancelled" | "refunded";
    /** The deadline after the change. */
    expires_at: string;
    /** The version after the change. */
    version: number;
    /** Its effect on the items. */
    what: WhatChanged;
    /** For a check-in, or its undoing: the ticket. */
    ticket?: UsedTicket;
    /** For `refund_due`, `refund_done` and `refund_withdrawn`: the refund. */
    refund?: HistoryRefund;
}

/** A refunded or cancelled sale. Its items are available again. */
export interface ReturnedReservation {
    /** The id of the reservation. Ids sort by time. */
    reservation_id: string;
    /** A short, readable code of six characters. */
    pnr: string;
    /** How the sale ended. */
    status: "cancelled" | "refunded";
    /** `list`: offered from a waiting list. */
    reason?: "list";
    /** The owner. */
    user_id: string;
    /** When it was created. */
    created_at: string;
    /** When the hold expires. */
    expires_at: string;
    /** Seconds until the hold expires, rounded up; 0 if it is no longer held. */
    expires_in: number;
    /** Milliseconds until the hold expires; 0 if it is no longer held. */
    expires_in_ms: number;
    /** The latest time to which the hold can be extended. */
    max_expires_at: string;
    /** When the payment started; null: not yet. */
    payment_started_at: string | null;
    /** For app and admin keys: how it was paid; null: not known. */
    payment?: Payment | null;
    /** For app and admin keys: its payments in the ledger, in the order of first receipt. */
    payments?: PaymentRow[];
    /** For app and admin keys: the amount still missing; 0 unless it is confirmed. */
    balance?: Money;
    /** For the owner: the amount paid for it and kept. */
    paid?: Money;
    /** When it was confirmed. */
    confirmed_at: string;
    /** When it was refunded or cancelled. */
    ended_at: string;
    /** A fencing token: greater than that of any earlier grant. */
    fence: number;
    /** Increases with every change. */
    version: number;
    /** The total price of all items. */
    total: Money;
    /** Your own data, as you sent it. */
    attributes: Record<string, unknown>;
    /** The items. */
    items: Item[];
    /** Single free seats that the owner's choice leaves, if the event refuses that. */
    leaves_single: string[];
    /** The id of the order. */
    order_id: string;
    /** Its former tickets, which are void. */
    tickets: Ticket[];
}

/** A ride. */
export interface Ride {
    /** The id of the ride. */
    ride_id: string;
    /** The status of the ride. */
    status: "searching" | "offered" | "assigned" | "no_driver" | "cancelled" | "completed";
    /** The rider. */
    rider_id: string;
    /** The pickup. */
    pickup: Point;
    /** The destination; null: not given. */
    to: Point | null;
    /** Only drivers of this type; null: any. */
    type: string | null;
    /** When it was requested. */
    created_at: string;
    /** When its driver accepted it; null: no driver yet. */
    assigned_at: string | null;
    /** When it ended; null: not yet. */
    ended_at: string | null;
    /** The driver, now or when it ended; null: none. */
    driver_id: string | null;
    /** While assigned: its driver's position; null: unknown. */
    driver: RideDriver | null;
    /** All its offers, oldest first. */
    offers: RideOffer[];
}

/** The position of a ride's driver. */
export interface RideDriver {
    /** Latitude, in degrees. */
    lat: number;
    /** Longitude, in degrees. */
    lng: number;
    /** When the position was last reported. */
    heard_at: string;
    /** The ETA at the pickup, in seconds. */
    eta_seconds: number;
}

/** An offer of a ride to a driver. */
export interface RideOffer {
    /** The id of the offer. */
    offer_id: string;
    /** The driver it was offered to; null for the rider, unless that driver has the ride. */
    driver_id: string | null;
    /** The score of that driver in milliseconds; the lowest gets the offer first. */
    score: number;
    /** The driver's ETA at that time, in seconds. */
    eta_seconds: number;
    /** When it was made. */
    made_at: string;
    /** When it ended; null: it is live. */
    ended_at: string | null;
    /** How it ended; null: it is live. */
    end: "accepted" | "declined" | "timed_out" | "withdrawn" | null;
}

/** A rotated key. Its new value is shown only once. */
export interface RotatedKey {
    /** The name of the key, as shown in the history. */
    name: string;
    /** The role of the key. */
    role: "app" | "door";
    /** The new value of the key. */
    key: string;
    /** Until when the previous value is still valid; null: it no longer is. */
    old_valid_until: string | null;
}

/** Sales of one day. */
export interface SalesRow {
    /** The day of the sale, in UTC. */
    day: string;
    /** The event; null: a calendar. */
    event: string | null;
    /** The calendar; null: an event. */
    calendar: string | null;
    /** The tier of the seats; null: none, or not seats. */
    tier: string | null;
    /** The pool; null: not a pool. */
    pool: string | null;
    /** The service of the calendar; null: none. */
    service: string | null;
    /** The currency (ISO 4217). */
    currency: string;
    /** Seats, units or slots sold, without refunded and cancelled ones. */
    units: number;
    /** Their prices, in minor units. */
    amount: number;
    /** Seats, units or slots sold on that day and refunded or cancelled since. */
    refunded_units: number;
    /** Their prices. */
    refunded_amount: number;
}

/** A seat and its status. */
export interface Seat {
    /** The id of the seat within its event. */
    id: string;
    /** The status of the seat. */
    status: "available" | "held" | "sold" | "blocked";
    /** Increases whenever a claim on the seat begins or ends; 0: never claimed. */
    version: number;
    /** The section of the venue. */
    section: string | null;
    /** The row label. */
    row: string | null;
    /** The seat number within the row, as labelled. */
    number: string | null;
    /** Position on a plan, from left to right; rounded to three decimals. */
    x: number | null;
    /** Position on a plan, from front to back; rounded to three decimals. */
    y: number | null;
    /** The tier of the seat, which determines its prices. */
    tier: string | null;
    /** The price in minor units. */
    price: number;
    /** Whether it is wheelchair accessible. */
    accessible: boolean;
    /** The allotment that it belongs to; null: on sale to the public. Only for app and admin keys. */
    allotment?: string | null;
}

/** The result of blocking seats, or of moving them between allotments. */
export interface SeatBlockResult {
    /** How many seats were changed. */
    changed: number;
    /** How many are claimed; they follow when they become available. */
    skipped: number;
    /** The same as changed. */
    updated: number;
}

/** The status of a seat changed. */
export interface SeatChanged {
    /** The id of the seat within its event. */
    id: string;
    /** The status of the seat. */
    status: "available" | "held" | "sold" | "blocked";
    /** Increases whenever a claim on the seat begins or ends; 0: never claimed. */
    version: number;
}

/** The result of an import. */
export interface SeatImportResult {
    /** How many seats were created. */
    created: number;
    /** How many existing seats were updated. */
    updated: number;
}

/** A seat. */
export interface SeatItem {
    /** The id of the item within the reservation. */
    item_id: string;
    /** The event. */
    event: string;
    /** The seat. */
    seat: string;
    /** Its price category, if the event has categories. */
    category?: string;
    /** The code that it was claimed with, if any. Only for app and admin keys. */
    code?: string;
    /** The allotment that it was claimed from, or `blocked`; if any. Only for app and admin keys. */
    allotment?: string;
    /** The price of the whole item, in minor units. */
    price: number;
    /** Your own data about this item, if there is any. */
    attributes?: Record<string, unknown>;
}

/** The result of removing seats. */
export interface SeatRemoveResult {
    /** How many seats were removed. */
    removed: number;
}

/** For a seat. */
export interface SeatTicket {
    /** The code on the ticket; unguessable. */
    code: string;
    /** The item that the ticket is for. */
    item_id: string;
    /** The event. */
    event: string;
    /** The seat. */
    seat: string;
}

/** A service that can be booked: its duration and price. */
export interface Service {
    /** The id of the service. */
    id: string;
    /** How long it takes, in minutes. */
    duration_minutes: number;
    /** The price in minor units. */
    price: number;
}

/** A guest's token. */
export interface Session {
    /** The token to send as Bearer. */
    token: string;
    /** The user id of the guest. */
    user_id: string;
    /** When the token expires. */
    expires_at: string;
}

/** A free slot of a calendar, or of a group. */
export interface Slot {
    /** The start of the slot. */
    start: string;
    /** The end of the slot. */
    end: string;
    /** How many more claims fit; for a group, how many of its calendars are free. */
    available: number;
}

/** A slot of a calendar. */
export interface SlotItem {
    /** The id of the item within the reservation. */
    item_id: string;
    /** The calendar. */
    calendar: string;
    /** The start of the slot. */
    start: string;
    /** The end of the slot. */
    end: string;
    /** The service, if one was booked. */
    service?: string;
    /** The group that was requested, if any. */
    group?: string;
    /** The price of the whole item, in minor units. */
    price: number;
    /** Your own data about this item, if there is any. */
    attributes?: Record<string, unknown>;
}

/** For a slot of a calendar. */
export interface SlotTicket {
    /** The code on the ticket; unguessable. */
    code: string;
    /** The item that the ticket is for. */
    item_id: string;
    /** The calendar. */
    calendar: string;
    /** The start of the slot. */
    start: string;
    /** The end of the slot. */
    end: string;
    /** The service, if one was booked. */
    service?: string;
    /** The group that was requested, if any. */
    group?: string;
}

/** Earlier events are not available: read the current state, then follow the stream. */
export interface StreamReset {
    /** Your next read has at least this version. */
    version: number;
}

/** A ticket for one seat, one unit of a pool or one slot. */
export type Ticket = SeatTicket | PoolTicket | SlotTicket;

/** The total price of all items before and after a change. */
export interface TotalChange {
    /** The total before the change, in minor units. */
    before: number;
    /** The total after the change, in minor units. */
    after: number;
}

/** The whole reservation for app and admin keys; otherwise, and for every replay, only its new owner. */
export type Transfer = ConfirmedReservation | TransferredReservation;

/** A transferred reservation as its old owner sees it. */
export interface TransferredReservation {
    /** The id of the reservation. */
    reservation_id: string;
    /** The status now. */
    status: "confirmed";
    /** The owner now. */
    user_id: string;
    /** Increases with every change. */
    version: number;
}

/** A recommended hold TTL for an event. */
export interface TtlAdvice {
    /** How many payments this is based on. */
    samples: number;
    /** The median time from hold to payment; null: there are none. */
    p50_seconds: number | null;
    /** The 95th percentile of that time; null: there are none. */
    p95_seconds: number | null;
    /** `p95_seconds` plus a tenth: a `hold_ttl_seconds` that few buyers would exceed; null: there are none. */
    recommended_ttl_seconds: number | null;
}

/** A ticket that was checked in. */
export interface UsedTicket {
    /** The item that the ticket is for. */
    item_id: string;
    /** Which unit of that item, from 0. */
    unit: number;
    /** The gate; null: not known. */
    gate: string | null;
}

/** The settings of an event's waiting room. */
export interface WaitingRoom {
    /** When it starts to admit people; null: immediately. */
    open_at: string | null;
    /** How many people are admitted per second. */
    rate_per_second: number;
    /** How many people may be active (admitted and not finished) at once; 0: no limit. */
    max_active: number;
    /** How long a pass is valid, in seconds. */
    pass_ttl_seconds: number;
    /** People who join before `open_at` are put in random order when it opens. */
    shuffle_before_open: boolean;
    /** Whether active people are limited to the number of unsold seats and units. */
    by_inventory: boolean;
    /** The tiers that a pass is valid for; null: all. */
    tiers: string[] | null;
}

/** The effect of a change on the items. */
export interface WhatChanged {
    /** For a transfer: the owners before and after. */
    user_id?: OwnerChange;
    /** The items that were added, changed or removed. */
    items: ItemChange[];
    /** The total price of all items. */
    total: TotalChange;
}

/** Seats, by id. */
export interface MarkSeats {
    /** The seats: all or nothing, and none of them may be claimed. */
    ids: string[];
    /** Whether to take them off sale. */
    blocked?: boolean;
    /** The allotment to move them to; null: none. Must be 1 to 64 letters, digits or . _ ~ -, not blocked. */
    set_allotment?: string | null;
}

/** All seats of an allotment. */
export interface MarkAllotment {
    /** Instead of ids: all seats of this allotment; claimed ones follow when they become available. Must be 1 to 64 letters, digits or . _ ~ -, not blocked. */
    allotment: string;
    /** Whether to take them off sale. */
    blocked?: boolean;
    /** The allotment to move them to; null: none. Must be 1 to 64 letters, digits or . _ ~ -, not blocked. */
    set_allotment?: string | null;
}

/** Several items of any kind. */
export interface HoldItems {
    /** The owner of the hold. Required with an app or admin key. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
    /** The items to hold: all or nothing. */
    items: Array<SeatRequest | PoolRequest | BestRequest | SlotRequest | ServiceRequest | GroupRequest | GroupServiceRequest>;
    /** How long to hold them, in seconds, up to the maximum of the event or calendar. */
    ttl_seconds?: number;
    /** Your own data: an object of at most 4 KiB. */
    attributes?: Record<string, unknown>;
    /** A code, for items that need one. Must be 4 to 64 letters, digits or . _ ~ -. */
    code?: string;
    /** Confirm in the same call. Only for app and admin keys. Defaults to false. */
    commit?: boolean;
    /** With commit: how it was paid. Must be 1 to 255 bytes, no control characters. */
    payment_method?: string | null;
    /** With commit: the payment provider's reference. Must be 1 to 255 bytes, no control characters. */
    payment_ref?: string | null;
    /** With payment_ref: the amount paid. Defaults to the total. */
    amount?: {
        /** In minor units, such as cents. */
        amount: number;
        /** The currency (ISO 4217). Must be a currency such as EUR. */
        currency: string;
    } | null;
}

/** One seat, by resource_id. */
export interface HoldResource {
    /** The owner of the hold. Required with an app or admin key. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
    /** `event/seat`, or just a seat of the event `default`. */
    resource_id: string;
    /** How long to hold them, in seconds, up to the maximum of the event or calendar. */
    ttl_seconds?: number;
    /** Your own data: an object of at most 4 KiB. */
    attributes?: Record<string, unknown>;
    /** A code, for items that need one. Must be 4 to 64 letters, digits or . _ ~ -. */
    code?: string;
    /** Confirm in the same call. Only for app and admin keys. Defaults to false. */
    commit?: boolean;
    /** With commit: how it was paid. Must be 1 to 255 bytes, no control characters. */
    payment_method?: string | null;
    /** With commit: the payment provider's reference. Must be 1 to 255 bytes, no control characters. */
    payment_ref?: string | null;
    /** With payment_ref: the amount paid. Defaults to the total. */
    amount?: {
        /** In minor units, such as cents. */
        amount: number;
        /** The currency (ISO 4217). Must be a currency such as EUR. */
        currency: string;
    } | null;
}

/** A seat. */
export interface SeatRequest {
    /** The event. Must be 1 to 64 letters, digits or . _ ~ -. */
    event: string;
    /** The seat. Must be 1 to 64 letters, digits or . _ ~ -. */
    seat: string;
    /** The price category. Defaults to the event's first one. Must be 1 to 64 bytes, no control characters except tab and line breaks. */
    category?: string;
    /** Your own data about this item: an object of at most 1 KiB. */
    attributes?: Record<string, unknown>;
    /** A code for this item, instead of the code of the whole request. Must be 4 to 64 letters, digits or . _ ~ -. */
    code?: string;
    /** The allotment to claim from. Only for app and admin keys; `blocked`, for admin keys: blocked seats. Must be 1 to 64 letters, digits or . _ ~ -. */
    allotment?: string;
}

/** Units of a pool. */
export interface PoolRequest {
    /** The event. Must be 1 to 64 letters, digits or . _ ~ -. */
    event: string;
    /** The pool. Must be 1 to 64 letters, digits or . _ ~ -. */
    pool: string;
    /** How many units. Defaults to 1. */
    quantity?: number;
    /** The price category. Defaults to the event's first one. Must be 1 to 64 bytes, no control characters except tab and line breaks. */
    category?: string;
    /** Your own data about this item: an object of at most 1 KiB. */
    attributes?: Record<string, unknown>;
    /** A code for this item, instead of the code of the whole request. Must be 4 to 64 letters, digits or . _ ~ -. */
    code?: string;
    /** The allotment to claim from. Only for app and admin keys; `blocked`, for admin keys: blocked seats. Must be 1 to 64 letters, digits or . _ ~ -. */
    allotment?: string;
}

/** The best free seats. */
export interface BestRequest {
    /** The event. Must be 1 to 64 letters, digits or . _ ~ -. */
    event: string;
    /** Which seats to choose from. */
    best: {
        /** How many seats. */
        quantity: number;
        /** Only seats of this section. Must be 1 to 64 bytes, no control characters except tab and line breaks. */
        section?: string;
        /** Only seats of this tier. Must be 1 to 64 bytes, no control characters except tab and line breaks. */
        tier?: string;
        /** The allotment to claim from. Only for app and admin keys; `blocked`, for admin keys: blocked seats. Must be 1 to 64 letters, digits or . _ ~ -. */
        allotment?: string;
        /** How many of them must be accessible; no more accessible seats than that are chosen. Defaults to 0. */
        accessible?: number;
        /** Only side by side; otherwise 409 no_adjacent_seats. Defaults to false. */
        adjacent?: boolean;
    };
    /** The price category. Defaults to the event's first one. Must be 1 to 64 bytes, no control characters except tab and line breaks. */
    category?: string;
    /** Your own data about this item: an object of at most 1 KiB. */
    attributes?: Record<string, unknown>;
    /** A code for this item, instead of the code of the whole request. Must be 4 to 64 letters, digits or . _ ~ -. */
    code?: string;
    /** The allotment to claim from. Only for app and admin keys; `blocked`, for admin keys: blocked seats. Must be 1 to 64 letters, digits or . _ ~ -. */
    allotment?: string;
}

/** A slot of a calendar, from start to end. */
export interface SlotRequest {
    /** The calendar. Must be 1 to 64 letters, digits or . _ ~ -. */
    calendar: string;
    /** The start of the slot. */
    start: string;
    /** The end of the slot. */
    end: string;
    /** Your own data about this item: an object of at most 1 KiB. */
    attributes?: Record<string, unknown>;
}

/** A service of a calendar, which sets the end and the price. */
export interface ServiceRequest {
    /** The calendar. Must be 1 to 64 letters, digits or . _ ~ -. */
    calendar: string;
    /** The start of the slot. */
    start: string;
    /** The service, which sets the end and the price. Must be 1 to 64 letters, digits or . _ ~ -. */
    service: string;
    /** Your own data about this item: an object of at most 1 KiB. */
    attributes?: Record<string, unknown>;
}

/** A slot of any calendar of a group, from start to end. */
export interface GroupRequest {
    /** The group. The server picks one of its calendars. Must be 1 to 64 letters, digits or . _ ~ -. */
    group: string;
    /** The number of people. Only calendars of at least this size are used. Defaults to 1. */
    party?: number;
    /** The start of the slot. */
    start: string;
    /** The end of the slot. */
    end: string;
    /** Your own data about this item: an object of at most 1 KiB. */
    attributes?: Record<string, unknown>;
}

/** A service of any calendar of a group. */
export interface GroupServiceRequest {
    /** The group. The server picks one of its calendars. Must be 1 to 64 letters, digits or . _ ~ -. */
    group: string;
    /** The number of people. Only calendars of at least this size are used. Defaults to 1. */
    party?: number;
    /** The start of the slot. */
    start: string;
    /** The service, which sets the end and the price. Must be 1 to 64 letters, digits or . _ ~ -. */
    service: string;
    /** Your own data about this item: an object of at most 1 KiB. */
    attributes?: Record<string, unknown>;
}

/** Several items. */
export interface AddItems {
    /** A code for this item, instead of the code of the whole request. Must be 4 to 64 letters, digits or . _ ~ -. */
    code?: string;
    /** The items to add: all or nothing. */
    items: Array<SeatRequest | PoolRequest | BestRequest | SlotRequest | ServiceRequest | GroupRequest | GroupServiceRequest>;
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

/** A seat. */
export interface AddSeat {
    /** The event. Must be 1 to 64 letters, digits or . _ ~ -. */
    event: string;
    /** The seat. Must be 1 to 64 letters, digits or . _ ~ -. */
    seat: string;
    /** The price category. Defaults to the event's first one. Must be 1 to 64 bytes, no control characters except tab and line breaks. */
    category?: string;
    /** Your own data about this item: an object of at most 1 KiB. */
    attributes?: Record<string, unknown>;
    /** A code for this item, instead of the code of the whole request. Must be 4 to 64 letters, digits or . _ ~ -. */
    code?: string;
    /** The allotment to claim from. Only for app and admin keys; `blocked`, for admin keys: blocked seats. Must be 1 to 64 letters, digits or . _ ~ -. */
    allotment?: string;
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

/** Units of a pool. */
export interface AddPool {
    /** The event. Must be 1 to 64 letters, digits or . _ ~ -. */
    event: string;
    /** The pool. Must be 1 to 64 letters, digits or . _ ~ -. */
    pool: string;
    /** How many units. Defaults to 1. */
    quantity?: number;
    /** The price category. Defaults to the event's first one. Must be 1 to 64 bytes, no control characters except tab and line breaks. */
    category?: string;
    /** Your own data about this item: an object of at most 1 KiB. */
    attributes?: Record<string, unknown>;
    /** A code for this item, instead of the code of the whole request. Must be 4 to 64 letters, digits or . _ ~ -. */
    code?: string;
    /** The allotment to claim from. Only for app and admin keys; `blocked`, for admin keys: blocked seats. Must be 1 to 64 letters, digits or . _ ~ -. */
    allotment?: string;
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

/** The best free seats. */
export interface AddBest {
    /** The event. Must be 1 to 64 letters, digits or . _ ~ -. */
    event: string;
    /** Which seats to choose from. */
    best: {
        /** How many seats. */
        quantity: number;
        /** Only seats of this section. Must be 1 to 64 bytes, no control characters except tab and line breaks. */
        section?: string;
        /** Only seats of this tier. Must be 1 to 64 bytes, no control characters except tab and line breaks. */
        tier?: string;
        /** The allotment to claim from. Only for app and admin keys; `blocked`, for admin keys: blocked seats. Must be 1 to 64 letters, digits or . _ ~ -. */
        allotment?: string;
        /** How many of them must be accessible; no more accessible seats than that are chosen. Defaults to 0. */
        accessible?: number;
        /** Only side by side; otherwise 409 no_adjacent_seats. Defaults to false. */
        adjacent?: boolean;
    };
    /** The price category. Defaults to the event's first one. Must be 1 to 64 bytes, no control characters except tab and line breaks. */
    category?: string;
    /** Your own data about this item: an object of at most 1 KiB. */
    attributes?: Record<string, unknown>;
    /** A code for this item, instead of the code of the whole request. Must be 4 to 64 letters, digits or . _ ~ -. */
    code?: string;
    /** The allotment to claim from. Only for app and admin keys; `blocked`, for admin keys: blocked seats. Must be 1 to 64 letters, digits or . _ ~ -. */
    allotment?: string;
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

/** A slot of a calendar, from start to end. */
export interface AddSlot {
    /** The calendar. Must be 1 to 64 letters, digits or . _ ~ -. */
    calendar: string;
    /** The start of the slot. */
    start: string;
    /** The end of the slot. */
    end: string;
    /** Your own data about this item: an object of at most 1 KiB. */
    attributes?: Record<string, unknown>;
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

/** A service of a calendar, which sets the end and the price. */
export interface AddService {
    /** The calendar. Must be 1 to 64 letters, digits or . _ ~ -. */
    calendar: string;
    /** The start of the slot. */
    start: string;
    /** The service, which sets the end and the price. Must be 1 to 64 letters, digits or . _ ~ -. */
    service: string;
    /** Your own data about this item: an object of at most 1 KiB. */
    attributes?: Record<string, unknown>;
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

/** A slot of any calendar of a group, from start to end. */
export interface AddGroup {
    /** The group. The server picks one of its calendars. Must be 1 to 64 letters, digits or . _ ~ -. */
    group: string;
    /** The number of people. Only calendars of at least this size are used. Defaults to 1. */
    party?: number;
    /** The start of the slot. */
    start: string;
    /** The end of the slot. */
    end: string;
    /** Your own data about this item: an object of at most 1 KiB. */
    attributes?: Record<string, unknown>;
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

/** A service of any calendar of a group. */
export interface AddGroupService {
    /** The group. The server picks one of its calendars. Must be 1 to 64 letters, digits or . _ ~ -. */
    group: string;
    /** The number of people. Only calendars of at least this size are used. Defaults to 1. */
    party?: number;
    /** The start of the slot. */
    start: string;
    /** The service, which sets the end and the price. Must be 1 to 64 letters, digits or . _ ~ -. */
    service: string;
    /** Your own data about this item: an object of at most 1 KiB. */
    attributes?: Record<string, unknown>;
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

/** To another seat. */
export interface MoveToSeat {
    /** The seat to move to, in the same event. Must be 1 to 64 letters, digits or . _ ~ -. */
    seat: string;
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

/** To another time. */
export interface MoveToTime {
    /** The new start of the slot. */
    start: string;
    /** The new end; not needed if the item has a service. */
    end?: string;
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

/** More or fewer units of a pool. */
export interface SetQuantity {
    /** How many units of a pool. More units are claimed, fewer are released immediately. Only while the item is held. */
    quantity: number;
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

/** Another category. */
export interface SetCategory {
    /** Another category, at its current price. Only while the item is held. Must be 1 to 64 bytes, no control characters except tab and line breaks. */
    category: string;
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

/** Its attributes: replaces the whole object. */
export interface SetAttributes {
    /** The new attributes of the item: an object of at most 1 KiB. */
    attributes: Record<string, unknown>;
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

/** A hold was made. */
export interface ReservationHeldMessage {
    /** The type of the message. */
    type: "reservation.held";
    /** When the event happened. */
    timestamp: string;
    /** What it is about, as an app sees it. */
    data: Reservation;
}

/** A hold expires in a minute. Not for holds of less than two minutes. */
export interface ReservationExpiringMessage {
    /** The type of the message. */
    type: "reservation.expiring";
    /** When the event happened. */
    timestamp: string;
    /** What it is about, as an app sees it. */
    data: Reservation;
}

/** A reservation was confirmed. `data` has a `manage_token`. */
export interface ReservationConfirmedMessage {
    /** The type of the message. */
    type: "reservation.confirmed";
    /** When the event happened. */
    timestamp: string;
    /** What it is about, as an app sees it. */
    data: Reservation;
}

/** A hold was released. */
export interface ReservationReleasedMessage {
    /** The type of the message. */
    type: "reservation.released";
    /** When the event happened. */
    timestamp: string;
    /** What it is about, as an app sees it. */
    data: Reservation;
}

/** A hold expired. */
export interface ReservationExpiredMessage {
    /** The type of the message. */
    type: "reservation.expired";
    /** When the event happened. */
    timestamp: string;
    /** What it is about, as an app sees it. */
    data: Reservation;
}

/** A sale was cancelled by its owner. */
export interface ReservationCancelledMessage {
    /** The type of the message. */
    type: "reservation.cancelled";
    /** When the event happened. */
    timestamp: string;
    /** What it is about, as an app sees it. */
    data: Reservation;
}

/** A sale was refunded, in full or in part. */
export interface ReservationRefundedMessage {
    /** The type of the message. */
    type: "reservation.refunded";
    /** When the event happened. */
    timestamp: string;
    /** What it is about, as an app sees it. */
    data: Reservation;
}

/** A reservation has a new owner. */
export interface ReservationTransferredMessage {
    /** The type of the message. */
    type: "reservation.transferred";
    /** When the event happened. */
    timestamp: string;
    /** What it is about, as an app sees it. */
    data: Reservation;
}

/** Money has to be paid back, or the amount of a refund due has changed. */
export interface RefundDueMessage {
    /** The type of the message. */
    type: "refund.due";
    /** When the event happened. */
    timestamp: string;
    /** What it is about, as an app sees it. */
    data: RefundDue;
}

/** Freed seats or units are held for a user of a waiting list. */
export interface ListOfferedMessage {
    /** The type of the message. */
    type: "list.offered";
    /** When the event happened. */
    timestamp: string;
    /** What it is about, as an app sees it. */
    data: Reservation;
}

/** A driver accepted a ride. */
export interface RideAssignedMessage {
    /** The type of the message. */
    type: "ride.assigned";
    /** When the event happened. */
    timestamp: string;
    /** What it is about, as an app sees it. */
    data: Ride;
}

/** A refund due is no longer owed. */
export interface RefundWithdrawnMessage {
    /** The type of the message. */
    type: "refund.withdrawn";
    /** When the event happened. */
    timestamp: string;
    /** What it is about, as an app sees it. */
    data: RefundDue;
}

/** A payment does not add up. */
export interface PaymentDiscrepancyMessage {
    /** The type of the message. */
    type: "payment.discrepancy";
    /** When the event happened. */
    timestamp: string;
    /** What it is about, as an app sees it. */
    data: PaymentRow;
}

export interface PutEventBody {
    /** The display name. Must be 1 to 256 bytes, no control characters. */
    name: string;
    /** When it starts. */
    starts_at?: string | null;
    /** When the sale starts; null: immediately. */
    on_sale_at?: string | null;
    /** When the sale ends, after on_sale_at; null: when the event starts. */
    off_sale_at?: string | null;
    /** The currency of every price (ISO 4217). Must be three capital letters such as EUR. */
    currency?: string;
    /** Default TTL and maximum in seconds: concert 600 and 900, airline 1200 and 1800, hotel 1800 and 2700, restaurant 300 and 600. */
    preset?: "concert" | "airline" | "hotel" | "restaurant";
    /** How long a hold lasts, in seconds. */
    hold_ttl_seconds?: number;
    /** How long a hold can last with extensions, in seconds. Defaults to one and a half times the TTL, at least 900. */
    max_hold_seconds?: number;
    /** The minimum time a buyer has once payment starts, in seconds; 0: no payment window. */
    payment_ttl_seconds?: number;
    /** `required`: a reservation with a price is confirmed by an app or admin key, or after a payment is recorded. `none`: buyers confirm themselves. */
    payment?: "required" | "none";
    /** What to do with a payment that arrives after the deadline: confirm the sale if everything is still available, or create a refund due. */
    late_payment?: "accept_if_free" | "refund";
    /** The longest hold that app and admin keys may request, in seconds; at least `max_hold_seconds`. Defaults to that. */
    staff_hold_seconds?: number;
    /** How many seats and units one user may have, held and confirmed; 0: no limit. */
    per_user_limit?: number;
    /** The waiting room in front of the sale; null: none. */
    waiting_room?: {
        /** When it starts to admit people; null: immediately. */
        open_at?: string | null;
        /** How many people are admitted per second. */
        rate_per_second?: number;
        /** How many people may be active (admitted and not finished) at once; 0: no limit. */
        max_active?: number;
        /** How long a pass is valid, in seconds. */
        pass_ttl_seconds?: number;
        /** People who join before `open_at` are put in random order when it opens. */
        shuffle_before_open?: boolean;
        /** Whether active people are limited to the number of unsold seats and units. */
        by_inventory?: boolean;
        /** The tiers that a pass is valid for; null: all. */
        tiers?: string[] | null;
    } | null;
    /** Whether there is a waiting list for sold-out seats and pools. */
    waiting_list?: boolean;
    /** Whether guest tokens may hold, and join the waiting room and waiting list; otherwise 403 guests_refused. */
    guests?: boolean;
    /** `code`: holds, the waiting room and the waiting list need a code of this event. */
    access?: "open" | "code";
    /** A description for buyers. Must be 1 to 16384 bytes, no control characters except tab and line breaks. */
    description?: string | null;
    /** The venue, for buyers. Must be 1 to 256 bytes, no control characters. */
    venue?: string | null;
    /** A picture: a path on this server, or an https URL. Must be a path that begins with /, or an https URL. */
    image?: string | null;
    /** The time zone of the venue, in which its times are shown and days in reports are counted. Must be an IANA time zone such as Europe/London. */
    timezone?: string;
    /** Whether confirmed reservations may be transferred to another user. */
    transfer?: "on" | "off";
    /** Until how many seconds before the start the owner may cancel a confirmed reservation; null: never. */
    cancel_until_seconds?: number | null;
    /** `refuse`: user tokens may not leave a single free seat between taken ones or at the end of a row. */
    single_seats?: "allow" | "refuse";
    /** The categories of prices, such as adult and child; the first is the default. null: none. */
    categories?: string[] | null;
    /** The prices by tier and category, in minor units. In a tier without prices a seat costs its own price, in the first category only. */
    prices?: Record<string, Record<string, number>> | null;
    /** An event from which to copy the seats, with blocks and allotments, and the pools. Only for an event without seats. Must be 1 to 64 letters, digits or . _ ~ -. */
    copy_seats_from?: string | null;
    /** If sent, the id in the path. Must be 1 to 64 letters, digits or . _ ~ -. */
    id?: string;
    /** Ignored if sent. */
    created_at?: unknown;
    /** Ignored if sent. */
    cancelled_at?: unknown;
    /** Ignored if sent. */
    counts?: unknown;
}

export interface UpdateEventBody {
    /** The display name. Must be 1 to 256 bytes, no control characters. */
    name?: string | null;
    /** When it starts. */
    starts_at?: string | null;
    /** When the sale starts; null: immediately. */
    on_sale_at?: string | null;
    /** When the sale ends, after on_sale_at; null: when the event starts. */
    off_sale_at?: string | null;
    /** The currency of every price (ISO 4217). Must be three capital letters such as EUR. Defaults to "EUR". */
    currency?: string | null;
    /** How long a hold lasts, in seconds. */
    hold_ttl_seconds?: number | null;
    /** How long a hold can last with extensions, in seconds. Defaults to one and a half times the TTL, at least 900. */
    max_hold_seconds?: number | null;
    /** The minimum time a buyer has once payment starts, in seconds; 0: no payment window. Defaults to 300. */
    payment_ttl_seconds?: number | null;
    /** `required`: a reservation with a price is confirmed by an app or admin key, or after a payment is recorded. `none`: buyers confirm themselves. Defaults to "required". */
    payment?: "required" | "none" | null;
    /** What to do with a payment that arrives after the deadline: confirm the sale if everything is still available, or create a refund due. Defaults to "accept_if_free". */
    late_payment?: "accept_if_free" | "refund" | null;
    /** The longest hold that app and admin keys may request, in seconds; at least `max_hold_seconds`. Defaults to that. */
    staff_hold_seconds?: number | null;
    /** How many seats and units one user may have, held and confirmed; 0: no limit. Defaults to 0. */
    per_user_limit?: number | null;
    /** The waiting room in front of the sale; null: none. */
    waiting_room?: {
        /** When it starts to admit people; null: immediately. */
        open_at?: string | null;
        /** How many people are admitted per second. Defaults to 50. */
        rate_per_second?: number | null;
        /** How many people may be active (admitted and not finished) at once; 0: no limit. Defaults to 0. */
        max_active?: number | null;
        /** How long a pass is valid, in seconds. Defaults to 900. */
        pass_ttl_seconds?: number | null;
        /** People who join before `open_at` are put in random order when it opens. Defaults to false. */
        shuffle_before_open?: boolean | null;
        /** Whether active people are limited to the number of unsold seats and units. Defaults to true. */
        by_inventory?: boolean | null;
        /** The tiers that a pass is valid for; null: all. */
        tiers?: string[] | null;
    } | null;
    /** Whether there is a waiting list for sold-out seats and pools. Defaults to false. */
    waiting_list?: boolean | null;
    /** Whether guest tokens may hold, and join the waiting room and waiting list; otherwise 403 guests_refused. Defaults to true. */
    guests?: boolean | null;
    /** `code`: holds, the waiting room and the waiting list need a code of this event. */
    access?: "open" | "code" | null;
    /** A description for buyers. Must be 1 to 16384 bytes, no control characters except tab and line breaks. */
    description?: string | null;
    /** The venue, for buyers. Must be 1 to 256 bytes, no control characters. */
    venue?: string | null;
    /** A picture: a path on this server, or an https URL. Must be a path that begins with /, or an https URL. */
    image?: string | null;
    /** The time zone of the venue, in which its times are shown and days in reports are counted. Must be an IANA time zone such as Europe/London. Defaults to "UTC". */
    timezone?: string | null;
    /** Whether confirmed reservations may be transferred to another user. Defaults to "on". */
    transfer?: "on" | "off" | null;
    /** Until how many seconds before the start the owner may cancel a confirmed reservation; null: never. */
    cancel_until_seconds?: number | null;
    /** `refuse`: user tokens may not leave a single free seat between taken ones or at the end of a row. */
    single_seats?: "allow" | "refuse" | null;
    /** The categories of prices, such as adult and child; the first is the default. null: none. */
    categories?: string[] | null;
    /** The prices by tier and category, in minor units. In a tier without prices a seat costs its own price, in the first category only. */
    prices?: Record<string, Record<string, number | null> | null> | null;
    /** If sent, the id in the path. Must be 1 to 64 letters, digits or . _ ~ -. */
    id?: string | null;
    /** Ignored if sent. */
    created_at?: unknown;
    /** Ignored if sent. */
    cancelled_at?: unknown;
    /** Ignored if sent. */
    counts?: unknown;
}

export interface CancelEventBody {
    /** The reason in words: shown with each refund due and in the histories. Must be 1 to 256 bytes, no control characters. */
    reason?: string | null;
}

export type ImportSeatsBody = Array<{
    /** The id of the seat within its event. Must be 1 to 64 letters, digits or . _ ~ -. */
    id: string;
    /** The section of the venue. Must be 0 to 64 bytes, no control characters except tab and line breaks. */
    section?: string | null;
    /** The row label. Must be 0 to 64 bytes, no control characters except tab and line breaks. */
    row?: string | null;
    /** The seat number within the row, as labelled. Must be 0 to 64 bytes, no control characters except tab and line breaks. */
    number?: string | null;
    /** Position on a plan, from left to right; rounded to three decimals. */
    x?: number | null;
    /** Position on a plan, from front to back; rounded to three decimals. */
    y?: number | null;
    /** The tier of the seat, which determines its prices. Must be 0 to 64 bytes, no control characters except tab and line breaks. */
    tier?: string | null;
    /** The price in minor units. */
    price?: number;
    /** Whether it is wheelchair accessible. */
    accessible?: boolean;
    /** Whether it is off sale. */
    blocked?: boolean;
    /** The allotment that it belongs to; null: on sale to the public. Must be 1 to 64 letters, digits or . _ ~ -, not blocked. */
    allotment?: string | null;
}>;

export type UpdateSeatsBody = MarkSeats | MarkAllotment;

export interface DeleteSeatsBody {
    /** The seats: all or nothing. */
    ids: string[];
}

export interface PutPoolBody {
    /** How many units there are. */
    capacity: number;
    /** The price of a unit, in minor units. */
    price?: number;
    /** The prices of a unit by category; null: `price`, in the first category only. */
    prices?: Record<string, number> | null;
    /** The display name. Must be 1 to 256 bytes, no control characters. */
    name?: string | null;
    /** The allotment that it belongs to: `available` is 0 for the public. Must be 1 to 64 letters, digits or . _ ~ -, not blocked. */
    allotment?: string | null;
    /** If sent, the id in the path. Must be 1 to 64 letters, digits or . _ ~ -. */
    id?: string;
    /** Ignored if sent. */
    available?: unknown;
}

export type ImportCodesBody = Array<{
    /** The code, as written; compared ignoring ASCII case. Must be 4 to 64 letters, digits or . _ ~ -. */
    code: string;
    /** How many seats and units may be held and sold with it at once; 0: any number. */
    units?: number;
    /** Only seats of these tiers; null: anything. */
    tiers?: string[] | null;
    /** The allotment that it gives access to. Must be 1 to 64 letters, digits or . _ ~ -, not blocked. */
    allotment?: string | null;
}>;

export interface JoinQueueBody {
    /** The user who joins. Required with an app or admin key. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
    /** The tiers that the pass is valid for, instead of the room's. Only for app and admin keys. */
    tiers?: string[] | null;
    /** A code, for items that need one. Must be 4 to 64 letters, digits or . _ ~ -. */
    code?: string;
}

export interface UpdateQueueBody {
    /** How many people are admitted per second. */
    rate_per_second?: number;
    /** How many people may be active (admitted and not finished) at once; 0: no limit. */
    max_active?: number;
    /** While true, nobody is admitted. */
    paused?: boolean;
    /** When it starts to admit people; null: immediately. */
    open_at?: string | null;
}

export interface JoinWaitingListBody {
    /** The user who joins. Required with an app or admin key. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
    /** How many seats or units. */
    quantity: number;
    /** Only seats side by side. */
    adjacent?: boolean;
    /** Only seats of this tier. Must be 1 to 64 bytes, no control characters except tab and line breaks. */
    tier?: string | null;
    /** Only seats of this section. Must be 1 to 64 bytes, no control characters except tab and line breaks. */
    section?: string | null;
    /** Units of this pool instead of seats. Must be 1 to 64 letters, digits or . _ ~ -. */
    pool?: string | null;
    /** A code, for items that need one. Must be 4 to 64 letters, digits or . _ ~ -. */
    code?: string;
}

export interface PutCalendarBody {
    /** The display name. Must be 1 to 256 bytes, no control characters. */
    name: string;
    /** The time zone of the opening hours. Must be an IANA time zone such as Europe/London. */
    timezone?: string;
    /** How many claims may overlap. */
    capacity?: number;
    /** The price in minor units, of a slot or of a claim: see `price_per`. */
    price?: number;
    /** The currency of every price (ISO 4217). Must be three capital letters such as EUR. */
    currency?: string;
    /** How long a hold lasts, in seconds. */
    hold_ttl_seconds?: number;
    /** How long a hold can last with extensions, in seconds. Defaults to one and a half times the TTL, at least 900. */
    max_hold_seconds?: number;
    /** The minimum time a buyer has once payment starts, in seconds; 0: no payment window. */
    payment_ttl_seconds?: number;
    /** `required`: a reservation with a price is confirmed by an app or admin key, or after a payment is recorded. `none`: buyers confirm themselves. */
    payment?: "required" | "none";
    /** What to do with a payment that arrives after the deadline: confirm the sale if everything is still available, or create a refund due. */
    late_payment?: "accept_if_free" | "refund";
    /** The interval between listed slots, in minutes, and their default length. */
    slot_minutes?: number;
    /** Minutes kept free after each claim. */
    buffer_minutes?: number;
    /** Minutes kept free before each claim. */
    buffer_before_minutes?: number;
    /** The minimum length of a claim by a user token, in minutes; null: one slot. */
    min_minutes?: number | null;
    /** The maximum length of a claim by a user token, in minutes; null: one slot, or the minimum if that is longer. */
    max_minutes?: number | null;
    /** `slot`: the price is multiplied by the slots begun. `claim`: any length costs the same. */
    price_per?: "claim" | "slot";
    /** How many minutes before its start a user token must claim at the latest. */
    notice_minutes?: number;
    /** How far ahead a claim by a user token may begin, in days. */
    horizon_days?: number;
    /** How many current and future claims one user may have; 0: any number. For user tokens only. */
    per_user_limit?: number;
    /** Until how many minutes before its start a user token may move a claim. */
    change_until_minutes?: number;
    /** Until how many minutes before its start the owner may cancel a confirmed claim; null: never. */
    cancel_until_minutes?: number | null;
    /** How many people it has room for. */
    size?: number;
    /** Whether guest tokens may claim. */
    guests?: boolean;
    /** The weekly opening hours; empty: always open. */
    hours?: Array<{
        /** The days on which the range starts. */
        days: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">;
        /** Opening time, in the calendar's time zone. Must be a time of day such as 09:00. */
        from: string;
        /** Closing time; on the next day unless later than `from`. Must be a time of day such as 17:30, at most 24:00. */
        to: string;
    }>;
    /** Closed intervals, even within opening hours. */
    closed?: Array<{
        /** The start of the closed interval. */
        start: string;
        /** The end of the closed interval. */
        end: string;
    }>;
    /** The services that can be booked. */
    services?: Array<{
        /** The id of the service. Must be 1 to 64 letters, digits or . _ ~ -. */
        id: string;
        /** How long it takes, in minutes. */
        duration_minutes: number;
        /** The price in minor units. Defaults to the calendar's. */
        price?: number;
    }>;
    /** If sent, the id in the path. Must be 1 to 64 letters, digits or . _ ~ -. */
    id?: string;
    /** Ignored if sent. */
    created_at?: unknown;
}

export interface UpdateCalendarBody {
    /** The display name. Must be 1 to 256 bytes, no control characters. */
    name?: string | null;
    /** The time zone of the opening hours. Must be an IANA time zone such as Europe/London. Defaults to "UTC". */
    timezone?: string | null;
    /** How many claims may overlap. Defaults to 1. */
    capacity?: number | null;
    /** The price in minor units, of a slot or of a claim: see `price_per`. Defaults to 0. */
    price?: number | null;
    /** The currency of every price (ISO 4217). Must be three capital letters such as EUR. Defaults to "EUR". */
    currency?: string | null;
    /** How long a hold lasts, in seconds. Defaults to 300. */
    hold_ttl_seconds?: number | null;
    /** How long a hold can last with extensions, in seconds. Defaults to one and a half times the TTL, at least 900. */
    max_hold_seconds?: number | null;
    /** The minimum time a buyer has once payment starts, in seconds; 0: no payment window. Defaults to 300. */
    payment_ttl_seconds?: number | null;
    /** `required`: a reservation with a price is confirmed by an app or admin key, or after a payment is recorded. `none`: buyers confirm themselves. Defaults to "required". */
    payment?: "required" | "none" | null;
    /** What to do with a payment that arrives after the deadline: confirm the sale if everything is still available, or create a refund due. Defaults to "accept_if_free". */
    late_payment?: "accept_if_free" | "refund" | null;
    /** The interval between listed slots, in minutes, and their default length. Defaults to 30. */
    slot_minutes?: number | null;
    /** Minutes kept free after each claim. Defaults to 0. */
    buffer_minutes?: number | null;
    /** Minutes kept free before each claim. Defaults to 0. */
    buffer_before_minutes?: number | null;
    /** The minimum length of a claim by a user token, in minutes; null: one slot. */
    min_minutes?: number | null;
    /** The maximum length of a claim by a user token, in minutes; null: one slot, or the minimum if that is longer. */
    max_minutes?: number | null;
    /** `slot`: the price is multiplied by the slots begun. `claim`: any length costs the same. Defaults to "slot". */
    price_per?: "claim" | "slot" | null;
    /** How many minutes before its start a user token must claim at the latest. Defaults to 0. */
    notice_minutes?: number | null;
    /** How far ahead a claim by a user token may begin, in days. Defaults to 366. */
    horizon_days?: number | null;
    /** How many current and future claims one user may have; 0: any number. For user tokens only. Defaults to 0. */
    per_user_limit?: number | null;
    /** Until how many minutes before its start a user token may move a claim. Defaults to 0. */
    change_until_minutes?: number | null;
    /** Until how many minutes before its start the owner may cancel a confirmed claim; null: never. */
    cancel_until_minutes?: number | null;
    /** How many people it has room for. Defaults to 1. */
    size?: number | null;
    /** Whether guest tokens may claim. Defaults to true. */
    guests?: boolean | null;
    /** The weekly opening hours; empty: always open. */
    hours?: Array<{
        /** The days on which the range starts. */
        days: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">;
        /** Opening time, in the calendar's time zone. Must be a time of day such as 09:00. */
        from: string;
        /** Closing time; on the next day unless later than `from`. Must be a time of day such as 17:30, at most 24:00. */
        to: string;
    }> | null;
    /** Closed intervals, even within opening hours. */
    closed?: Array<{
        /** The start of the closed interval. */
        start: string;
        /** The end of the closed interval. */
        end: string;
    }> | null;
    /** The services that can be booked. */
    services?: Array<{
        /** The id of the service. Must be 1 to 64 letters, digits or . _ ~ -. */
        id: string;
        /** How long it takes, in minutes. */
        duration_minutes: number;
        /** The price in minor units. Defaults to the calendar's. */
        price?: number;
    }> | null;
    /** If sent, the id in the path. Must be 1 to 64 letters, digits or . _ ~ -. */
    id?: string | null;
    /** Ignored if sent. */
    created_at?: unknown;
}

export interface PutGroupBody {
    /** The display name. Must be 1 to 256 bytes, no control characters. */
    name: string;
    /** Its calendars, 1 to 100, in order; all have the same time zone and currency. */
    calendars: string[];
    /** Which of several free calendars of the same size is chosen. `least_busy`: the one with the fewest claims that day. `in_order`: the first. */
    pick?: "least_busy" | "in_order";
    /** If sent, the id in the path. Must be 1 to 64 letters, digits or . _ ~ -. */
    id?: string;
    /** Ignored if sent. */
    created_at?: unknown;
}

export type CreateReservationBody = HoldItems | HoldResource;

export interface UpdateReservationBody {
    /** The new attributes: an object of at most 4 KiB. */
    attributes: Record<string, unknown>;
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

export interface DeleteReservationBody {
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

export interface ReleaseReservationBody {
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

export type AddItemsBody = AddItems | AddSeat | AddPool | AddBest | AddSlot | AddService | AddGroup | AddGroupService;

export type UpdateItemBody = MoveToSeat | MoveToTime | SetQuantity | SetCategory | SetAttributes;

export interface RemoveItemBody {
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

export interface ExtendReservationBody {
    /** How long from now, in seconds. Defaults to the TTL of a hold. */
    ttl_seconds?: number;
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

export interface StartPaymentBody {
    /** The payment provider's reference. From an app or admin key it is recorded as begun, not as paid. Must be 1 to 255 bytes, no control characters. */
    payment_ref?: string | null;
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

export interface CommitReservationBody {
    /** How it was paid. Only recorded. Must be 1 to 255 bytes, no control characters. */
    payment_method?: string | null;
    /** The payment provider's reference. Counts only from an app or admin key. Must be 1 to 255 bytes, no control characters. */
    payment_ref?: string | null;
    /** The amount paid, with payment_ref. Defaults to the missing amount, until the provider reports it. */
    amount?: {
        /** In minor units, such as cents. */
        amount: number;
        /** The currency (ISO 4217). Must be a currency such as EUR. */
        currency: string;
    } | null;
    /** The new attributes: an object of at most 4 KiB. */
    attributes?: Record<string, unknown>;
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

export interface TransferReservationBody {
    /** The new owner. Must be 1 to 128 bytes, no control characters. */
    to_user_id: string;
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
    /** App and admin keys only: keep the attributes of the reservation and of its items, which are otherwise cleared. */
    keep_attributes?: boolean;
}

export interface CancelReservationBody {
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

export interface RefundReservationBody {
    /** The reason in words: shown with the refund due and in the history. Must be 1 to 256 bytes, no control characters. */
    reason?: string | null;
    /** The ids of the items to refund. Defaults to all. */
    items?: string[];
    /** It was already paid back: no refund is due. */
    paid_back?: boolean;
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

export interface RevokeManageTokensBody {
    /** The owner. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    user_id?: string;
}

export interface PutFleetBody {
    /** How long a driver has to accept an offer, in seconds. */
    offer_seconds?: number;
    /** The resolution of the H3 cells used to find drivers; fixed once there are drivers or rides. */
    resolution?: number;
    /** How many rings of cells around the pickup are searched. */
    max_rings?: number;
    /** Seconds without a position before a driver is away. */
    presence_seconds?: number;
    /** For how many seconds a ride is offered to drivers. */
    search_seconds?: number;
    /** The speed in km/h used to compute ETAs. */
    speed_kmh?: number;
    /** For how many milliseconds rides are collected to be matched with drivers together; 0: each is offered immediately, oldest first. */
    batch_ms?: number;
    /** Whether guest tokens may request rides; otherwise 403 guests_refused. */
    guests?: boolean;
    /** How many live rides a rider's own token may have in this fleet, including those requested by keys; more are 409 limit_exceeded. 0: no limit. App and admin keys are not limited. */
    rides_per_rider?: number;
    /** The weights of a driver's score; the lowest score gets the offer first. */
    weights?: {
        /** Score increase per millisecond of ETA. */
        eta?: number;
        /** Score reduction per star, in minutes. */
        rating?: number;
        /** Score reduction per idle millisecond, up to 30 minutes. */
        waiting?: number;
        /** Score reduction in minutes for a driver who prefers surge, if the ride has surge. */
        surge?: number;
    };
    /** If sent, the id in the path. Must be 1 to 64 letters, digits or . _ ~ -. */
    id?: string;
    /** Ignored if sent. */
    created_at?: unknown;
}

export interface PutDriverBody {
    /** Latitude, in degrees. */
    lat: number;
    /** Longitude, in degrees. */
    lng: number;
    /** Whether the driver takes offers. During a ride it takes effect when the ride ends. */
    available: boolean;
    /** The driver's rating, from 0 to 5. For app and admin keys. If omitted, unchanged; 5 for a new driver. */
    rating?: number;
    /** The types of rides that the driver can be offered. For app and admin keys. If omitted, unchanged. */
    types?: string[];
    /** Whether the driver prefers rides with surge. If omitted, unchanged. */
    surge?: boolean;
}

export type UpdatePositionsBody = Array<{
    /** The driver. Must be 1 to 128 bytes, no control characters. */
    driver: string;
    /** Latitude, in degrees. */
    lat: number;
    /** Longitude, in degrees. */
    lng: number;
    /** Whether the driver takes offers. During a ride it takes effect when the ride ends. If omitted, unchanged. */
    available?: boolean;
}>;

export interface CreateRideBody {
    /** The rider. Required with an app or admin key; otherwise the caller. Must be 1 to 128 bytes, no control characters. */
    rider_id?: string;
    /** Latitude, in degrees. */
    lat: number;
    /** Longitude, in degrees. */
    lng: number;
    /** The destination. */
    to?: {
        /** Latitude, in degrees. */
        lat: number;
        /** Longitude, in degrees. */
        lng: number;
    } | null;
    /** Only drivers of this type; null: any. Must be 1 to 64 bytes, no control characters except tab and line breaks. */
    type?: string | null;
    /** The surge factor of its price. */
    surge?: number;
}

export interface CancelRideBody {
    /** The rider. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    rider_id?: string;
}

export interface CompleteRideBody {
    /** The driver. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    driver_id?: string;
}

export interface DriverCancelRideBody {
    /** The driver. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    driver_id?: string;
}

export interface AcceptOfferBody {
    /** The driver. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    driver_id?: string;
}

export interface DeclineOfferBody {
    /** The driver. If given, it must match; otherwise 403 not_owner. Must be 1 to 128 bytes, no control characters. */
    driver_id?: string;
}

export interface PutPaymentProviderBody {
    /** The provider whose events are accepted. */
    provider: "stripe" | "standard";
    /** Signs the events, and is never shown. The previous one stays valid for a day. */
    secret: string;
}

export type ReceivePaymentEventBody = Record<string, unknown>;

export interface CompleteRefundBody {
    /** The amount paid back. Defaults to the full amount, if it has never changed. */
    amount?: {
        /** In minor units, such as cents. */
        amount: number;
        /** The currency (ISO 4217). Must be a currency such as EUR. */
        currency: string;
    } | null;
    /** It was paid back outside the payment provider, which will not report it. */
    outside?: boolean;
}

export interface CheckInBody {
    /** The code of the ticket, or its signed form. */
    code: string;
    /** The event of this gate: a ticket for anything else is refused. Must be 1 to 64 letters, digits or . _ ~ -. */
    event?: string | null;
    /** Where it was scanned: shown when the ticket is scanned again. Must be 1 to 64 bytes, no control characters. */
    gate?: string | null;
    /** Your own id of this scan, which makes it safe to retry. Must be 1 to 64 bytes, no control characters. */
    nonce?: string | null;
    /** Undoes the last check-in; with a nonce only the check-in made with it. */
    undo?: boolean;
    /** When an offline scan was made, within the last 48 hours: it is always recorded. */
    scanned_at?: string | null;
}

export interface CreateKeyBody {
    /** The name of the key, as shown in the history. Must be 1 to 64 letters, digits or . _ ~ -. */
    name: string;
    /** `app`: a trusted back end that acts for any user. `door`: checks tickets in. */
    role: "app" | "door";
}

export interface RotateKeyBody {
    /** How long the old value stays valid, in seconds. Defaults to a day; 0 ends it at once. */
    old_valid_seconds?: number;
}

export interface CreateSessionBody {
}

export interface PutHookBody {
    /** If sent, the id in the path. Must be 1 to 64 letters, digits or . _ ~ -. */
    id?: string;
    /** The URL to send messages to. Must be an http or https URL without user name and fragment. */
    url: string;
    /** The types of messages it gets. */
    events: Array<"reservation.held" | "reservation.expiring" | "reservation.confirmed" | "reservation.released" | "reservation.expired" | "reservation.cancelled" | "reservation.refunded" | "reservation.transferred" | "refund.due" | "list.offered" | "ride.assigned" | "refund.withdrawn" | "payment.discrepancy">;
    /** Signs the messages, and is never shown. A replaced secret also signs for a day. Must be whsec_ and base64 of 24 to 64 bytes. */
    secret: string;
    /** Ignored if sent. */
    created_at?: unknown;
    /** Ignored if sent. */
    old_secret_until?: unknown;
    /** Ignored if sent. */
    waiting?: unknown;
}

export interface ResendMessagesBody {
    /** Only this message. */
    id?: string;
    /** Only messages of events since then. */
    since?: string;
}

export interface ListEventsQuery {
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

export interface ListPoolsQuery {
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

export interface ListCodesQuery {
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

export interface GetAvailabilityQuery {
    /** A `version`: return only changes since. */
    since?: number;
    /** `json`: by id. `map`: one letter per seat. */
    format?: "json" | "map";
}

export interface GetQueueEntryQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
}

export interface LeaveQueueQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
}

export interface StreamQueueEntryQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
}

export interface ListWaitingListQuery {
    /** Only entries with this status. */
    status?: "waiting" | "offered" | "finished" | "left";
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

export interface GetWaitingListEntryQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
}

export interface LeaveWaitingListQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
}

export interface ListCalendarsQuery {
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

export interface ListSlotsQuery {
    /** Slots that start at or after this time. Defaults to now. */
    from?: string;
    /** Slots that start before this time. Defaults to seven days after `from`. */
    to?: string;
    /** The length of a slot. */
    duration_minutes?: number;
    /** The service to list slots for. */
    service?: string;
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

export interface ExportBookingsQuery {
    /** Bookings that end after this time. */
    from?: string;
    /** Bookings that start before this time. */
    to?: string;
}

export interface ListGroupsQuery {
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

export interface ListGroupSlotsQuery {
    /** Slots that start at or after this time. Defaults to now. */
    from?: string;
    /** Slots that start before this time. Defaults to seven days after `from`. */
    to?: string;
    /** The length of a slot. */
    duration_minutes?: number;
    /** The service to list slots for. */
    service?: string;
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
    /** The number of people. */
    party?: number;
}

export interface ListReservationsQuery {
    /** Only reservations of this user. A user token can only name its own user. */
    user_id?: string;
    /** Only reservations with an item of this event. */
    event?: string;
    /** Only reservations with an item of this calendar. */
    calendar?: string;
    /** Only reservations with this status. */
    status?: "held" | "confirmed" | "released" | "expired" | "cancelled" | "refunded";
    /** Only the reservation with this PNR. */
    pnr?: string;
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
    /** Only reservations created at or after this time. */
    from?: string;
    /** Only reservations created before this time. */
    to?: string;
    /** Only reservations with all of these words in PNR, user or attributes. */
    q?: string;
    /** Only the reservation with this ticket code, even if the ticket is void. */
    ticket?: string;
    /** Only the reservation that this payment belongs to. For app and admin keys. */
    payment_ref?: string;
}

export interface CreateReservationQuery {
    /** The owner of the hold, instead of the field. */
    user_id?: string;
}

export interface GetReservationQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
    /** Set to 1 for a new `manage_token` in the response, if the reservation is confirmed. Not with a manage token. */
    manage_token?: number;
}

export interface UpdateReservationQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
}

export interface DeleteReservationQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
}

export interface ReleaseReservationQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
}

export interface AddItemsQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
}

export interface UpdateItemQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
}

export interface RemoveItemQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
}

export interface ExtendReservationQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
}

export interface StartPaymentQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
}

export interface CommitReservationQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
}

export interface TransferReservationQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
}

export interface CancelReservationQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
}

export interface RefundReservationQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
}

export interface RevokeManageTokensQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
}

export interface ListReservationHistoryQuery {
    /** The owner. If given, it must match; otherwise 403 not_owner. */
    user_id?: string;
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

export interface ListFleetsQuery {
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

export interface ListDriversQuery {
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

export interface ListRidesQuery {
    /** Only rides with this status. */
    status?: "searching" | "offered" | "assigned" | "no_driver" | "cancelled" | "completed";
    /** Only rides of this rider. */
    rider_id?: string;
    /** Only rides assigned to this driver, now or when they ended. */
    driver_id?: string;
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

export interface ListPaymentsQuery {
    /** Only payments of this reservation. */
    reservation_id?: string;
    /** Only payments with this status. */
    status?: "begun" | "failed" | "received";
    /** Only payments with a discrepancy. */
    discrepancy?: "true";
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

export interface ListPaymentEventsQuery {
    /** Only events with this result. */
    result?: "confirmed" | "refund_due" | "repeated" | "ignored" | "unknown_reservation" | "amount_mismatch" | "currency_mismatch" | "rejected" | "recorded" | "failed" | "returned" | "payment_used";
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

export interface ListRefundsDueQuery {
    /** Only refunds with this status. Defaults to open. */
    status?: "open" | "done" | "withdrawn" | "all";
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

export interface ListCheckInsQuery {
    /** The event. */
    event: string;
    /** Only tickets that changed at or after this time. */
    since?: string;
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

export interface GetSalesReportQuery {
    /** Only this event. */
    event?: string;
    /** Sold at or after. */
    from?: string;
    /** Sold before. */
    to?: string;
}

export interface GetMoneyReportQuery {
    /** Changed at or after. */
    from?: string;
    /** Changed before. */
    to?: string;
    /** The IANA time zone of the days. Defaults to UTC. */
    timezone?: string;
}

export interface GetAbandonedReportQuery {
    /** Only this event. */
    event?: string;
    /** Ended at or after. */
    from?: string;
    /** Ended before. */
    to?: string;
}

export interface GetFunnelReportQuery {
    /** Only this event. */
    event?: string;
    /** Created at or after. */
    from?: string;
    /** Created before. */
    to?: string;
}

export interface ListAuditEntriesQuery {
    /** Made at or after. */
    from?: string;
    /** Made before. */
    to?: string;
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

export interface ExportUserQuery {
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

export interface ListKeysQuery {
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

export interface ListHooksQuery {
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

export interface ListDeadMessagesQuery {
    /** How many entries per page. */
    limit?: number;
    /** The `next_cursor` of the previous page. */
    cursor?: string;
}

/** A message to a hook. */
export type HookMessage = ReservationHeldMessage | ReservationExpiringMessage | ReservationConfirmedMessage | ReservationReleasedMessage | ReservationExpiredMessage | ReservationCancelledMessage | ReservationRefundedMessage | ReservationTransferredMessage | RefundDueMessage | ListOfferedMessage | RideAssignedMessage | RefundWithdrawnMessage | PaymentDiscrepancyMessage;
