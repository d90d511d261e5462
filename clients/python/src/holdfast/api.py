# SPDX-License-Identifier: Apache-2.0
# Made from the description of the API by clients/generate.
"""A method for each operation of the API."""
from typing import Any, Iterator, List, Optional, Union, cast

from .client import UPLOAD_SECONDS, Client, StreamEvent, segment
from .types import (
    AbandonedRow,
    AuditEntry,
    Availability,
    AvailabilityMap,
    AvailabilityPool,
    AvailabilitySeats,
    BestSeats,
    Calendar,
    CalendarChanged,
    CheckIn,
    ClosedInterval,
    Code,
    CodeImportResult,
    ConfirmedReservation,
    DeadMessage,
    DoorTicket,
    Draw,
    Driver,
    DriverOffer,
    DriverPosition,
    EndedReservation,
    Erasure,
    Event,
    EventCancel,
    EventCounts,
    Fleet,
    FleetAssignment,
    FleetCell,
    FleetOverview,
    FleetRides,
    FleetWeights,
    FunnelRefusal,
    FunnelRow,
    Group,
    Health,
    HeldReservation,
    HistoryRefund,
    Hook,
    Item,
    ItemChange,
    Jwk,
    JwkSet,
    Key,
    Layout,
    LayoutSeat,
    ListEntry,
    Money,
    MoneyRow,
    NewKey,
    Node,
    Obstacle,
    OfferEnded,
    OpenapiDocument,
    OpeningHours,
    OwnerChange,
    Payment,
    PaymentAmount,
    PaymentEvent,
    PaymentProvider,
    PaymentResult,
    PaymentRow,
    PaymentRowEvent,
    PaymentShown,
    Person,
    PersonDriver,
    PersonEntry,
    PersonGift,
    PersonOffer,
    PersonReservation,
    PersonRide,
    Point,
    Pool,
    PoolChanged,
    PoolCounts,
    PoolItem,
    PoolTicket,
    PositionsResult,
    Problem,
    Queue,
    QueueAdmin,
    QueueEntry,
    QueuePublic,
    Readiness,
    RefundAmount,
    RefundDue,
    RefundResult,
    Resent,
    Reservation,
    ReservationChange,
    ReturnedReservation,
    Ride,
    RideDriver,
    RideOffer,
    RotatedKey,
    SalesRow,
    Seat,
    SeatBlockResult,
    SeatChanged,
    SeatImportResult,
    SeatItem,
    SeatRemoveResult,
    SeatTicket,
    Service,
    Session,
    Slot,
    SlotItem,
    SlotTicket,
    StreamReset,
    Ticket,
    TotalChange,
    Transfer,
    TransferredReservation,
    TtlAdvice,
    UsedTicket,
    WaitingRoom,
    WhatChanged,
    MarkSeats,
    MarkAllotment,
    HoldItems,
    HoldItemsAmount,
    HoldResource,
    HoldResourceAmount,
    SeatRequest,
    PoolRequest,
    BestRequest,
    BestRequestBest,
    SlotRequest,
    ServiceRequest,
    GroupRequest,
    GroupServiceRequest,
    AddItems,
    AddSeat,
    AddPool,
    AddBest,
    AddBestBest,
    AddSlot,
    AddService,
    AddGroup,
    AddGroupService,
    MoveToSeat,
    MoveToTime,
    SetQuantity,
    SetCategory,
    SetAttributes,
    ReservationHeldMessage,
    ReservationExpiringMessage,
    ReservationConfirmedMessage,
    ReservationReleasedMessage,
    ReservationExpiredMessage,
    ReservationCancelledMessage,
    ReservationRefundedMessage,
    ReservationTransferredMessage,
    RefundDueMessage,
    ListOfferedMessage,
    RideAssignedMessage,
    RefundWithdrawnMessage,
    PaymentDiscrepancyMessage,
    PutEventBody,
    PutEventBodyWaitingRoom,
    UpdateEventBody,
    UpdateEventBodyWaitingRoom,
    CancelEventBody,
    ImportSeatsBodyItem,
    ImportSeatsBody,
    UpdateSeatsBody,
    DeleteSeatsBody,
    PutPoolBody,
    ImportCodesBodyItem,
    ImportCodesBody,
    JoinQueueBody,
    UpdateQueueBody,
    JoinWaitingListBody,
    PutCalendarBody,
    PutCalendarBodyHoursItem,
    PutCalendarBodyClosedItem,
    PutCalendarBodyServicesItem,
    UpdateCalendarBody,
    UpdateCalendarBodyHoursItem,
    UpdateCalendarBodyClosedItem,
    UpdateCalendarBodyServicesItem,
    PutGroupBody,
    CreateReservationBody,
    UpdateReservationBody,
    DeleteReservationBody,
    ReleaseReservationBody,
    AddItemsBody,
    UpdateItemBody,
    RemoveItemBody,
    ExtendReservationBody,
    StartPaymentBody,
    CommitReservationBody,
    CommitReservationBodyAmount,
    TransferReservationBody,
    CancelReservationBody,
    RefundReservationBody,
    RevokeManageTokensBody,
    PutFleetBody,
    PutFleetBodyWeights,
    PutDriverBody,
    UpdatePositionsBodyItem,
    UpdatePositionsBody,
    CreateRideBody,
    CreateRideBodyTo,
    CancelRideBody,
    CompleteRideBody,
    DriverCancelRideBody,
    AcceptOfferBody,
    DeclineOfferBody,
    PutPaymentProviderBody,
    ReceivePaymentEventBody,
    CompleteRefundBody,
    CompleteRefundBodyAmount,
    CheckInBody,
    CreateKeyBody,
    RotateKeyBody,
    CreateSessionBody,
    PutHookBody,
    ResendMessagesBody,
    EventPage,
    PoolPage,
    CodePage,
    ListEntryPage,
    CalendarPage,
    SlotPage,
    GroupPage,
    ReservationPage,
    ReservationChangePage,
    FleetPage,
    DriverPage,
    RidePage,
    PaymentRowPage,
    PaymentEventPage,
    RefundDuePage,
    DoorTicketPage,
    SalesRowPage,
    MoneyRowPage,
    AbandonedRowPage,
    FunnelRowPage,
    AuditEntryPage,
    KeyPage,
    HookPage,
    DeadMessagePage,
    NodePage,
    HookMessage,
)


class Holdfast(Client):
    """A Holdfast server. Refusals are raised as holdfast.Problem."""

    def list_events(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> "EventPage":
        """List events.

        Ordered by id."""
        return cast("EventPage", self.call("GET", "/v1/events", query={"limit": limit, "cursor": cursor}))

    def get_event(self, event: str) -> "Event":
        """Get an event, with its settings and counts.

        Reflects every change acknowledged so far."""
        return cast("Event", self.call("GET", f"/v1/events/{segment(event)}"))

    def put_event(self, event: str, body: "PutEventBody") -> "Event":
        """Create or replace an event.

        Replaces the whole record: an omitted field gets its default, including `waiting_room` and `waiting_list`. Changes affect new holds only."""
        return cast("Event", self.call("PUT", f"/v1/events/{segment(event)}", body=body))

    def update_event(self, event: str, body: Optional["UpdateEventBody"] = None) -> "Event":
        """Change some settings of an event.

        A JSON merge patch (RFC 7396) of the record as GET shows it: omitted fields stay, null sets the default, objects merge, lists replace. Concurrent patches of different fields all take effect. `preset` and `copy_seats_from` need a PUT."""
        return cast("Event", self.call("PATCH", f"/v1/events/{segment(event)}", body=body or {}))

    def delete_event(self, event: str) -> None:
        """Delete an event without live claims.

        Refused while any of it is held or sold."""
        return self.call("DELETE", f"/v1/events/{segment(event)}")

    def get_event_cancellation(self, event: str) -> "EventCancel":
        """Get the progress of an event's cancellation.

        Reflects every change acknowledged so far."""
        return cast("EventCancel", self.call("GET", f"/v1/events/{segment(event)}/cancel"))

    def cancel_event(self, event: str, body: Optional["CancelEventBody"] = None) -> "EventCancel":
        """Cancel an event: end its holds and refund its sales.

        Immediately nothing can be held, and its waiting room and list are closed; this cannot be undone. Then, step by step, holds end, sales are refunded, reservations with other items lose those of this event, and entries of the waiting room and list end. Repeating the call returns the progress."""
        return cast("EventCancel", self.call("POST", f"/v1/events/{segment(event)}/cancel", body=body or {}))

    def get_layout(self, event: str) -> "Layout":
        """Get the layout: the static data of every seat.

        Changes only with imports: cache it by its ETag."""
        return cast("Layout", self.call("GET", f"/v1/events/{segment(event)}/seats"))

    def import_seats(self, event: str, body: Union["ImportSeatsBody", str]) -> "SeatImportResult":
        """Add or update seats: a JSON array, or CSV with a header line.

        All or nothing. Existing seats are updated; an omitted column or field keeps its value. CSV follows RFC 4180, with columns in any order."""
        return cast("SeatImportResult", self.call("POST", f"/v1/events/{segment(event)}/seats", body=body, within=UPLOAD_SECONDS))

    def update_seats(self, event: str, body: "UpdateSeatsBody") -> "SeatBlockResult":
        """Take seats off sale, put them back, or move them between allotments.

        With `ids` all or nothing: refused if one of them is claimed. With `allotment`, claimed seats are skipped and follow when they become available."""
        return cast("SeatBlockResult", self.call("PATCH", f"/v1/events/{segment(event)}/seats", body=body))

    def delete_seats(self, event: str, body: "DeleteSeatsBody") -> "SeatRemoveResult":
        """Remove seats.

        All or nothing: refused if one of them is claimed. A removed id can be imported again, as a new seat."""
        return cast("SeatRemoveResult", self.call("DELETE", f"/v1/events/{segment(event)}/seats", body=body))

    def get_seat(self, event: str, seat: str) -> "Seat":
        """Get a seat and its status.

        The ETag is the seat's version: with If-Match a hold by `resource_id` is granted only if the seat has not changed since."""
        return cast("Seat", self.call("GET", f"/v1/events/{segment(event)}/seats/{segment(seat)}"))

    def get_pool(self, event: str, pool: str) -> "Pool":
        """Get a pool, with its price and availability.

        Reflects every change acknowledged so far."""
        return cast("Pool", self.call("GET", f"/v1/events/{segment(event)}/pools/{segment(pool)}"))

    def put_pool(self, event: str, pool: str, body: "PutPoolBody") -> "Pool":
        """Create or replace a pool.

        Replaces the whole record. The capacity cannot drop below the claimed units."""
        return cast("Pool", self.call("PUT", f"/v1/events/{segment(event)}/pools/{segment(pool)}", body=body))

    def list_pools(self, event: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> "PoolPage":
        """List the pools of an event.

        Oldest first."""
        return cast("PoolPage", self.call("GET", f"/v1/events/{segment(event)}/pools", query={"limit": limit, "cursor": cursor}))

    def list_codes(self, event: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> "CodePage":
        """List the codes of an event, with the use of each.

        In import order."""
        return cast("CodePage", self.call("GET", f"/v1/events/{segment(event)}/codes", query={"limit": limit, "cursor": cursor}))

    def import_codes(self, event: str, body: Union["ImportCodesBody", str]) -> "CodeImportResult":
        """Add or update codes: a JSON array, or CSV with a header line.

        If any line is invalid, nothing changes. Replaces the record of each existing code; its `used` stays. In CSV, tiers are separated by semicolons or spaces. Large imports are applied 1,000 codes at a time."""
        return cast("CodeImportResult", self.call("POST", f"/v1/events/{segment(event)}/codes", body=body, within=UPLOAD_SECONDS))

    def delete_code(self, event: str, code: str) -> None:
        """Delete a code.

        It is no longer valid for new claims. Existing claims stay, and count again if the code is added again."""
        return self.call("DELETE", f"/v1/events/{segment(event)}/codes/{segment(code)}")

    def get_availability(self, event: str, *, since: Optional[int] = None, format: Optional[str] = None) -> "Availability":
        """Get availability, in full or since a version.

        With `since`, only the changes, if they are still known; `full` shows which it is. With `format=map`, one letter per seat."""
        return cast("Availability", self.call("GET", f"/v1/events/{segment(event)}/availability", query={"since": since, "format": format}))

    def stream_event(self, event: str, *, last_event_id: Optional[str] = None) -> Iterator[StreamEvent]:
        """Stream changes of seats and pools.

        Server-sent events; the id is the version. Without a Last-Event-ID, or if it is too old, the stream starts with `reset`: get the availability, then follow. A comment is sent every 15 seconds."""
        return self.follow(f"/v1/events/{segment(event)}/stream", last_event_id=last_event_id)

    def get_queue(self, event: str) -> "Queue":
        """Get the progress of the waiting room; for admins, with all details.

        The same response for all callers, updated at most five times a second."""
        return cast("Queue", self.call("GET", f"/v1/events/{segment(event)}/queue"))

    def join_queue(self, event: str, body: Optional["JoinQueueBody"] = None, *, key: Optional[str] = None) -> "QueueEntry":
        """Join the waiting room.

        One live entry per user: joining again returns 200 and the same entry."""
        return cast("QueueEntry", self.call("POST", f"/v1/events/{segment(event)}/queue", body=body or {}, key=key))

    def update_queue(self, event: str, body: Optional["UpdateQueueBody"] = None) -> "QueueAdmin":
        """Control a waiting room: pace, pause, opening.

        Takes effect immediately. Omitted fields stay unchanged."""
        return cast("QueueAdmin", self.call("PATCH", f"/v1/events/{segment(event)}/queue", body=body or {}))

    def get_queue_entry(self, event: str, entry: str, *, user_id: Optional[str] = None) -> "QueueEntry":
        """Get a waiting room entry. Polling it shows that its owner is present.

        Poll every `poll_after_seconds`; otherwise the entry is passed over when its turn comes. Once admitted, it has a `pass`."""
        return cast("QueueEntry", self.call("GET", f"/v1/events/{segment(event)}/queue/{segment(entry)}", query={"user_id": user_id}))

    def leave_queue(self, event: str, entry: str, *, user_id: Optional[str] = None) -> "QueueEntry":
        """Leave a waiting room.

        An admitted entry gives its place to the next one. An entry that has ended is left unchanged."""
        return cast("QueueEntry", self.call("DELETE", f"/v1/events/{segment(event)}/queue/{segment(entry)}", query={"user_id": user_id}))

    def stream_queue_entry(self, event: str, entry: str, *, user_id: Optional[str] = None, last_event_id: Optional[str] = None) -> Iterator[StreamEvent]:
        """Stream a waiting room entry.

        Server-sent events, each with the whole entry, at most 15 seconds apart. The stream ends when the entry is finished or left."""
        return self.follow(f"/v1/events/{segment(event)}/queue/{segment(entry)}/stream", query={"user_id": user_id}, last_event_id=last_event_id)

    def list_waiting_list(self, event: str, *, status: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None, min_seq: Optional[int] = None) -> "ListEntryPage":
        """List the entries of a waiting list in the order they joined.

        May lag behind by a moment."""
        return cast("ListEntryPage", self.call("GET", f"/v1/events/{segment(event)}/waiting-list", query={"status": status, "limit": limit, "cursor": cursor}, min_seq=min_seq))

    def join_waiting_list(self, event: str, body: "JoinWaitingListBody", *, key: Optional[str] = None) -> "ListEntry":
        """Join the waiting list.

        One live entry per user: joining again returns 200 and the same entry. If the event has a waiting room, users are refused while what they want is still available."""
        return cast("ListEntry", self.call("POST", f"/v1/events/{segment(event)}/waiting-list", body=body, key=key))

    def get_waiting_list_entry(self, event: str, entry: str, *, user_id: Optional[str] = None) -> "ListEntry":
        """Get a waiting list entry.

        Once offered, it has a `reservation_id`: commit that reservation before its deadline."""
        return cast("ListEntry", self.call("GET", f"/v1/events/{segment(event)}/waiting-list/{segment(entry)}", query={"user_id": user_id}))

    def leave_waiting_list(self, event: str, entry: str, *, user_id: Optional[str] = None) -> "ListEntry":
        """Leave a waiting list, or decline its offer.

        Also releases the reservation of an offer."""
        return cast("ListEntry", self.call("DELETE", f"/v1/events/{segment(event)}/waiting-list/{segment(entry)}", query={"user_id": user_id}))

    def list_calendars(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> "CalendarPage":
        """List calendars.

        Ordered by id."""
        return cast("CalendarPage", self.call("GET", "/v1/calendars", query={"limit": limit, "cursor": cursor}))

    def get_calendar(self, calendar: str) -> "Calendar":
        """Get a calendar.

        Reflects every change acknowledged so far."""
        return cast("Calendar", self.call("GET", f"/v1/calendars/{segment(calendar)}"))

    def put_calendar(self, calendar: str, body: "PutCalendarBody") -> "Calendar":
        """Create or replace a calendar.

        Replaces the whole record: an omitted field gets its default. Changes affect new claims only."""
        return cast("Calendar", self.call("PUT", f"/v1/calendars/{segment(calendar)}", body=body))

    def update_calendar(self, calendar: str, body: Optional["UpdateCalendarBody"] = None) -> "Calendar":
        """Change some settings of a calendar.

        A JSON merge patch (RFC 7396) of the record as GET shows it: omitted fields stay, null sets the default, objects merge, lists replace. Concurrent patches of different fields all take effect. Changes affect new claims only."""
        return cast("Calendar", self.call("PATCH", f"/v1/calendars/{segment(calendar)}", body=body or {}))

    def delete_calendar(self, calendar: str) -> None:
        """Delete a calendar without current or future claims.

        Refused while any time on it, including buffers, is held or sold. Past reservations keep their items, which can no longer move."""
        return self.call("DELETE", f"/v1/calendars/{segment(calendar)}")

    def list_slots(self, calendar: str, *, from_: Optional[str] = None, to: Optional[str] = None, duration_minutes: Optional[int] = None, service: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> "SlotPage":
        """List available slots.

        The slots that can be claimed right now, over at most 62 days. A page may be short or empty and still have a next page."""
        return cast("SlotPage", self.call("GET", f"/v1/calendars/{segment(calendar)}/slots", query={"from": from_, "to": to, "duration_minutes": duration_minutes, "service": service, "limit": limit, "cursor": cursor}))

    def stream_calendar(self, calendar: str, *, last_event_id: Optional[str] = None) -> Iterator[StreamEvent]:
        """Stream changes of available time.

        Server-sent events; the id is the version. `changed` says that slots which overlap [`from`, `to`) may have changed; changed settings affect all future slots. Without a Last-Event-ID, or if it is too old, the stream starts with `reset`: list the slots, then follow. A comment is sent every 15 seconds."""
        return self.follow(f"/v1/calendars/{segment(calendar)}/stream", last_event_id=last_event_id)

    def export_bookings(self, calendar: str, *, from_: Optional[str] = None, to: Optional[str] = None, min_seq: Optional[int] = None) -> str:
        """Get confirmed bookings as iCalendar.

        One VEVENT per confirmed slot, in order of time. `from` and `to` select the bookings that overlap that interval."""
        return cast("str", self.call("GET", f"/v1/calendars/{segment(calendar)}.ics", query={"from": from_, "to": to}, min_seq=min_seq))

    def list_groups(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> "GroupPage":
        """List groups of calendars.

        In the order in which they were first created."""
        return cast("GroupPage", self.call("GET", "/v1/groups", query={"limit": limit, "cursor": cursor}))

    def get_group(self, group: str) -> "Group":
        """Get a group of calendars.

        Reflects every change acknowledged so far."""
        return cast("Group", self.call("GET", f"/v1/groups/{segment(group)}"))

    def put_group(self, group: str, body: "PutGroupBody") -> "Group":
        """Create or replace a group of calendars.

        Calendars that are interchangeable: any doctor, a table for four. Replaces the whole record. Claims made through the group stay on their calendars."""
        return cast("Group", self.call("PUT", f"/v1/groups/{segment(group)}", body=body))

    def delete_group(self, group: str) -> None:
        """Remove a group of calendars.

        Its calendars stay, and so do claims made through it."""
        return self.call("DELETE", f"/v1/groups/{segment(group)}")

    def list_group_slots(self, group: str, *, from_: Optional[str] = None, to: Optional[str] = None, duration_minutes: Optional[int] = None, service: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None, party: Optional[int] = None) -> "SlotPage":
        """List available slots of a group.

        As for a calendar; `available` counts the free calendars. Slots that begin at the same time are on one page, which may therefore be longer than `limit`."""
        return cast("SlotPage", self.call("GET", f"/v1/groups/{segment(group)}/slots", query={"from": from_, "to": to, "duration_minutes": duration_minutes, "service": service, "limit": limit, "cursor": cursor, "party": party}))

    def list_reservations(self, *, user_id: Optional[str] = None, event: Optional[str] = None, calendar: Optional[str] = None, status: Optional[str] = None, pnr: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None, q: Optional[str] = None, ticket: Optional[str] = None, payment_ref: Optional[str] = None, min_seq: Optional[int] = None) -> "ReservationPage":
        """List reservations, newest first.

        Users see only their own. May lag behind by a moment. App and admin keys can get CSV, one row per item: send `Accept: text/csv`; the next cursor is then in the header `Holdfast-Next-Cursor`."""
        return cast("ReservationPage", self.call("GET", "/v1/reservations", query={"user_id": user_id, "event": event, "calendar": calendar, "status": status, "pnr": pnr, "limit": limit, "cursor": cursor, "from": from_, "to": to, "q": q, "ticket": ticket, "payment_ref": payment_ref}, min_seq=min_seq))

    def list_reservations_csv(self, *, user_id: Optional[str] = None, event: Optional[str] = None, calendar: Optional[str] = None, status: Optional[str] = None, pnr: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None, q: Optional[str] = None, ticket: Optional[str] = None, payment_ref: Optional[str] = None, min_seq: Optional[int] = None) -> str:
        """List reservations, newest first.

        Users see only their own. May lag behind by a moment. App and admin keys can get CSV, one row per item: send `Accept: text/csv`; the next cursor is then in the header `Holdfast-Next-Cursor`."""
        return cast("str", self.call("GET", "/v1/reservations", query={"user_id": user_id, "event": event, "calendar": calendar, "status": status, "pnr": pnr, "limit": limit, "cursor": cursor, "from": from_, "to": to, "q": q, "ticket": ticket, "payment_ref": payment_ref}, accept="text/csv", min_seq=min_seq))

    def create_reservation(self, body: "CreateReservationBody", *, key: Optional[str] = None, waiting_room_pass: Optional[str] = None, if_match: Optional[str] = None) -> "Reservation":
        """Hold seats, pool units and slots: all or nothing.

        The hold lasts as long as the event or calendar allows. A refusal lists all items that are not available. With an Idempotency-Key it is safe to retry."""
        return cast("Reservation", self.call("POST", "/v1/reservations", body=body, key=key, waiting_room_pass=waiting_room_pass, if_match=if_match))

    def get_reservation(self, id: str, *, user_id: Optional[str] = None, manage_token: Optional[int] = None) -> "Reservation":
        """Get a reservation.

        A user token gets 404 for other users' reservations."""
        return cast("Reservation", self.call("GET", f"/v1/reservations/{segment(id)}", query={"user_id": user_id, "manage_token": manage_token}))

    def update_reservation(self, id: str, body: "UpdateReservationBody") -> "Reservation":
        """Replace the attributes.

        Replaces the whole object."""
        return cast("Reservation", self.call("PATCH", f"/v1/reservations/{segment(id)}", body=body))

    def delete_reservation(self, id: str, body: Optional["DeleteReservationBody"] = None) -> "EndedReservation":
        """Release a hold.

        Its items are available again immediately. Repeating the call returns the same response."""
        return cast("EndedReservation", self.call("DELETE", f"/v1/reservations/{segment(id)}", body=body or {}))

    def release_reservation(self, id: str, body: Optional["ReleaseReservationBody"] = None) -> "EndedReservation":
        """Release a hold.

        Its items are available again immediately. Repeating the call returns the same response."""
        return cast("EndedReservation", self.call("POST", f"/v1/reservations/{segment(id)}/release", body=body or {}))

    def add_items(self, id: str, body: "AddItemsBody", *, key: Optional[str] = None, waiting_room_pass: Optional[str] = None) -> "Reservation":
        """Add items to a hold.

        All or nothing. Items that the hold already has are skipped; if that is all, the response is 200 and nothing changes. The deadline never moves later: an item with a shorter TTL moves it earlier."""
        return cast("Reservation", self.call("POST", f"/v1/reservations/{segment(id)}/items", body=body, key=key, waiting_room_pass=waiting_room_pass))

    def update_item(self, id: str, item_id: str, body: "UpdateItemBody", *, waiting_room_pass: Optional[str] = None) -> "Reservation":
        """Change an item: seat, time, quantity, category or attributes.

        The old seat or time is released only if the new one is granted. The tickets of a confirmed reservation stay valid."""
        return cast("Reservation", self.call("PATCH", f"/v1/reservations/{segment(id)}/items/{segment(item_id)}", body=body, waiting_room_pass=waiting_room_pass))

    def remove_item(self, id: str, item_id: str, body: Optional["RemoveItemBody"] = None) -> "Reservation":
        """Remove an item. Removing the last one releases the hold.

        The seat, units or slot are available again immediately."""
        return cast("Reservation", self.call("DELETE", f"/v1/reservations/{segment(id)}/items/{segment(item_id)}", body=body or {}))

    def extend_reservation(self, id: str, body: Optional["ExtendReservationBody"] = None) -> "HeldReservation":
        """Extend a hold.

        Sets the deadline to now plus the TTL, at most `max_expires_at`, and never earlier than before."""
        return cast("HeldReservation", self.call("POST", f"/v1/reservations/{segment(id)}/extend", body=body or {}))

    def start_payment(self, id: str, body: Optional["StartPaymentBody"] = None) -> "HeldReservation":
        """Start the payment.

        Extends the deadline to now plus `payment_ttl_seconds`; from then on the items cannot change. A `payment_ref` from an app or admin key is recorded as started, not as paid. Repeating the call returns the same response."""
        return cast("HeldReservation", self.call("POST", f"/v1/reservations/{segment(id)}/payment", body=body or {}))

    def commit_reservation(self, id: str, body: Optional["CommitReservationBody"] = None) -> "ConfirmedReservation":
        """Confirm a hold.

        Does not charge a payment. If payment is required, only app and admin keys can confirm, and with a `payment_ref` only if the payment covers the total. If the commit is refused, the amount paid is owed: `refund_due`. On a confirmed reservation another `payment_ref` pays the balance. Repeating the call returns the same response."""
        return cast("ConfirmedReservation", self.call("POST", f"/v1/reservations/{segment(id)}/commit", body=body or {}))

    def transfer_reservation(self, id: str, body: "TransferReservationBody", *, key: Optional[str] = None) -> "Transfer":
        """Transfer a confirmed reservation to another user.

        Its ticket codes and manage tokens are replaced; earlier ones are void. Attributes of the reservation and its items are cleared unless an app or admin key sets `keep_attributes`. Only app and admin keys get the whole reservation in the response; for the old owner it no longer exists."""
        return cast("Transfer", self.call("POST", f"/v1/reservations/{segment(id)}/transfer", body=body, key=key))

    def cancel_reservation(self, id: str, body: Optional["CancelReservationBody"] = None) -> "ReturnedReservation":
        """Cancel a confirmed reservation.

        By its owner, while every item allows it (`cancel_until_seconds` of events, `cancel_until_minutes` of calendars). Its items are available again immediately; a recorded payment becomes a refund due. App and admin keys get 403: they refund instead. Repeating the call returns the same response."""
        return cast("ReturnedReservation", self.call("POST", f"/v1/reservations/{segment(id)}/cancel", body=body or {}))

    def refund_reservation(self, id: str, body: Optional["RefundReservationBody"] = None) -> "RefundResult":
        """Refund a confirmed reservation, or some of its items.

        The items are available again immediately, and their tickets are void. Holdfast moves no money: for a recorded payment their prices become a refund due, unless `paid_back`. Repeating the call returns the same response."""
        return cast("RefundResult", self.call("POST", f"/v1/reservations/{segment(id)}/refund", body=body or {}))

    def revoke_manage_tokens(self, id: str, body: Optional["RevokeManageTokensBody"] = None) -> None:
        """Revoke all manage tokens of a reservation.

        New ones can be issued at any time."""
        return self.call("DELETE", f"/v1/reservations/{segment(id)}/manage-tokens", body=body or {})

    def list_reservation_history(self, id: str, *, user_id: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None, min_seq: Optional[int] = None) -> "ReservationChangePage":
        """Get the history of a reservation.

        Oldest first. May lag behind by a moment. After a transfer the new owner sees only what happened since."""
        return cast("ReservationChangePage", self.call("GET", f"/v1/reservations/{segment(id)}/history", query={"user_id": user_id, "limit": limit, "cursor": cursor}, min_seq=min_seq))

    def list_fleets(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> "FleetPage":
        """List fleets.

        Ordered by id."""
        return cast("FleetPage", self.call("GET", "/v1/fleets", query={"limit": limit, "cursor": cursor}))

    def get_fleet(self, fleet: str) -> "Fleet":
        """Get a fleet.

        Its settings."""
        return cast("Fleet", self.call("GET", f"/v1/fleets/{segment(fleet)}"))

    def put_fleet(self, fleet: str, body: Optional["PutFleetBody"] = None) -> "Fleet":
        """Create or replace a fleet.

        Replaces the whole record: an omitted field gets its default. Changes affect new offers only. The resolution cannot change while there are drivers or rides."""
        return cast("Fleet", self.call("PUT", f"/v1/fleets/{segment(fleet)}", body=body or {}))

    def delete_fleet(self, fleet: str) -> None:
        """Delete a fleet without live rides.

        Also deletes its drivers and past rides."""
        return self.call("DELETE", f"/v1/fleets/{segment(fleet)}")

    def get_fleet_overview(self, fleet: str) -> "FleetOverview":
        """Get an overview of a fleet.

        Drivers by cell, rides by status, and how long rides waited for a driver. Figures over time are counted since the server started."""
        return cast("FleetOverview", self.call("GET", f"/v1/fleets/{segment(fleet)}/overview"))

    def list_drivers(self, fleet: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> "DriverPage":
        """List the drivers of a fleet.

        In no particular order. A page may be short: `next_cursor` shows whether there are more."""
        return cast("DriverPage", self.call("GET", f"/v1/fleets/{segment(fleet)}/drivers", query={"limit": limit, "cursor": cursor}))

    def get_driver(self, fleet: str, driver: str) -> "Driver":
        """Get a driver.

        A user token can only get its own record."""
        return cast("Driver", self.call("GET", f"/v1/fleets/{segment(fleet)}/drivers/{segment(driver)}"))

    def put_driver(self, fleet: str, driver: str, body: "PutDriverBody") -> "Driver":
        """Create a driver, or report its position.

        App and admin keys create drivers and set `rating` and `types`. A user token whose `sub` is the driver may then send the other fields. Counts as a sign of presence. `available: false` withdraws a live offer immediately."""
        return cast("Driver", self.call("PUT", f"/v1/fleets/{segment(fleet)}/drivers/{segment(driver)}", body=body))

    def delete_driver(self, fleet: str, driver: str) -> None:
        """Delete a driver.

        A live offer is withdrawn immediately. A ride in progress continues, but no offers follow."""
        return self.call("DELETE", f"/v1/fleets/{segment(fleet)}/drivers/{segment(driver)}")

    def update_positions(self, fleet: str, body: "UpdatePositionsBody") -> "PositionsResult":
        """Report the positions of many drivers.

        All or nothing: one invalid entry and nothing changes. If a driver occurs twice, the last entry counts. Positions are not stored: after a restart a driver gets no offers until its next position."""
        return cast("PositionsResult", self.call("POST", f"/v1/fleets/{segment(fleet)}/positions", body=body))

    def get_driver_offer(self, fleet: str, driver: str) -> Union["DriverOffer", None]:
        """Get the live offer of a driver.

        Without one: 204."""
        return cast("Union[DriverOffer, None]", self.call("GET", f"/v1/fleets/{segment(fleet)}/drivers/{segment(driver)}/offer"))

    def stream_driver(self, fleet: str, driver: str, *, last_event_id: Optional[str] = None) -> Iterator[StreamEvent]:
        """Stream the offers of a driver.

        Server-sent events: `offer` when one is made, `offer_ended` when it ends. Without a Last-Event-ID, or if it is too old, the stream starts with `reset`, followed by the live offer if there is one. A comment is sent every 15 seconds. An open stream does not count as presence."""
        return self.follow(f"/v1/fleets/{segment(fleet)}/drivers/{segment(driver)}/stream", last_event_id=last_event_id)

    def list_rides(self, fleet: str, *, status: Optional[str] = None, rider_id: Optional[str] = None, driver_id: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None, min_seq: Optional[int] = None) -> "RidePage":
        """List rides.

        Newest first. A user token sees the rides it requested, or with `driver_id` those it drives. May lag behind by a moment, except for the drivers' positions."""
        return cast("RidePage", self.call("GET", f"/v1/fleets/{segment(fleet)}/rides", query={"status": status, "rider_id": rider_id, "driver_id": driver_id, "limit": limit, "cursor": cursor}, min_seq=min_seq))

    def create_ride(self, fleet: str, body: "CreateRideBody", *, key: Optional[str] = None) -> "Ride":
        """Request a ride.

        It is offered to one driver at a time, best first. Each driver is asked at most three times. The search ends when one accepts, after `search_seconds`, or after 1,000 offers."""
        return cast("Ride", self.call("POST", f"/v1/fleets/{segment(fleet)}/rides", body=body, key=key))

    def get_ride(self, fleet: str, ride: str) -> "Ride":
        """Get a ride, with all its offers.

        For its rider, its driver, the driver it is offered to, and app and admin keys. Others get 404."""
        return cast("Ride", self.call("GET", f"/v1/fleets/{segment(fleet)}/rides/{segment(ride)}"))

    def stream_ride(self, fleet: str, ride: str, *, last_event_id: Optional[str] = None) -> Iterator[StreamEvent]:
        """Stream the changes of a ride.

        Server-sent events: `ride`, the whole ride, at each change; `driver`, at most once a second while it is assigned. Without a Last-Event-ID, or with one of another stream, the stream starts with `reset` and the current ride. It ends with the ride. A comment is sent every 15 seconds."""
        return self.follow(f"/v1/fleets/{segment(fleet)}/rides/{segment(ride)}/stream", last_event_id=last_event_id)

    def cancel_ride(self, fleet: str, ride: str, body: Optional["CancelRideBody"] = None) -> "Ride":
        """Cancel a ride.

        By its rider. A live offer is withdrawn, an assigned driver becomes free. Repeating the call returns the same response."""
        return cast("Ride", self.call("POST", f"/v1/fleets/{segment(fleet)}/rides/{segment(ride)}/cancel", body=body or {}))

    def complete_ride(self, fleet: str, ride: str, body: Optional["CompleteRideBody"] = None) -> "Ride":
        """Complete a ride.

        By its driver, who becomes free. Repeating the call returns the same response."""
        return cast("Ride", self.call("POST", f"/v1/fleets/{segment(fleet)}/rides/{segment(ride)}/complete", body=body or {}))

    def driver_cancel_ride(self, fleet: str, ride: str, body: Optional["DriverCancelRideBody"] = None) -> "Ride":
        """Give a ride back.

        By its driver. The search continues without that driver, for another `search_seconds`. Repeating the call returns the current ride."""
        return cast("Ride", self.call("POST", f"/v1/fleets/{segment(fleet)}/rides/{segment(ride)}/driver-cancel", body=body or {}))

    def accept_offer(self, fleet: str, offer: str, body: Optional["AcceptOfferBody"] = None) -> "Ride":
        """Accept an offer.

        By its driver, before it expires. Repeating the call returns the same response."""
        return cast("Ride", self.call("POST", f"/v1/fleets/{segment(fleet)}/offers/{segment(offer)}/accept", body=body or {}))

    def decline_offer(self, fleet: str, offer: str, body: Optional["DeclineOfferBody"] = None) -> "Ride":
        """Decline an offer.

        By its driver, who is not offered this ride again. For an offer that was declined or has timed out: the same response."""
        return cast("Ride", self.call("POST", f"/v1/fleets/{segment(fleet)}/offers/{segment(offer)}/decline", body=body or {}))

    def put_payment_provider(self, body: "PutPaymentProviderBody") -> "PaymentProvider":
        """Set the payment provider.

        The provider whose events `POST /v1/webhooks/payments` accepts, and the secret that signs them: the signing secret of the Stripe endpoint, or `whsec_` and base64 for Standard Webhooks. The previous secret stays valid for a day."""
        return cast("PaymentProvider", self.call("PUT", "/v1/payments/provider", body=body))

    def receive_payment_event(self, body: Optional["ReceivePaymentEventBody"] = None) -> "PaymentResult":
        """Receive a payment event.

        For the payment provider. Events as Stripe sends them, signed in `Stripe-Signature`, or by Standard Webhooks in `webhook-id`, `webhook-timestamp` and `webhook-signature`, not older than five minutes; otherwise 401. `payment_intent.succeeded` and `.payment_failed` name the reservation in `data.object.metadata.reservation_id`; those without it are ignored. Refunds and disputes are matched by their payment intent. Every signed event gets 200 once it is durable; repeating an event returns the same response."""
        return cast("PaymentResult", self.call("POST", "/v1/webhooks/payments", body=body or {}))

    def list_payments(self, *, reservation_id: Optional[str] = None, status: Optional[str] = None, discrepancy: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None, min_seq: Optional[int] = None) -> "PaymentRowPage":
        """List payments.

        The rows of the ledger, newest first: the amounts received, kept, returned and owed of each payment. May lag behind by a moment."""
        return cast("PaymentRowPage", self.call("GET", "/v1/payments", query={"reservation_id": reservation_id, "status": status, "discrepancy": discrepancy, "limit": limit, "cursor": cursor}, min_seq=min_seq))

    def get_payment(self, payment_ref: str, *, min_seq: Optional[int] = None) -> "PaymentShown":
        """Get a payment.

        Includes the provider's events about it. May lag behind by a moment."""
        return cast("PaymentShown", self.call("GET", f"/v1/payments/{segment(payment_ref)}", min_seq=min_seq))

    def list_payment_events(self, *, result: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None, min_seq: Optional[int] = None) -> "PaymentEventPage":
        """List payment events.

        Oldest first: each signed event of the provider with its result, and payments that came with a refused hold. May lag behind by a moment."""
        return cast("PaymentEventPage", self.call("GET", "/v1/payment-events", query={"result": result, "limit": limit, "cursor": cursor}, min_seq=min_seq))

    def list_refunds_due(self, *, status: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None, min_seq: Optional[int] = None) -> "RefundDuePage":
        """List refunds due.

        Oldest first; only open ones unless `status` says otherwise. The id is a safe idempotency key at the provider: the amount of an open one may change, but once any part was paid back it is done, and the remainder is another refund due. May lag behind by a moment. For CSV send `Accept: text/csv`; the next cursor is then in the header `Holdfast-Next-Cursor`."""
        return cast("RefundDuePage", self.call("GET", "/v1/refunds-due", query={"status": status, "limit": limit, "cursor": cursor}, min_seq=min_seq))

    def list_refunds_due_csv(self, *, status: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None, min_seq: Optional[int] = None) -> str:
        """List refunds due.

        Oldest first; only open ones unless `status` says otherwise. The id is a safe idempotency key at the provider: the amount of an open one may change, but once any part was paid back it is done, and the remainder is another refund due. May lag behind by a moment. For CSV send `Accept: text/csv`; the next cursor is then in the header `Holdfast-Next-Cursor`."""
        return cast("str", self.call("GET", "/v1/refunds-due", query={"status": status, "limit": limit, "cursor": cursor}, accept="text/csv", min_seq=min_seq))

    def complete_refund(self, refund: str, body: Optional["CompleteRefundBody"] = None) -> "RefundDue":
        """Mark a refund due as paid back.

        Without an `amount`, the full amount was paid back; if the amount has ever changed, `amount` is required. A withdrawn refund can be marked too, if it was already paid. Repeating the call returns the same response."""
        return cast("RefundDue", self.call("POST", f"/v1/refunds-due/{segment(refund)}/done", body=body or {}))

    def list_check_ins(self, *, event: str, since: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None, min_seq: Optional[int] = None) -> "DoorTicketPage":
        """List the tickets of an event that were used, are void or have moved.

        For a door that may lose its network, in the order of their last change. May lag behind by a moment. An undone check-in is listed as `out`, so that a door that follows with `since` learns that the ticket can be used again."""
        return cast("DoorTicketPage", self.call("GET", "/v1/check-ins", query={"event": event, "since": since, "limit": limit, "cursor": cursor}, min_seq=min_seq))

    def check_in(self, body: "CheckInBody") -> "CheckIn":
        """Check a ticket in, undo that, or upload a scan.

        Once per ticket, no matter how many scanners try. With a `nonce` it is safe to retry: the answer is the same as long as that check-in is the ticket's last. A scan made offline is uploaded with `scanned_at` and always recorded; its `result` is the answer that the scanner should have given."""
        return cast("CheckIn", self.call("POST", "/v1/check-ins", body=body))

    def get_ticket_keys(self) -> "JwkSet":
        """Get the public keys that verify signed tickets.

        A JWK set (RFC 7517, RFC 8037). The first key signs; the others have signed before."""
        return cast("JwkSet", self.call("GET", "/v1/tickets/key"))

    def get_ticket_svg(self, ticket: str) -> str:
        """Get a ticket as a QR code, as SVG.

        Needs no other credentials than the code. The QR code contains the current signed form of the ticket."""
        return cast("str", self.call("GET", f"/v1/tickets/{segment(ticket)}.svg"))

    def get_ticket_png(self, ticket: str) -> bytes:
        """Get a ticket as a QR code, as PNG.

        Like the SVG, with eight pixels per module."""
        return cast("bytes", self.call("GET", f"/v1/tickets/{segment(ticket)}.png"))

    def get_sales_report(self, *, event: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None, min_seq: Optional[int] = None) -> "SalesRowPage":
        """Report sales.

        By the day of the sale and by event and tier, pool, or calendar and service; items refunded or cancelled since are counted separately. Days are in UTC. Always one page; more than 50,000 rows: 400. May lag by a moment; 503 if it takes more than 30 s. For CSV send `Accept: text/csv`."""
        return cast("SalesRowPage", self.call("GET", "/v1/reports/sales", query={"event": event, "from": from_, "to": to}, min_seq=min_seq))

    def get_sales_report_csv(self, *, event: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None, min_seq: Optional[int] = None) -> str:
        """Report sales.

        By the day of the sale and by event and tier, pool, or calendar and service; items refunded or cancelled since are counted separately. Days are in UTC. Always one page; more than 50,000 rows: 400. May lag by a moment; 503 if it takes more than 30 s. For CSV send `Accept: text/csv`."""
        return cast("str", self.call("GET", "/v1/reports/sales", query={"event": event, "from": from_, "to": to}, accept="text/csv", min_seq=min_seq))

    def get_money_report(self, *, from_: Optional[str] = None, to: Optional[str] = None, timezone: Optional[str] = None, min_seq: Optional[int] = None) -> "MoneyRowPage":
        """Report changes in the ledger.

        By day and currency: how the amounts received, kept, returned and owed changed. Past days never change, and the totals over all days equal those of the payments. Always one page; more than 50,000 rows: 400. For CSV send `Accept: text/csv`."""
        return cast("MoneyRowPage", self.call("GET", "/v1/reports/money", query={"from": from_, "to": to, "timezone": timezone}, min_seq=min_seq))

    def get_money_report_csv(self, *, from_: Optional[str] = None, to: Optional[str] = None, timezone: Optional[str] = None, min_seq: Optional[int] = None) -> str:
        """Report changes in the ledger.

        By day and currency: how the amounts received, kept, returned and owed changed. Past days never change, and the totals over all days equal those of the payments. Always one page; more than 50,000 rows: 400. For CSV send `Accept: text/csv`."""
        return cast("str", self.call("GET", "/v1/reports/money", query={"from": from_, "to": to, "timezone": timezone}, accept="text/csv", min_seq=min_seq))

    def get_abandoned_report(self, *, event: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None, min_seq: Optional[int] = None) -> "AbandonedRowPage":
        """Report abandoned checkouts.

        Holds that expired or were released: when, how far they got, how long they were held, and their items. Days are in UTC. Always one page; more than 50,000 rows: 400. May lag by a moment; 503 if it takes more than 30 s. For CSV send `Accept: text/csv`."""
        return cast("AbandonedRowPage", self.call("GET", "/v1/reports/abandoned", query={"event": event, "from": from_, "to": to}, min_seq=min_seq))

    def get_abandoned_report_csv(self, *, event: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None, min_seq: Optional[int] = None) -> str:
        """Report abandoned checkouts.

        Holds that expired or were released: when, how far they got, how long they were held, and their items. Days are in UTC. Always one page; more than 50,000 rows: 400. May lag by a moment; 503 if it takes more than 30 s. For CSV send `Accept: text/csv`."""
        return cast("str", self.call("GET", "/v1/reports/abandoned", query={"event": event, "from": from_, "to": to}, accept="text/csv", min_seq=min_seq))

    def get_funnel_report(self, *, event: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None, min_seq: Optional[int] = None) -> "FunnelRowPage":
        """Report how far reservations got.

        Of those created on each day: held, paying, confirmed, late, refunded. A reservation with items of several rows counts in each. Days are in UTC. Always one page; more than 50,000 rows: 400. May lag by a moment; 503 if it takes more than 30 s. For CSV send `Accept: text/csv`."""
        return cast("FunnelRowPage", self.call("GET", "/v1/reports/funnel", query={"event": event, "from": from_, "to": to}, min_seq=min_seq))

    def get_funnel_report_csv(self, *, event: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None, min_seq: Optional[int] = None) -> str:
        """Report how far reservations got.

        Of those created on each day: held, paying, confirmed, late, refunded. A reservation with items of several rows counts in each. Days are in UTC. Always one page; more than 50,000 rows: 400. May lag by a moment; 503 if it takes more than 30 s. For CSV send `Accept: text/csv`."""
        return cast("str", self.call("GET", "/v1/reports/funnel", query={"event": event, "from": from_, "to": to}, accept="text/csv", min_seq=min_seq))

    def get_ttl_advice(self, event: str, *, min_seq: Optional[int] = None) -> "TtlAdvice":
        """Get a recommended hold TTL for an event.

        Based on the last 10,000 payments for holds of the last 30 days, including late ones, so that a TTL that is too short shows. Changes nothing: set `hold_ttl_seconds` yourself. May lag behind by a moment."""
        return cast("TtlAdvice", self.call("GET", f"/v1/events/{segment(event)}/ttl-advice", min_seq=min_seq))

    def list_audit_entries(self, *, from_: Optional[str] = None, to: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None, min_seq: Optional[int] = None) -> "AuditEntryPage":
        """List who changed the catalogue, keys and hooks.

        Newest first. Changes of reservations are in their own history. Kept as long as that history. May lag behind by a moment."""
        return cast("AuditEntryPage", self.call("GET", "/v1/audit", query={"from": from_, "to": to, "limit": limit, "cursor": cursor}, min_seq=min_seq))

    def export_user(self, user: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, min_seq: Optional[int] = None) -> "Person":
        """Export all data about a person.

        Reservations as an app sees them, newest first, each with its history, refunds due and payments; the first page also has entries of waiting rooms and lists, and reservations given to others. May take several pages. May lag behind by a moment."""
        return cast("Person", self.call("GET", f"/v1/users/{segment(user)}/export", query={"limit": limit, "cursor": cursor}, min_seq=min_seq))

    def erase_user(self, user: str) -> "Erasure":
        """Erase a person's data. Sales stay.

        The user id becomes `erased_…`, a random name, everywhere. Reservations lose their attributes, manage tokens are revoked, entries of waiting rooms and lists end, and the words are removed from search. Tickets stay valid; items, amounts and payments stay. Refused while anything is held. Cannot be undone."""
        return cast("Erasure", self.call("DELETE", f"/v1/users/{segment(user)}"))

    def get_erasure(self, user: str, *, min_seq: Optional[int] = None) -> "Erasure":
        """Get the progress of a person's last erasure.

        By the user id that was erased. `done`: neither the book nor any segment of the journal contains it any more. Earlier backups still do."""
        return cast("Erasure", self.call("GET", f"/v1/users/{segment(user)}/erasure", min_seq=min_seq))

    def list_keys(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> "KeyPage":
        """List keys by name.

        The keys themselves are not included."""
        return cast("KeyPage", self.call("GET", "/v1/keys", query={"limit": limit, "cursor": cursor}))

    def create_key(self, body: "CreateKeyBody") -> "NewKey":
        """Create an app or door key. It is shown once.

        Save the key: only its hash is stored."""
        return cast("NewKey", self.call("POST", "/v1/keys", body=body))

    def rotate_key(self, name: str, body: Optional["RotateKeyBody"] = None) -> "RotatedKey":
        """Rotate a key. The old value stays valid for a while.

        Rotating again while two values are valid ends the older one at once."""
        return cast("RotatedKey", self.call("POST", f"/v1/keys/{segment(name)}/rotate", body=body or {}))

    def delete_key(self, name: str) -> None:
        """Delete a key.

        It stops working immediately."""
        return self.call("DELETE", f"/v1/keys/{segment(name)}")

    def create_session(self, body: Optional["CreateSessionBody"] = None) -> "Session":
        """Create a guest token, or renew one, for a day.

        For browsers without an account. With a valid guest token the same guest gets a new token; any other user token is refused. The operator can turn guests off (`--guests off`)."""
        return cast("Session", self.call("POST", "/v1/sessions", body=body or {}))

    def list_hooks(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> "HookPage":
        """List webhooks by name.

        Their secrets are never shown."""
        return cast("HookPage", self.call("GET", "/v1/hooks", query={"limit": limit, "cursor": cursor}))

    def get_hook(self, hook: str) -> "Hook":
        """Get a webhook.

        Its secret is never shown."""
        return cast("Hook", self.call("GET", f"/v1/hooks/{segment(hook)}"))

    def put_hook(self, hook: str, body: "PutHookBody") -> "Hook":
        """Create or replace an outgoing webhook.

        Messages follow Standard Webhooks: a POST of `{type, timestamp, data}`, where data is the reservation as an app sees it, signed in `webhook-signature`. Delivered at least once, in order for each reservation; retried with growing pauses for a day. A replaced secret also signs for a day. Private addresses are refused at every connection unless the operator allows them (`--hooks-private`); redirects are not followed."""
        return cast("Hook", self.call("PUT", f"/v1/hooks/{segment(hook)}", body=body))

    def delete_hook(self, hook: str) -> None:
        """Delete a webhook.

        Nothing more is sent to it, and its messages are deleted."""
        return self.call("DELETE", f"/v1/hooks/{segment(hook)}")

    def list_dead_messages(self, hook: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> "DeadMessagePage":
        """List the messages that could not be delivered.

        Oldest first; given up after a day of attempts. Kept as long as the history."""
        return cast("DeadMessagePage", self.call("GET", f"/v1/hooks/{segment(hook)}/messages", query={"limit": limit, "cursor": cursor}))

    def resend_messages(self, hook: str, body: Optional["ResendMessagesBody"] = None) -> "Resent":
        """Resend messages that could not be delivered.

        All of them, or those that the body names; at most 1024 per call."""
        return cast("Resent", self.call("POST", f"/v1/hooks/{segment(hook)}/resend", body=body or {}))

    def list_nodes(self) -> "NodePage":
        """List the nodes of this site, with their roles.

        What the node that answers knows. With a shared log each node writes a row every second, or every few: a node whose `seen_at` is older does not run, or does not reach the log. Without one there is one node."""
        return cast("NodePage", self.call("GET", "/v1/nodes"))

    def get_health(self) -> "Health":
        """Check that the process is alive.

        For supervisors: restart the process if it does not respond."""
        return cast("Health", self.call("GET", "/healthz"))

    def get_readiness(self) -> "Readiness":
        """Check that new holds are accepted.

        For load balancers: do not send holds here while it returns 503. A node that follows another is ready while it can pass them on."""
        return cast("Readiness", self.call("GET", "/readyz"))

    def get_metrics(self) -> str:
        """Get metrics in Prometheus text format.

        For Prometheus to scrape."""
        return cast("str", self.call("GET", "/metrics"))

    def get_openapi(self) -> "OpenapiDocument":
        """Get this OpenAPI description.

        Generated from the tables that validate requests."""
        return cast("OpenapiDocument", self.call("GET", "/openapi.json"))
