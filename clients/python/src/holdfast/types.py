# SPDX-License-Identifier: Apache-2.0
# Made from the description of the API by clients/generate.
"""The records of the API."""
from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class AbandonedRow(TypedDict):
    """Checkouts that ended on one day without a sale."""
    day: str
    event: Union[str, None]
    calendar: Union[str, None]
    tier: Union[str, None]
    pool: Union[str, None]
    service: Union[str, None]
    how: str
    reached: str
    currency: str
    checkouts: int
    units: int
    amount: int
    seconds_held: int
    seconds_held_max: int


class AuditEntry(TypedDict):
    """A change of the catalogue, a key, a hook, a fleet or a driver: what, when and by whom."""
    seq: int
    at: str
    actor: str
    kind: str
    action: str
    id: Union[str, None]
    event: Union[str, None]
    fleet: Union[str, None]
    count: int


Availability = Union["AvailabilitySeats", "AvailabilityMap"]


class AvailabilityMap(TypedDict):
    """The status of every seat as one letter (a, h, s or b), in the order of the layout."""
    version: int
    layout: str
    map: str


class AvailabilityPool(TypedDict):
    """The capacity of a pool and how many units are free."""
    capacity: int
    available: int


class AvailabilitySeats(TypedDict):
    """The status of every seat and pool, or of those changed since a version."""
    version: int
    full: bool
    seats: Dict[str, Literal["available", "held", "sold", "blocked"]]
    pools: Dict[str, "AvailabilityPool"]


class _BestSeatsOptional(TypedDict, total=False):
    section: str
    tier: str
    allotment: str
    accessible: int


class BestSeats(_BestSeatsOptional):
    """The requested best seats."""
    quantity: int
    adjacent: bool


class Calendar(TypedDict):
    """A calendar and its settings."""
    id: str
    name: str
    timezone: str
    capacity: int
    price: int
    currency: str
    hold_ttl_seconds: int
    max_hold_seconds: int
    payment_ttl_seconds: int
    payment: Literal["required", "none"]
    late_payment: Literal["accept_if_free", "refund"]
    slot_minutes: int
    buffer_minutes: int
    buffer_before_minutes: int
    min_minutes: Union[int, None]
    max_minutes: Union[int, None]
    price_per: Literal["claim", "slot"]
    notice_minutes: int
    horizon_days: int
    per_user_limit: int
    change_until_minutes: int
    cancel_until_minutes: Union[int, None]
    size: int
    guests: bool
    hours: List["OpeningHours"]
    closed: List["ClosedInterval"]
    services: List["Service"]
    created_at: str


_CalendarChanged = TypedDict("_CalendarChanged", {"from": str, "to": str})


class CalendarChanged(_CalendarChanged):
    """The available time changed."""


class _CheckInOptional(TypedDict, total=False):
    event: str
    seat: str
    pool: str
    calendar: str
    service: str


class CheckIn(_CheckInOptional):
    """The result of a scan."""
    result: Literal["ok", "undone", "duplicate", "void"]
    code: str
    reservation_id: str
    item_id: str
    unit: int
    at: Union[str, None]
    gate: Union[str, None]


class ClosedInterval(TypedDict):
    """A closed interval."""
    start: str
    end: str


class Code(TypedDict):
    """A code of an event."""
    code: str
    units: int
    used: int
    tiers: Union[List[str], None]
    allotment: Union[str, None]


class CodeImportResult(TypedDict):
    """The result of an import."""
    created: int
    updated: int


class _ConfirmedReservationOptional(TypedDict, total=False):
    reason: Literal["list"]
    payment: Union["Payment", None]
    payments: List["PaymentRow"]
    balance: "Money"
    paid: "Money"
    manage_token: str


class ConfirmedReservation(_ConfirmedReservationOptional):
    """A confirmed reservation, with an order and tickets."""
    reservation_id: str
    pnr: str
    status: Literal["confirmed"]
    user_id: str
    created_at: str
    expires_at: str
    expires_in: int
    expires_in_ms: int
    max_expires_at: str
    payment_started_at: Union[str, None]
    confirmed_at: str
    ended_at: None
    fence: int
    version: int
    total: "Money"
    attributes: Dict[str, Any]
    items: List["Item"]
    leaves_single: List[str]
    order_id: str
    tickets: List["Ticket"]


class DeadMessage(TypedDict):
    """A message that could not be delivered."""
    id: str
    type: str
    reservation_id: Union[str, None]
    ride_id: Union[str, None]
    timestamp: str
    dead_at: str


class DoorTicket(TypedDict):
    """The current state of a ticket that was used, is void or has moved."""
    code: str
    reissue: int
    result: Literal["in", "out", "void"]
    at: str
    gate: Union[str, None]


class Draw(TypedDict):
    """Data to verify a draw. The seed and the number of entries are published at the opening."""
    commitment: str
    seed: Union[str, None]
    entries: Union[int, None]


class Driver(TypedDict):
    """A driver of a fleet."""
    driver_id: str
    cell: Union[str, None]
    status: Literal["free", "offered", "busy", "away"]
    lat: Union[float, None]
    lng: Union[float, None]
    available: bool
    rating: float
    types: List[str]
    surge: bool
    heard_at: Union[str, None]


class DriverOffer(TypedDict):
    """An offer, as its driver sees it."""
    offer_id: str
    ride_id: str
    pickup: "Point"
    to: Union["Point", None]
    eta_seconds: int
    expires_at: str
    expires_in_ms: int


class DriverPosition(TypedDict):
    """The driver's current position."""
    lat: float
    lng: float
    eta_seconds: int


class _EndedReservationOptional(TypedDict, total=False):
    reason: Literal["list"]
    payment: Union["Payment", None]
    payments: List["PaymentRow"]
    balance: "Money"
    paid: "Money"


class EndedReservation(_EndedReservationOptional):
    """A released or expired hold. Its items are available again."""
    reservation_id: str
    pnr: str
    status: Literal["released", "expired"]
    user_id: str
    created_at: str
    expires_at: str
    expires_in: int
    expires_in_ms: int
    max_expires_at: str
    payment_started_at: Union[str, None]
    confirmed_at: None
    ended_at: str
    fence: int
    version: int
    total: "Money"
    attributes: Dict[str, Any]
    items: List["Item"]
    leaves_single: List[str]


class Erasure(TypedDict):
    """The last erasure of a person."""
    state: Literal["none", "running", "done"]
    erased_at: Union[str, None]


class Event(TypedDict):
    """An event, its settings and seat counts."""
    id: str
    name: str
    starts_at: Union[str, None]
    on_sale_at: Union[str, None]
    off_sale_at: Union[str, None]
    currency: str
    hold_ttl_seconds: int
    max_hold_seconds: int
    payment_ttl_seconds: int
    payment: Literal["required", "none"]
    late_payment: Literal["accept_if_free", "refund"]
    staff_hold_seconds: int
    per_user_limit: int
    waiting_room: Union["WaitingRoom", None]
    waiting_list: bool
    guests: bool
    access: Literal["open", "code"]
    description: Union[str, None]
    venue: Union[str, None]
    image: Union[str, None]
    timezone: str
    transfer: Literal["on", "off"]
    cancel_until_seconds: Union[int, None]
    single_seats: Literal["allow", "refuse"]
    categories: Union[List[str], None]
    prices: Union[Dict[str, Dict[str, int]], None]
    created_at: str
    cancelled_at: Union[str, None]
    counts: "EventCounts"


class EventCancel(TypedDict):
    """The progress of an event's cancellation."""
    state: Literal["none", "running", "done"]
    refunded: int
    left: int


class EventCounts(TypedDict):
    """The number of seats of an event, in total and by status, and of units of its pools."""
    seats: int
    available: int
    held: int
    sold: int
    blocked: int
    pools: "PoolCounts"


class Fleet(TypedDict):
    """A fleet of drivers and its settings."""
    id: str
    offer_seconds: int
    resolution: int
    max_rings: int
    presence_seconds: int
    search_seconds: int
    speed_kmh: int
    batch_ms: int
    guests: bool
    rides_per_rider: int
    weights: "FleetWeights"
    created_at: str


class FleetAssignment(TypedDict):
    """How long rides waited for a driver."""
    rides: int
    median_seconds: Union[float, None]
    p95_seconds: Union[float, None]


class FleetCell(TypedDict):
    """The drivers of one cell."""
    cell: str
    free: int
    offered: int
    busy: int


class FleetOverview(TypedDict):
    """An overview of a fleet."""
    cells: List["FleetCell"]
    rides: "FleetRides"
    assignment: "FleetAssignment"


class FleetRides(TypedDict):
    """The rides of a fleet by status."""
    searching: int
    offered: int
    assigned: int
    no_driver: int
    cancelled: int
    completed: int


class FleetWeights(TypedDict):
    """The weights of a driver's score."""
    eta: float
    rating: float
    waiting: float
    surge: float


class FunnelRefusal(TypedDict):
    """Requests to hold or to add items that were refused for one reason."""
    reason: str
    count: int


class FunnelRow(TypedDict):
    """How far the reservations of one day got."""
    day: str
    event: Union[str, None]
    calendar: Union[str, None]
    tier: Union[str, None]
    pool: Union[str, None]
    service: Union[str, None]
    held: int
    paying: int
    confirmed: int
    late: int
    refunded: int
    refusals: List["FunnelRefusal"]


class Group(TypedDict):
    """A group of interchangeable calendars."""
    id: str
    name: str
    calendars: List[str]
    pick: Literal["least_busy", "in_order"]
    created_at: str


class Health(TypedDict):
    """The process is up."""
    status: Literal["ok"]


class _HeldReservationOptional(TypedDict, total=False):
    reason: Literal["list"]
    payment: Union["Payment", None]
    payments: List["PaymentRow"]
    balance: "Money"
    paid: "Money"


class HeldReservation(_HeldReservationOptional):
    """A hold. Confirm it before it expires."""
    reservation_id: str
    pnr: str
    status: Literal["held"]
    user_id: str
    created_at: str
    expires_at: str
    expires_in: int
    expires_in_ms: int
    max_expires_at: str
    payment_started_at: Union[str, None]
    confirmed_at: None
    ended_at: None
    fence: int
    version: int
    total: "Money"
    attributes: Dict[str, Any]
    items: List["Item"]
    leaves_single: List[str]


class HistoryRefund(TypedDict):
    """A refund due of a payment, or of a part of it."""
    id: str
    payment_ref: Union[str, None]
    amount: "RefundAmount"


class Hook(TypedDict):
    """An outgoing webhook, without its secret."""
    id: str
    url: str
    events: List[Literal["reservation.held", "reservation.expiring", "reservation.confirmed", "reservation.released", "reservation.expired", "reservation.cancelled", "reservation.refunded", "reservation.transferred", "refund.due", "list.offered", "ride.assigned", "refund.withdrawn", "payment.discrepancy"]]
    created_at: str
    old_secret_until: Union[str, None]
    waiting: int


Item = Union["SeatItem", "PoolItem", "SlotItem"]


class ItemChange(TypedDict):
    """One item before and after a change."""
    item_id: str
    before: Union["Item", None]
    after: Union["Item", None]


class Jwk(TypedDict):
    """A public key (RFC 7517, RFC 8037)."""
    kty: str
    crv: str
    alg: str
    use: str
    kid: str
    x: str


class JwkSet(TypedDict):
    """The public keys that verify signed tickets (RFC 7517)."""
    keys: List["Jwk"]


class Key(TypedDict):
    """A key, without its value."""
    name: str
    role: Literal["app", "door"]
    created_at: str
    old_valid_until: Union[str, None]


class Layout(TypedDict):
    """The static data of every seat, in the order of the availability map."""
    event: str
    seats: List["LayoutSeat"]


class LayoutSeat(TypedDict):
    """The static data of a seat."""
    id: str
    section: Union[str, None]
    row: Union[str, None]
    number: Union[str, None]
    x: Union[float, None]
    y: Union[float, None]
    tier: Union[str, None]
    price: int
    accessible: bool


class ListEntry(TypedDict):
    """An entry on a waiting list."""
    entry_id: str
    event: str
    user_id: str
    position: Union[int, None]
    status: Literal["waiting", "offered", "finished", "left"]
    quantity: int
    adjacent: bool
    tier: Union[str, None]
    section: Union[str, None]
    pool: Union[str, None]
    joined_at: str
    reservation_id: Union[str, None]


class Money(TypedDict):
    """An amount in minor units of a currency."""
    amount: int
    currency: str


class MoneyRow(TypedDict):
    """The changes in the ledger on one day, in one currency."""
    day: str
    currency: str
    received: int
    kept: int
    returned: int
    owed: int


class NewKey(TypedDict):
    """A new key. Its value is shown only once."""
    name: str
    role: Literal["app", "door"]
    key: str


class _NodeOptional(TypedDict, total=False):
    lag_ms: int


class Node(_NodeOptional):
    """A process that serves this site."""
    node: str
    url: str
    role: Literal["owner", "follower"]
    epoch: int
    book_seq: int
    seen_at: str
    version: str


class Obstacle(TypedDict, total=False):
    """An item that is not available, as requested: its index in the request, and its status or how many are left. For an import, the seat and its status."""
    item: int
    event: str
    seat: str
    pool: str
    quantity: int
    best: "BestSeats"
    category: str
    calendar: str
    group: str
    party: int
    start: str
    end: str
    service: str
    status: Literal["held", "sold", "blocked"]
    available: int


class OfferEnded(TypedDict):
    """The end of an offer."""
    offer_id: str
    end: Literal["accepted", "declined", "timed_out", "withdrawn"]


OpenapiDocument = Dict[str, Any]


_OpeningHours = TypedDict("_OpeningHours", {"days": List[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]], "from": str, "to": str})


class OpeningHours(_OpeningHours):
    """A range of opening hours in the calendar's time zone; it ends on the next day unless `to` is after `from`."""


class OwnerChange(TypedDict):
    """The owners before and after a transfer."""
    before: Union[str, None]
    after: str


class Payment(TypedDict):
    """How it was paid."""
    method: Union[str, None]
    ref: Union[str, None]
    recorded_at: str


class PaymentAmount(TypedDict):
    """The amount in the event."""
    amount: int
    currency: str


class PaymentEvent(TypedDict):
    """A signed event of the payment provider, or the payment of a refused hold, and its result."""
    event_id: Union[str, None]
    type: str
    payment_ref: Union[str, None]
    reservation_id: Union[str, None]
    amount: Union["PaymentAmount", None]
    result: Literal["confirmed", "refund_due", "repeated", "ignored", "unknown_reservation", "amount_mismatch", "currency_mismatch", "rejected", "recorded", "failed", "returned", "payment_used"]
    refund_due: Union[str, None]
    received_at: str


class PaymentProvider(TypedDict):
    """The payment provider, without its secret."""
    provider: Literal["stripe", "standard"]
    changed_at: str
    old_secret_until: Union[str, None]


class PaymentResult(TypedDict):
    """The result of an event."""
    result: Literal["confirmed", "recorded", "failed", "returned", "refund_due", "repeated", "ignored", "payment_used", "unknown_reservation", "amount_mismatch", "currency_mismatch"]


class PaymentRow(TypedDict):
    """A payment: a row of the ledger. kept + returned + owed is the greater of received and returned."""
    payment_ref: str
    reservation_id: Union[str, None]
    status: Literal["begun", "failed", "received"]
    received: int
    received_by: Optional[Literal["provider", "app", "assumed"]]
    kept: int
    returned: int
    owed: int
    discrepancy: Optional[Literal["unknown_reservation", "over_returned", "disputed", "currency", "short", "gone_back"]]
    currency: str
    first_at: str
    last_at: str


class PaymentRowEvent(TypedDict):
    """An event of a payment."""
    id: Union[str, None]
    type: str
    at: str
    result: Literal["confirmed", "refund_due", "repeated", "ignored", "unknown_reservation", "amount_mismatch", "currency_mismatch", "rejected", "recorded", "failed", "returned", "payment_used"]


class PaymentShown(TypedDict):
    """A payment with its events."""
    payment_ref: str
    reservation_id: Union[str, None]
    status: Literal["begun", "failed", "received"]
    received: int
    received_by: Optional[Literal["provider", "app", "assumed"]]
    kept: int
    returned: int
    owed: int
    discrepancy: Optional[Literal["unknown_reservation", "over_returned", "disputed", "currency", "short", "gone_back"]]
    currency: str
    first_at: str
    last_at: str
    events: List["PaymentRowEvent"]


class Person(TypedDict):
    """All data about a person."""
    user_id: str
    waiting_rooms: List["PersonEntry"]
    waiting_lists: List["PersonEntry"]
    transferred: List["PersonGift"]
    drivers: List["PersonDriver"]
    reservations: List["PersonReservation"]
    rides: List["PersonRide"]
    offers: List["PersonOffer"]
    next_cursor: Union[str, None]


class PersonDriver(TypedDict):
    """A driver of a fleet."""
    fleet: str
    rating: float
    types: List[str]
    surge: bool


class PersonEntry(TypedDict):
    """An entry of a waiting room or list."""
    entry_id: str
    event: str
    status: str
    joined_at: str
    quantity: int


class PersonGift(TypedDict):
    """A reservation that was given to another user."""
    reservation_id: str
    at: str


class PersonOffer(TypedDict):
    """A ride that was offered to the person as a driver."""
    fleet: str
    offer_id: str
    ride_id: str
    score: int
    eta_seconds: int
    made_at: str
    ended_at: Union[str, None]
    end: Optional[Literal["accepted", "declined", "timed_out", "withdrawn"]]


class PersonReservation(TypedDict):
    """A reservation with its history and payments."""
    reservation: "Reservation"
    history: List["ReservationChange"]
    refunds_due: List["RefundDue"]
    payments: List["PaymentRow"]
    payment_events: List["PaymentEvent"]


class PersonRide(TypedDict):
    """A ride that the person requested."""
    fleet: str
    ride: "Ride"


class Point(TypedDict):
    """A place."""
    lat: float
    lng: float


class _PoolOptional(TypedDict, total=False):
    allotment: Union[str, None]


class Pool(_PoolOptional):
    """A pool of identical units."""
    id: str
    name: Union[str, None]
    capacity: int
    available: int
    price: int
    prices: Union[Dict[str, int], None]


class PoolChanged(TypedDict):
    """The number of free units changed."""
    id: str
    available: int


class PoolCounts(TypedDict):
    """The number of units of all pools of an event."""
    capacity: int
    available: int


class _PoolItemOptional(TypedDict, total=False):
    category: str
    code: str
    allotment: str
    attributes: Dict[str, Any]


class PoolItem(_PoolItemOptional):
    """Units of a pool."""
    item_id: str
    event: str
    pool: str
    quantity: int
    price: int


class PoolTicket(TypedDict):
    """For a unit of a pool."""
    code: str
    item_id: str
    event: str
    pool: str


class PositionsResult(TypedDict):
    """The result of a list of positions."""
    updated: int
    unknown: List[str]


class _ProblemOptional(TypedDict, total=False):
    pointer: str
    line: int
    items: List["Obstacle"]
    seats: List[str]
    limit: int
    have: int
    item: int
    rule: Literal["change", "service", "grid", "length", "notice", "horizon", "cancel_until_seconds", "cancel_until_minutes"]
    until: Union[str, None]
    calendar: str
    refund_due: str
    reservation_id: str
    at: str
    gate: str
    timezone: str
    hours: List["OpeningHours"]
    closed: List["ClosedInterval"]


class Problem(_ProblemOptional):
    """A refusal (RFC 9457). `invalid` has a pointer or, in CSV, a line; `taken`, `sold_out` and `no_adjacent_seats` have items; `limit_exceeded` has limit and have, and calendar if it is a calendar's limit; `closed` has item, calendar, timezone, hours and closed; `not_bookable` has item and rule; `not_cancellable` has rule and until; `already_checked_in` and `undone` have at, and gate if known; `leaves_single` has seats; a refused commit has refund_due if a payment of an app or admin key is owed; `payment_used` has reservation_id."""
    type: str
    title: str
    status: int
    detail: str
    code: Literal["invalid", "forbidden", "not_owner", "no_such_reservation", "no_such_item", "no_such_event", "no_such_seat", "no_such_pool", "no_such_calendar", "no_such_group", "no_such_entry", "no_such_key", "no_such_code", "no_such_refund", "no_such_hook", "no_such_ticket", "no_such_fleet", "no_such_driver", "no_such_ride", "no_such_offer", "exists", "in_use", "capacity_in_use", "not_on_sale", "pass_required", "pass_invalid", "pass_expired", "pass_tier", "no_waiting_room", "no_waiting_list", "not_sold_out", "version_mismatch", "guests_refused", "code_required", "code_invalid", "code_used", "limit_exceeded", "closed", "not_bookable", "taken", "sold_out", "no_adjacent_seats", "leaves_single", "expired", "paying", "payment_window_off", "payment_required", "payment_used", "refund_changed", "no_such_payment", "not_confirmed", "not_transferable", "not_cancellable", "already_confirmed", "already_released", "already_cancelled", "already_refunded", "checked_in", "already_checked_in", "wrong_event", "void", "offer_expired", "not_assigned", "already_completed", "no_driver", "undone", "idempotency_key_reused", "storage_full", "unavailable", "unauthenticated", "no_such_route", "method_not_allowed", "too_large", "unsupported_type", "slow_down", "headers_too_large"]


Queue = Union["QueuePublic", "QueueAdmin"]


class QueueAdmin(TypedDict):
    """A waiting room, as an admin sees it."""
    serving: int
    waiting: int
    admitted_per_second: float
    open_at: Union[str, None]
    paused: bool
    opened_at: Union[str, None]
    draw: Union["Draw", None]
    rate_per_second: int
    max_active: int
    pass_ttl_seconds: int
    shuffle_before_open: bool
    by_inventory: bool
    tiers: Union[List[str], None]
    active: int
    passed_over: int
    finished: int
    left: int
    joined: int


_QueueEntryOptional = TypedDict("_QueueEntryOptional", {"returns_until": Union[str, None], "pass": str, "pass_expires_at": str, "tiers": List[str]}, total=False)


class QueueEntry(_QueueEntryOptional):
    """An entry in a waiting room."""
    entry_id: str
    event: str
    user_id: str
    number: int
    position: Union[int, None]
    ahead: Union[int, None]
    status: Literal["waiting", "admitted", "passed_over", "finished", "left"]
    eta_seconds: Union[int, None]
    poll_after_seconds: Union[int, None]
    joined_at: str


class QueuePublic(TypedDict):
    """The public state of a waiting room."""
    serving: int
    waiting: int
    admitted_per_second: float
    open_at: Union[str, None]
    paused: bool
    opened_at: Union[str, None]
    draw: Union["Draw", None]


class _ReadinessOptional(TypedDict, total=False):
    role: Literal["owner", "follower"]
    epoch: int
    lag_ms: int


class Readiness(_ReadinessOptional):
    """Whether new holds are accepted, and any problems."""
    status: Literal["ready", "degraded"]
    degraded: List[Literal["stopping", "lagging", "owner_away", "log_away", "storage_full", "book_behind", "book_pinned"]]


class RefundAmount(TypedDict):
    """An amount to pay back."""
    amount: int
    currency: str


class RefundDue(TypedDict):
    """Money received for a reservation that has to be paid back. Holdfast moves no money."""
    id: str
    reservation_id: Union[str, None]
    payment_ref: str
    amount: "RefundAmount"
    reason: str
    status: Literal["open", "done", "withdrawn"]
    received_by: Literal["provider", "app", "assumed"]
    disputed: bool
    created_at: str
    done_at: Union[str, None]


RefundResult = Union["ConfirmedReservation", "ReturnedReservation"]


class Resent(TypedDict):
    """The result of a resend."""
    resent: int
    more: bool


Reservation = Union["HeldReservation", "ConfirmedReservation", "EndedReservation", "ReturnedReservation"]


class _ReservationChangeOptional(TypedDict, total=False):
    ticket: "UsedTicket"
    refund: "HistoryRefund"


class ReservationChange(_ReservationChangeOptional):
    """A change of a reservation: what was done, when and by whom."""
    seq: int
    at: str
    actor: str
    action: Literal["held", "item_added", "item_dropped", "item_moved", "attributes_changed", "extended", "payment_started", "confirmed", "released", "expired", "item_changed", "transferred", "manage_tokens_revoked", "refunded", "cancelled", "payment_received", "item_refunded", "checked_in", "check_in_undone", "payment_failed", "erased", "refund_due", "refund_done", "refund_withdrawn"]
    reason: Union[str, None]
    status: Literal["held", "confirmed", "released", "expired", "cancelled", "refunded"]
    expires_at: str
    version: int
    what: "WhatChanged"


class _ReturnedReservationOptional(TypedDict, total=False):
    reason: Literal["list"]
    payment: Union["Payment", None]
    payments: List["PaymentRow"]
    balance: "Money"
    paid: "Money"


class ReturnedReservation(_ReturnedReservationOptional):
    """A refunded or cancelled sale. Its items are available again."""
    reservation_id: str
    pnr: str
    status: Literal["cancelled", "refunded"]
    user_id: str
    created_at: str
    expires_at: str
    expires_in: int
    expires_in_ms: int
    max_expires_at: str
    payment_started_at: Union[str, None]
    confirmed_at: str
    ended_at: str
    fence: int
    version: int
    total: "Money"
    attributes: Dict[str, Any]
    items: List["Item"]
    leaves_single: List[str]
    order_id: str
    tickets: List["Ticket"]


class Ride(TypedDict):
    """A ride."""
    ride_id: str
    status: Literal["searching", "offered", "assigned", "no_driver", "cancelled", "completed"]
    rider_id: str
    pickup: "Point"
    to: Union["Point", None]
    type: Union[str, None]
    created_at: str
    assigned_at: Union[str, None]
    ended_at: Union[str, None]
    driver_id: Union[str, None]
    driver: Union["RideDriver", None]
    offers: List["RideOffer"]


class RideDriver(TypedDict):
    """The position of a ride's driver."""
    lat: float
    lng: float
    heard_at: str
    eta_seconds: int


class RideOffer(TypedDict):
    """An offer of a ride to a driver."""
    offer_id: str
    driver_id: Union[str, None]
    score: int
    eta_seconds: int
    made_at: str
    ended_at: Union[str, None]
    end: Optional[Literal["accepted", "declined", "timed_out", "withdrawn"]]


class RotatedKey(TypedDict):
    """A rotated key. Its new value is shown only once."""
    name: str
    role: Literal["app", "door"]
    key: str
    old_valid_until: Union[str, None]


class SalesRow(TypedDict):
    """Sales of one day."""
    day: str
    event: Union[str, None]
    calendar: Union[str, None]
    tier: Union[str, None]
    pool: Union[str, None]
    service: Union[str, None]
    currency: str
    units: int
    amount: int
    refunded_units: int
    refunded_amount: int


class _SeatOptional(TypedDict, total=False):
    allotment: Union[str, None]


class Seat(_SeatOptional):
    """A seat and its status."""
    id: str
    status: Literal["available", "held", "sold", "blocked"]
    version: int
    section: Union[str, None]
    row: Union[str, None]
    number: Union[str, None]
    x: Union[float, None]
    y: Union[float, None]
    tier: Union[str, None]
    price: int
    accessible: bool


class SeatBlockResult(TypedDict):
    """The result of blocking seats, or of moving them between allotments."""
    changed: int
    skipped: int
    updated: int


class SeatChanged(TypedDict):
    """The status of a seat changed."""
    id: str
    status: Literal["available", "held", "sold", "blocked"]
    version: int


class SeatImportResult(TypedDict):
    """The result of an import."""
    created: int
    updated: int


class _SeatItemOptional(TypedDict, total=False):
    category: str
    code: str
    allotment: str
    attributes: Dict[str, Any]


class SeatItem(_SeatItemOptional):
    """A seat."""
    item_id: str
    event: str
    seat: str
    price: int


class SeatRemoveResult(TypedDict):
    """The result of removing seats."""
    removed: int


class SeatTicket(TypedDict):
    """For a seat."""
    code: str
    item_id: str
    event: str
    seat: str


class Service(TypedDict):
    """A service that can be booked: its duration and price."""
    id: str
    duration_minutes: int
    price: int


class Session(TypedDict):
    """A guest's token."""
    token: str
    user_id: str
    expires_at: str


class Slot(TypedDict):
    """A free slot of a calendar, or of a group."""
    start: str
    end: str
    available: int


class _SlotItemOptional(TypedDict, total=False):
    service: str
    group: str
    attributes: Dict[str, Any]


class SlotItem(_SlotItemOptional):
    """A slot of a calendar."""
    item_id: str
    calendar: str
    start: str
    end: str
    price: int


class _SlotTicketOptional(TypedDict, total=False):
    service: str
    group: str


class SlotTicket(_SlotTicketOptional):
    """For a slot of a calendar."""
    code: str
    item_id: str
    calendar: str
    start: str
    end: str


class StreamReset(TypedDict):
    """Earlier events are not available: read the current state, then follow the stream."""
    version: int


Ticket = Union["SeatTicket", "PoolTicket", "SlotTicket"]


class TotalChange(TypedDict):
    """The total price of all items before and after a change."""
    before: int
    after: int


Transfer = Union["ConfirmedReservation", "TransferredReservation"]


class TransferredReservation(TypedDict):
    """A transferred reservation as its old owner sees it."""
    reservation_id: str
    status: Literal["confirmed"]
    user_id: str
    version: int


class TtlAdvice(TypedDict):
    """A recommended hold TTL for an event."""
    samples: int
    p50_seconds: Union[int, None]
    p95_seconds: Union[int, None]
    recommended_ttl_seconds: Union[int, None]


class UsedTicket(TypedDict):
    """A ticket that was checked in."""
    item_id: str
    unit: int
    gate: Union[str, None]


class WaitingRoom(TypedDict):
    """The settings of an event's waiting room."""
    open_at: Union[str, None]
    rate_per_second: int
    max_active: int
    pass_ttl_seconds: int
    shuffle_before_open: bool
    by_inventory: bool
    tiers: Union[List[str], None]


class _WhatChangedOptional(TypedDict, total=False):
    user_id: "OwnerChange"


class WhatChanged(_WhatChangedOptional):
    """The effect of a change on the items."""
    items: List["ItemChange"]
    total: "TotalChange"


class _MarkSeatsOptional(TypedDict, total=False):
    blocked: bool
    set_allotment: Union[str, None]


class MarkSeats(_MarkSeatsOptional):
    """Seats, by id."""
    ids: List[str]


class _MarkAllotmentOptional(TypedDict, total=False):
    blocked: bool
    set_allotment: Union[str, None]


class MarkAllotment(_MarkAllotmentOptional):
    """All seats of an allotment."""
    allotment: str


class _HoldItemsOptional(TypedDict, total=False):
    user_id: str
    ttl_seconds: int
    attributes: Dict[str, Any]
    code: str
    commit: bool
    payment_method: Union[str, None]
    payment_ref: Union[str, None]
    amount: Union["HoldItemsAmount", None]


class HoldItems(_HoldItemsOptional):
    """Several items of any kind."""
    items: List[Union["SeatRequest", "PoolRequest", "BestRequest", "SlotRequest", "ServiceRequest", "GroupRequest", "GroupServiceRequest"]]


class HoldItemsAmount(TypedDict):
    """With payment_ref: the amount paid. Defaults to the total."""
    amount: int
    currency: str


class _HoldResourceOptional(TypedDict, total=False):
    user_id: str
    ttl_seconds: int
    attributes: Dict[str, Any]
    code: str
    commit: bool
    payment_method: Union[str, None]
    payment_ref: Union[str, None]
    amount: Union["HoldResourceAmount", None]


class HoldResource(_HoldResourceOptional):
    """One seat, by resource_id."""
    resource_id: str


class HoldResourceAmount(TypedDict):
    """With payment_ref: the amount paid. Defaults to the total."""
    amount: int
    currency: str


class _SeatRequestOptional(TypedDict, total=False):
    category: str
    attributes: Dict[str, Any]
    code: str
    allotment: str


class SeatRequest(_SeatRequestOptional):
    """A seat."""
    event: str
    seat: str


class _PoolRequestOptional(TypedDict, total=False):
    quantity: int
    category: str
    attributes: Dict[str, Any]
    code: str
    allotment: str


class PoolRequest(_PoolRequestOptional):
    """Units of a pool."""
    event: str
    pool: str


class _BestRequestOptional(TypedDict, total=False):
    category: str
    attributes: Dict[str, Any]
    code: str
    allotment: str


class BestRequest(_BestRequestOptional):
    """The best free seats."""
    event: str
    best: "BestRequestBest"


class _BestRequestBestOptional(TypedDict, total=False):
    section: str
    tier: str
    allotment: str
    accessible: int
    adjacent: bool


class BestRequestBest(_BestRequestBestOptional):
    """Which seats to choose from."""
    quantity: int


class _SlotRequestOptional(TypedDict, total=False):
    attributes: Dict[str, Any]


class SlotRequest(_SlotRequestOptional):
    """A slot of a calendar, from start to end."""
    calendar: str
    start: str
    end: str


class _ServiceRequestOptional(TypedDict, total=False):
    attributes: Dict[str, Any]


class ServiceRequest(_ServiceRequestOptional):
    """A service of a calendar, which sets the end and the price."""
    calendar: str
    start: str
    service: str


class _GroupRequestOptional(TypedDict, total=False):
    party: int
    attributes: Dict[str, Any]


class GroupRequest(_GroupRequestOptional):
    """A slot of any calendar of a group, from start to end."""
    group: str
    start: str
    end: str


class _GroupServiceRequestOptional(TypedDict, total=False):
    party: int
    attributes: Dict[str, Any]


class GroupServiceRequest(_GroupServiceRequestOptional):
    """A service of any calendar of a group."""
    group: str
    start: str
    service: str


class _AddItemsOptional(TypedDict, total=False):
    code: str
    user_id: str


class AddItems(_AddItemsOptional):
    """Several items."""
    items: List[Union["SeatRequest", "PoolRequest", "BestRequest", "SlotRequest", "ServiceRequest", "GroupRequest", "GroupServiceRequest"]]


class _AddSeatOptional(TypedDict, total=False):
    category: str
    attributes: Dict[str, Any]
    code: str
    allotment: str
    user_id: str


class AddSeat(_AddSeatOptional):
    """A seat."""
    event: str
    seat: str


class _AddPoolOptional(TypedDict, total=False):
    quantity: int
    category: str
    attributes: Dict[str, Any]
    code: str
    allotment: str
    user_id: str


class AddPool(_AddPoolOptional):
    """Units of a pool."""
    event: str
    pool: str


class _AddBestOptional(TypedDict, total=False):
    category: str
    attributes: Dict[str, Any]
    code: str
    allotment: str
    user_id: str


class AddBest(_AddBestOptional):
    """The best free seats."""
    event: str
    best: "AddBestBest"


class _AddBestBestOptional(TypedDict, total=False):
    section: str
    tier: str
    allotment: str
    accessible: int
    adjacent: bool


class AddBestBest(_AddBestBestOptional):
    """Which seats to choose from."""
    quantity: int


class _AddSlotOptional(TypedDict, total=False):
    attributes: Dict[str, Any]
    user_id: str


class AddSlot(_AddSlotOptional):
    """A slot of a calendar, from start to end."""
    calendar: str
    start: str
    end: str


class _AddServiceOptional(TypedDict, total=False):
    attributes: Dict[str, Any]
    user_id: str


class AddService(_AddServiceOptional):
    """A service of a calendar, which sets the end and the price."""
    calendar: str
    start: str
    service: str


class _AddGroupOptional(TypedDict, total=False):
    party: int
    attributes: Dict[str, Any]
    user_id: str


class AddGroup(_AddGroupOptional):
    """A slot of any calendar of a group, from start to end."""
    group: str
    start: str
    end: str


class _AddGroupServiceOptional(TypedDict, total=False):
    party: int
    attributes: Dict[str, Any]
    user_id: str


class AddGroupService(_AddGroupServiceOptional):
    """A service of any calendar of a group."""
    group: str
    start: str
    service: str


class _MoveToSeatOptional(TypedDict, total=False):
    user_id: str


class MoveToSeat(_MoveToSeatOptional):
    """To another seat."""
    seat: str


class _MoveToTimeOptional(TypedDict, total=False):
    end: str
    user_id: str


class MoveToTime(_MoveToTimeOptional):
    """To another time."""
    start: str


class _SetQuantityOptional(TypedDict, total=False):
    user_id: str


class SetQuantity(_SetQuantityOptional):
    """More or fewer units of a pool."""
    quantity: int


class _SetCategoryOptional(TypedDict, total=False):
    user_id: str


class SetCategory(_SetCategoryOptional):
    """Another category."""
    category: str


class _SetAttributesOptional(TypedDict, total=False):
    user_id: str


class SetAttributes(_SetAttributesOptional):
    """Its attributes: replaces the whole object."""
    attributes: Dict[str, Any]


class ReservationHeldMessage(TypedDict):
    """A hold was made."""
    type: Literal["reservation.held"]
    timestamp: str
    data: "Reservation"


class ReservationExpiringMessage(TypedDict):
    """A hold expires in a minute. Not for holds of less than two minutes."""
    type: Literal["reservation.expiring"]
    timestamp: str
    data: "Reservation"


class ReservationConfirmedMessage(TypedDict):
    """A reservation was confirmed. `data` has a `manage_token`."""
    type: Literal["reservation.confirmed"]
    timestamp: str
    data: "Reservation"


class ReservationReleasedMessage(TypedDict):
    """A hold was released."""
    type: Literal["reservation.released"]
    timestamp: str
    data: "Reservation"


class ReservationExpiredMessage(TypedDict):
    """A hold expired."""
    type: Literal["reservation.expired"]
    timestamp: str
    data: "Reservation"


class ReservationCancelledMessage(TypedDict):
    """A sale was cancelled by its owner."""
    type: Literal["reservation.cancelled"]
    timestamp: str
    data: "Reservation"


class ReservationRefundedMessage(TypedDict):
    """A sale was refunded, in full or in part."""
    type: Literal["reservation.refunded"]
    timestamp: str
    data: "Reservation"


class ReservationTransferredMessage(TypedDict):
    """A reservation has a new owner."""
    type: Literal["reservation.transferred"]
    timestamp: str
    data: "Reservation"


class RefundDueMessage(TypedDict):
    """Money has to be paid back, or the amount of a refund due has changed."""
    type: Literal["refund.due"]
    timestamp: str
    data: "RefundDue"


class ListOfferedMessage(TypedDict):
    """Freed seats or units are held for a user of a waiting list."""
    type: Literal["list.offered"]
    timestamp: str
    data: "Reservation"


class RideAssignedMessage(TypedDict):
    """A driver accepted a ride."""
    type: Literal["ride.assigned"]
    timestamp: str
    data: "Ride"


class RefundWithdrawnMessage(TypedDict):
    """A refund due is no longer owed."""
    type: Literal["refund.withdrawn"]
    timestamp: str
    data: "RefundDue"


class PaymentDiscrepancyMessage(TypedDict):
    """A payment does not add up."""
    type: Literal["payment.discrepancy"]
    timestamp: str
    data: "PaymentRow"


class _PutEventBodyOptional(TypedDict, total=False):
    starts_at: Union[str, None]
    on_sale_at: Union[str, None]
    off_sale_at: Union[str, None]
    currency: str
    preset: Literal["concert", "airline", "hotel", "restaurant"]
    hold_ttl_seconds: int
    max_hold_seconds: int
    payment_ttl_seconds: int
    payment: Literal["required", "none"]
    late_payment: Literal["accept_if_free", "refund"]
    staff_hold_seconds: int
    per_user_limit: int
    waiting_room: Union["PutEventBodyWaitingRoom", None]
    waiting_list: bool
    guests: bool
    access: Literal["open", "code"]
    description: Union[str, None]
    venue: Union[str, None]
    image: Union[str, None]
    timezone: str
    transfer: Literal["on", "off"]
    cancel_until_seconds: Union[int, None]
    single_seats: Literal["allow", "refuse"]
    categories: Union[List[str], None]
    prices: Union[Dict[str, Dict[str, int]], None]
    copy_seats_from: Union[str, None]
    id: str
    created_at: Any
    cancelled_at: Any
    counts: Any


class PutEventBody(_PutEventBodyOptional):
    name: str


class PutEventBodyWaitingRoom(TypedDict, total=False):
    """The waiting room in front of the sale; null: none."""
    open_at: Union[str, None]
    rate_per_second: int
    max_active: int
    pass_ttl_seconds: int
    shuffle_before_open: bool
    by_inventory: bool
    tiers: Union[List[str], None]


class UpdateEventBody(TypedDict, total=False):
    name: Union[str, None]
    starts_at: Union[str, None]
    on_sale_at: Union[str, None]
    off_sale_at: Union[str, None]
    currency: Union[str, None]
    hold_ttl_seconds: Union[int, None]
    max_hold_seconds: Union[int, None]
    payment_ttl_seconds: Union[int, None]
    payment: Optional[Literal["required", "none"]]
    late_payment: Optional[Literal["accept_if_free", "refund"]]
    staff_hold_seconds: Union[int, None]
    per_user_limit: Union[int, None]
    waiting_room: Union["UpdateEventBodyWaitingRoom", None]
    waiting_list: Union[bool, None]
    guests: Union[bool, None]
    access: Optional[Literal["open", "code"]]
    description: Union[str, None]
    venue: Union[str, None]
    image: Union[str, None]
    timezone: Union[str, None]
    transfer: Optional[Literal["on", "off"]]
    cancel_until_seconds: Union[int, None]
    single_seats: Optional[Literal["allow", "refuse"]]
    categories: Union[List[str], None]
    prices: Union[Dict[str, Union[Dict[str, Union[int, None]], None]], None]
    id: Union[str, None]
    created_at: Any
    cancelled_at: Any
    counts: Any


class UpdateEventBodyWaitingRoom(TypedDict, total=False):
    """The waiting room in front of the sale; null: none."""
    open_at: Union[str, None]
    rate_per_second: Union[int, None]
    max_active: Union[int, None]
    pass_ttl_seconds: Union[int, None]
    shuffle_before_open: Union[bool, None]
    by_inventory: Union[bool, None]
    tiers: Union[List[str], None]


class CancelEventBody(TypedDict, total=False):
    reason: Union[str, None]


class _ImportSeatsBodyItemOptional(TypedDict, total=False):
    section: Union[str, None]
    row: Union[str, None]
    number: Union[str, None]
    x: Union[float, None]
    y: Union[float, None]
    tier: Union[str, None]
    price: int
    accessible: bool
    blocked: bool
    allotment: Union[str, None]


class ImportSeatsBodyItem(_ImportSeatsBodyItemOptional):
    id: str


ImportSeatsBody = List["ImportSeatsBodyItem"]


UpdateSeatsBody = Union["MarkSeats", "MarkAllotment"]


class DeleteSeatsBody(TypedDict):
    ids: List[str]


class _PutPoolBodyOptional(TypedDict, total=False):
    price: int
    prices: Union[Dict[str, int], None]
    name: Union[str, None]
    allotment: Union[str, None]
    id: str
    available: Any


class PutPoolBody(_PutPoolBodyOptional):
    capacity: int


class _ImportCodesBodyItemOptional(TypedDict, total=False):
    units: int
    tiers: Union[List[str], None]
    allotment: Union[str, None]


class ImportCodesBodyItem(_ImportCodesBodyItemOptional):
    code: str


ImportCodesBody = List["ImportCodesBodyItem"]


class JoinQueueBody(TypedDict, total=False):
    user_id: str
    tiers: Union[List[str], None]
    code: str


class UpdateQueueBody(TypedDict, total=False):
    rate_per_second: int
    max_active: int
    paused: bool
    open_at: Union[str, None]


class _JoinWaitingListBodyOptional(TypedDict, total=False):
    user_id: str
    adjacent: bool
    tier: Union[str, None]
    section: Union[str, None]
    pool: Union[str, None]
    code: str


class JoinWaitingListBody(_JoinWaitingListBodyOptional):
    quantity: int


class _PutCalendarBodyOptional(TypedDict, total=False):
    timezone: str
    capacity: int
    price: int
    currency: str
    hold_ttl_seconds: int
    max_hold_seconds: int
    payment_ttl_seconds: int
    payment: Literal["required", "none"]
    late_payment: Literal["accept_if_free", "refund"]
    slot_minutes: int
    buffer_minutes: int
    buffer_before_minutes: int
    min_minutes: Union[int, None]
    max_minutes: Union[int, None]
    price_per: Literal["claim", "slot"]
    notice_minutes: int
    horizon_days: int
    per_user_limit: int
    change_until_minutes: int
    cancel_until_minutes: Union[int, None]
    size: int
    guests: bool
    hours: List["PutCalendarBodyHoursItem"]
    closed: List["PutCalendarBodyClosedItem"]
    services: List["PutCalendarBodyServicesItem"]
    id: str
    created_at: Any


class PutCalendarBody(_PutCalendarBodyOptional):
    name: str


_PutCalendarBodyHoursItem = TypedDict("_PutCalendarBodyHoursItem", {"days": List[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]], "from": str, "to": str})


class PutCalendarBodyHoursItem(_PutCalendarBodyHoursItem):
    pass


class PutCalendarBodyClosedItem(TypedDict):
    start: str
    end: str


class _PutCalendarBodyServicesItemOptional(TypedDict, total=False):
    price: int


class PutCalendarBodyServicesItem(_PutCalendarBodyServicesItemOptional):
    id: str
    duration_minutes: int


class UpdateCalendarBody(TypedDict, total=False):
    name: Union[str, None]
    timezone: Union[str, None]
    capacity: Union[int, None]
    price: Union[int, None]
    currency: Union[str, None]
    hold_ttl_seconds: Union[int, None]
    max_hold_seconds: Union[int, None]
    payment_ttl_seconds: Union[int, None]
    payment: Optional[Literal["required", "none"]]
    late_payment: Optional[Literal["accept_if_free", "refund"]]
    slot_minutes: Union[int, None]
    buffer_minutes: Union[int, None]
    buffer_before_minutes: Union[int, None]
    min_minutes: Union[int, None]
    max_minutes: Union[int, None]
    price_per: Optional[Literal["claim", "slot"]]
    notice_minutes: Union[int, None]
    horizon_days: Union[int, None]
    per_user_limit: Union[int, None]
    change_until_minutes: Union[int, None]
    cancel_until_minutes: Union[int, None]
    size: Union[int, None]
    guests: Union[bool, None]
    hours: Union[List["UpdateCalendarBodyHoursItem"], None]
    closed: Union[List["UpdateCalendarBodyClosedItem"], None]
    services: Union[List["UpdateCalendarBodyServicesItem"], None]
    id: Union[str, None]
    created_at: Any


_UpdateCalendarBodyHoursItem = TypedDict("_UpdateCalendarBodyHoursItem", {"days": List[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]], "from": str, "to": str})


class UpdateCalendarBodyHoursItem(_UpdateCalendarBodyHoursItem):
    pass


class UpdateCalendarBodyClosedItem(TypedDict):
    start: str
    end: str


class _UpdateCalendarBodyServicesItemOptional(TypedDict, total=False):
    price: int


class UpdateCalendarBodyServicesItem(_UpdateCalendarBodyServicesItemOptional):
    id: str
    duration_minutes: int


class _PutGroupBodyOptional(TypedDict, total=False):
    pick: Literal["least_busy", "in_order"]
    id: str
    created_at: Any


class PutGroupBody(_PutGroupBodyOptional):
    name: str
    calendars: List[str]


CreateReservationBody = Union["HoldItems", "HoldResource"]


class _UpdateReservationBodyOptional(TypedDict, total=False):
    user_id: str


class UpdateReservationBody(_UpdateReservationBodyOptional):
    attributes: Dict[str, Any]


class DeleteReservationBody(TypedDict, total=False):
    user_id: str


class ReleaseReservationBody(TypedDict, total=False):
    user_id: str


AddItemsBody = Union["AddItems", "AddSeat", "AddPool", "AddBest", "AddSlot", "AddService", "AddGroup", "AddGroupService"]


UpdateItemBody = Union["MoveToSeat", "MoveToTime", "SetQuantity", "SetCategory", "SetAttributes"]


class RemoveItemBody(TypedDict, total=False):
    user_id: str


class ExtendReservationBody(TypedDict, total=False):
    ttl_seconds: int
    user_id: str


class StartPaymentBody(TypedDict, total=False):
    payment_ref: Union[str, None]
    user_id: str


class CommitReservationBody(TypedDict, total=False):
    payment_method: Union[str, None]
    payment_ref: Union[str, None]
    amount: Union["CommitReservationBodyAmount", None]
    attributes: Dict[str, Any]
    user_id: str


class CommitReservationBodyAmount(TypedDict):
    """The amount paid, with payment_ref. Defaults to the missing amount, until the provider reports it."""
    amount: int
    currency: str


class _TransferReservationBodyOptional(TypedDict, total=False):
    user_id: str
    keep_attributes: bool


class TransferReservationBody(_TransferReservationBodyOptional):
    to_user_id: str


class CancelReservationBody(TypedDict, total=False):
    user_id: str


class RefundReservationBody(TypedDict, total=False):
    reason: Union[str, None]
    items: List[str]
    paid_back: bool
    user_id: str


class RevokeManageTokensBody(TypedDict, total=False):
    user_id: str


class PutFleetBody(TypedDict, total=False):
    offer_seconds: int
    resolution: int
    max_rings: int
    presence_seconds: int
    search_seconds: int
    speed_kmh: int
    batch_ms: int
    guests: bool
    rides_per_rider: int
    weights: "PutFleetBodyWeights"
    id: str
    created_at: Any


class PutFleetBodyWeights(TypedDict, total=False):
    """The weights of a driver's score; the lowest score gets the offer first."""
    eta: float
    rating: float
    waiting: float
    surge: float


class _PutDriverBodyOptional(TypedDict, total=False):
    rating: float
    types: List[str]
    surge: bool


class PutDriverBody(_PutDriverBodyOptional):
    lat: float
    lng: float
    available: bool


class _UpdatePositionsBodyItemOptional(TypedDict, total=False):
    available: bool


class UpdatePositionsBodyItem(_UpdatePositionsBodyItemOptional):
    driver: str
    lat: float
    lng: float


UpdatePositionsBody = List["UpdatePositionsBodyItem"]


class _CreateRideBodyOptional(TypedDict, total=False):
    rider_id: str
    to: Union["CreateRideBodyTo", None]
    type: Union[str, None]
    surge: float


class CreateRideBody(_CreateRideBodyOptional):
    lat: float
    lng: float


class CreateRideBodyTo(TypedDict):
    """The destination."""
    lat: float
    lng: float


class CancelRideBody(TypedDict, total=False):
    rider_id: str


class CompleteRideBody(TypedDict, total=False):
    driver_id: str


class DriverCancelRideBody(TypedDict, total=False):
    driver_id: str


class AcceptOfferBody(TypedDict, total=False):
    driver_id: str


class DeclineOfferBody(TypedDict, total=False):
    driver_id: str


class PutPaymentProviderBody(TypedDict):
    provider: Literal["stripe", "standard"]
    secret: str


ReceivePaymentEventBody = Dict[str, Any]


class CompleteRefundBody(TypedDict, total=False):
    amount: Union["CompleteRefundBodyAmount", None]
    outside: bool


class CompleteRefundBodyAmount(TypedDict):
    """The amount paid back. Defaults to the full amount, if it has never changed."""
    amount: int
    currency: str


class _CheckInBodyOptional(TypedDict, total=False):
    event: Union[str, None]
    gate: Union[str, None]
    nonce: Union[str, None]
    undo: bool
    scanned_at: Union[str, None]


class CheckInBody(_CheckInBodyOptional):
    code: str


class CreateKeyBody(TypedDict):
    name: str
    role: Literal["app", "door"]


class RotateKeyBody(TypedDict, total=False):
    old_valid_seconds: int


class CreateSessionBody(TypedDict):
    pass


class _PutHookBodyOptional(TypedDict, total=False):
    id: str
    created_at: Any
    old_secret_until: Any
    waiting: Any


class PutHookBody(_PutHookBodyOptional):
    url: str
    events: List[Literal["reservation.held", "reservation.expiring", "reservation.confirmed", "reservation.released", "reservation.expired", "reservation.cancelled", "reservation.refunded", "reservation.transferred", "refund.due", "list.offered", "ride.assigned", "refund.withdrawn", "payment.discrepancy"]]
    secret: str


class ResendMessagesBody(TypedDict, total=False):
    id: str
    since: str


class EventPage(TypedDict):
    """A page of a list."""
    data: List["Event"]
    next_cursor: Union[str, None]


class PoolPage(TypedDict):
    """A page of a list."""
    data: List["Pool"]
    next_cursor: Union[str, None]


class CodePage(TypedDict):
    """A page of a list."""
    data: List["Code"]
    next_cursor: Union[str, None]


class ListEntryPage(TypedDict):
    """A page of a list."""
    data: List["ListEntry"]
    next_cursor: Union[str, None]


class CalendarPage(TypedDict):
    """A page of a list."""
    data: List["Calendar"]
    next_cursor: Union[str, None]


class SlotPage(TypedDict):
    """A page of a list."""
    data: List["Slot"]
    next_cursor: Union[str, None]


class GroupPage(TypedDict):
    """A page of a list."""
    data: List["Group"]
    next_cursor: Union[str, None]


class ReservationPage(TypedDict):
    """A page of a list."""
    data: List["Reservation"]
    next_cursor: Union[str, None]


class ReservationChangePage(TypedDict):
    """A page of a list."""
    data: List["ReservationChange"]
    next_cursor: Union[str, None]


class FleetPage(TypedDict):
    """A page of a list."""
    data: List["Fleet"]
    next_cursor: Union[str, None]


class DriverPage(TypedDict):
    """A page of a list."""
    data: List["Driver"]
    next_cursor: Union[str, None]


class RidePage(TypedDict):
    """A page of a list."""
    data: List["Ride"]
    next_cursor: Union[str, None]


class PaymentRowPage(TypedDict):
    """A page of a list."""
    data: List["PaymentRow"]
    next_cursor: Union[str, None]


class PaymentEventPage(TypedDict):
    """A page of a list."""
    data: List["PaymentEvent"]
    next_cursor: Union[str, None]


class RefundDuePage(TypedDict):
    """A page of a list."""
    data: List["RefundDue"]
    next_cursor: Union[str, None]


class DoorTicketPage(TypedDict):
    """A page of a list."""
    data: List["DoorTicket"]
    next_cursor: Union[str, None]


class SalesRowPage(TypedDict):
    """A page of a list."""
    data: List["SalesRow"]
    next_cursor: Union[str, None]


class MoneyRowPage(TypedDict):
    """A page of a list."""
    data: List["MoneyRow"]
    next_cursor: Union[str, None]


class AbandonedRowPage(TypedDict):
    """A page of a list."""
    data: List["AbandonedRow"]
    next_cursor: Union[str, None]


class FunnelRowPage(TypedDict):
    """A page of a list."""
    data: List["FunnelRow"]
    next_cursor: Union[str, None]


class AuditEntryPage(TypedDict):
    """A page of a list."""
    data: List["AuditEntry"]
    next_cursor: Union[str, None]


class KeyPage(TypedDict):
    """A page of a list."""
    data: List["Key"]
    next_cursor: Union[str, None]


class HookPage(TypedDict):
    """A page of a list."""
    data: List["Hook"]
    next_cursor: Union[str, None]


class DeadMessagePage(TypedDict):
    """A page of a list."""
    data: List["DeadMessage"]
    next_cursor: Union[str, None]


class NodePage(TypedDict):
    """A page of a list."""
    data: List["Node"]
    next_cursor: Union[str, None]


HookMessage = Union["ReservationHeldMessage", "ReservationExpiringMessage", "ReservationConfirmedMessage", "ReservationReleasedMessage", "ReservationExpiredMessage", "ReservationCancelledMessage", "ReservationRefundedMessage", "ReservationTransferredMessage", "RefundDueMessage", "ListOfferedMessage", "RideAssignedMessage", "RefundWithdrawnMessage", "PaymentDiscrepancyMessage"]
