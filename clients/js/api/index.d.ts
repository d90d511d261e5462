/* SPDX-License-Identifier: Apache-2.0 */
/* Made from the description of the API by clients/generate. */
import { Holdfast as Client, type CallOptions, type FollowOptions, type StreamEvent } from '../src/client.js';
import type { Page, ProblemCode, AbandonedRow, AuditEntry, Availability, AvailabilityMap, AvailabilityPool, AvailabilitySeats, BestSeats, Calendar, CalendarChanged, CheckIn, ClosedInterval, Code, CodeImportResult, ConfirmedReservation, DeadMessage, DoorTicket, Draw, Driver, DriverOffer, DriverPosition, EndedReservation, Erasure, Event, EventCancel, EventCounts, Fleet, FleetAssignment, FleetCell, FleetOverview, FleetRides, FleetWeights, FunnelRefusal, FunnelRow, Group, Health, HeldReservation, HistoryRefund, Hook, Item, ItemChange, Jwk, JwkSet, Key, Layout, LayoutSeat, ListEntry, Money, MoneyRow, NewKey, Node, Obstacle, OfferEnded, OpenapiDocument, OpeningHours, OwnerChange, Payment, PaymentAmount, PaymentEvent, PaymentProvider, PaymentResult, PaymentRow, PaymentRowEvent, PaymentShown, Person, PersonDriver, PersonEntry, PersonGift, PersonOffer, PersonReservation, PersonRide, Point, Pool, PoolChanged, PoolCounts, PoolItem, PoolTicket, PositionsResult, ProblemBody, Queue, QueueAdmin, QueueEntry, QueuePublic, Readiness, RefundAmount, RefundDue, RefundResult, Resent, Reservation, ReservationChange, ReturnedReservation, Ride, RideDriver, RideOffer, RotatedKey, SalesRow, Seat, SeatBlockResult, SeatChanged, SeatImportResult, SeatItem, SeatRemoveResult, SeatTicket, Service, Session, Slot, SlotItem, SlotTicket, StreamReset, Ticket, TotalChange, Transfer, TransferredReservation, TtlAdvice, UsedTicket, WaitingRoom, WhatChanged, MarkSeats, MarkAllotment, HoldItems, HoldResource, SeatRequest, PoolRequest, BestRequest, SlotRequest, ServiceRequest, GroupRequest, GroupServiceRequest, AddItems, AddSeat, AddPool, AddBest, AddSlot, AddService, AddGroup, AddGroupService, MoveToSeat, MoveToTime, SetQuantity, SetCategory, SetAttributes, ReservationHeldMessage, ReservationExpiringMessage, ReservationConfirmedMessage, ReservationReleasedMessage, ReservationExpiredMessage, ReservationCancelledMessage, ReservationRefundedMessage, ReservationTransferredMessage, RefundDueMessage, ListOfferedMessage, RideAssignedMessage, RefundWithdrawnMessage, PaymentDiscrepancyMessage, PutEventBody, UpdateEventBody, CancelEventBody, ImportSeatsBody, UpdateSeatsBody, DeleteSeatsBody, PutPoolBody, ImportCodesBody, JoinQueueBody, UpdateQueueBody, JoinWaitingListBody, PutCalendarBody, UpdateCalendarBody, PutGroupBody, CreateReservationBody, UpdateReservationBody, DeleteReservationBody, ReleaseReservationBody, AddItemsBody, UpdateItemBody, RemoveItemBody, ExtendReservationBody, StartPaymentBody, CommitReservationBody, TransferReservationBody, CancelReservationBody, RefundReservationBody, RevokeManageTokensBody, PutFleetBody, PutDriverBody, UpdatePositionsBody, CreateRideBody, CancelRideBody, CompleteRideBody, DriverCancelRideBody, AcceptOfferBody, DeclineOfferBody, PutPaymentProviderBody, ReceivePaymentEventBody, CompleteRefundBody, CheckInBody, CreateKeyBody, RotateKeyBody, CreateSessionBody, PutHookBody, ResendMessagesBody, ListEventsQuery, ListPoolsQuery, ListCodesQuery, GetAvailabilityQuery, GetQueueEntryQuery, LeaveQueueQuery, StreamQueueEntryQuery, ListWaitingListQuery, GetWaitingListEntryQuery, LeaveWaitingListQuery, ListCalendarsQuery, ListSlotsQuery, ExportBookingsQuery, ListGroupsQuery, ListGroupSlotsQuery, ListReservationsQuery, CreateReservationQuery, GetReservationQuery, UpdateReservationQuery, DeleteReservationQuery, ReleaseReservationQuery, AddItemsQuery, UpdateItemQuery, RemoveItemQuery, ExtendReservationQuery, StartPaymentQuery, CommitReservationQuery, TransferReservationQuery, CancelReservationQuery, RefundReservationQuery, RevokeManageTokensQuery, ListReservationHistoryQuery, ListFleetsQuery, ListDriversQuery, ListRidesQuery, ListPaymentsQuery, ListPaymentEventsQuery, ListRefundsDueQuery, ListCheckInsQuery, GetSalesReportQuery, GetMoneyReportQuery, GetAbandonedReportQuery, GetFunnelReportQuery, ListAuditEntriesQuery, ExportUserQuery, ListKeysQuery, ListHooksQuery, ListDeadMessagesQuery, HookMessage } from './types.js';

export * from './types.js';
export { Clock, type CallOptions, type FollowOptions, type HoldfastOptions, type Item, type StreamEvent } from '../src/client.js';
export * from '../src/problem.js';

export class Holdfast extends Client {
    /** List events. Ordered by id. */
    listEvents(query?: ListEventsQuery, options?: CallOptions): Promise<Page<Event>>;
    /** Get an event, with its settings and counts. Reflects every change acknowledged so far. */
    getEvent(event: string, options?: CallOptions): Promise<Event>;
    /** Create or replace an event. Replaces the whole record: an omitted field gets its default, including `waiting_room` and `waiting_list`. Changes affect new holds only. */
    putEvent(event: string, body: PutEventBody, options?: CallOptions): Promise<Event>;
    /** Change some settings of an event. A JSON merge patch (RFC 7396) of the record as GET shows it: omitted fields stay, null sets the default, objects merge, lists replace. Concurrent patches of different fields all take effect. `preset` and `copy_seats_from` need a PUT. */
    updateEvent(event: string, body?: UpdateEventBody, options?: CallOptions): Promise<Event>;
    /** Delete an event without live claims. Refused while any of it is held or sold. */
    deleteEvent(event: string, options?: CallOptions): Promise<null>;
    /** Get the progress of an event's cancellation. Reflects every change acknowledged so far. */
    getEventCancellation(event: string, options?: CallOptions): Promise<EventCancel>;
    /** Cancel an event: end its holds and refund its sales. Immediately nothing can be held, and its waiting room and list are closed; this cannot be undone. Then, step by step, holds end, sales are refunded, reservations with other items lose those of this event, and entries of the waiting room and list end. Repeating the call returns the progress. */
    cancelEvent(event: string, body?: CancelEventBody, options?: CallOptions): Promise<EventCancel>;
    /** Get the layout: the static data of every seat. Changes only with imports: cache it by its ETag. */
    getLayout(event: string, options?: CallOptions): Promise<Layout>;
    /** Add or update seats: a JSON array, or CSV with a header line. All or nothing. Existing seats are updated; an omitted column or field keeps its value. CSV follows RFC 4180, with columns in any order. */
    importSeats(event: string, body: ImportSeatsBody | string, options?: CallOptions): Promise<SeatImportResult>;
    /** Take seats off sale, put them back, or move them between allotments. With `ids` all or nothing: refused if one of them is claimed. With `allotment`, claimed seats are skipped and follow when they become available. */
    updateSeats(event: string, body: UpdateSeatsBody, options?: CallOptions): Promise<SeatBlockResult>;
    /** Remove seats. All or nothing: refused if one of them is claimed. A removed id can be imported again, as a new seat. */
    deleteSeats(event: string, body: DeleteSeatsBody, options?: CallOptions): Promise<SeatRemoveResult>;
    /** Get a seat and its status. The ETag is the seat's version: with If-Match a hold by `resource_id` is granted only if the seat has not changed since. */
    getSeat(event: string, seat: string, options?: CallOptions): Promise<Seat>;
    /** Get a pool, with its price and availability. Reflects every change acknowledged so far. */
    getPool(event: string, pool: string, options?: CallOptions): Promise<Pool>;
    /** Create or replace a pool. Replaces the whole record. The capacity cannot drop below the claimed units. */
    putPool(event: string, pool: string, body: PutPoolBody, options?: CallOptions): Promise<Pool>;
    /** List the pools of an event. Oldest first. */
    listPools(event: string, query?: ListPoolsQuery, options?: CallOptions): Promise<Page<Pool>>;
    /** List the codes of an event, with the use of each. In import order. */
    listCodes(event: string, query?: ListCodesQuery, options?: CallOptions): Promise<Page<Code>>;
    /** Add or update codes: a JSON array, or CSV with a header line. If any line is invalid, nothing changes. Replaces the record of each existing code; its `used` stays. In CSV, tiers are separated by semicolons or spaces. Large imports are applied 1,000 codes at a time. */
    importCodes(event: string, body: ImportCodesBody | string, options?: CallOptions): Promise<CodeImportResult>;
    /** Delete a code. It is no longer valid for new claims. Existing claims stay, and count again if the code is added again. */
    deleteCode(event: string, code: string, options?: CallOptions): Promise<null>;
    /** Get availability, in full or since a version. With `since`, only the changes, if they are still known; `full` shows which it is. With `format=map`, one letter per seat. */
    getAvailability(event: string, query?: GetAvailabilityQuery, options?: CallOptions): Promise<Availability>;
    /** Stream changes of seats and pools. Server-sent events; the id is the version. Without a Last-Event-ID, or if it is too old, the stream starts with `reset`: get the availability, then follow. A comment is sent every 15 seconds. */
    streamEvent(event: string, options: FollowOptions<StreamEvent<StreamReset, "reset"> | StreamEvent<SeatChanged, "seat"> | StreamEvent<PoolChanged, "pool">>): Promise<void>;
    /** Get the progress of the waiting room; for admins, with all details. The same response for all callers, updated at most five times a second. */
    getQueue(event: string, options?: CallOptions): Promise<Queue>;
    /** Join the waiting room. One live entry per user: joining again returns 200 and the same entry. */
    joinQueue(event: string, body?: JoinQueueBody, options?: CallOptions): Promise<QueueEntry>;
    /** Control a waiting room: pace, pause, opening. Takes effect immediately. Omitted fields stay unchanged. */
    updateQueue(event: string, body?: UpdateQueueBody, options?: CallOptions): Promise<QueueAdmin>;
    /** Get a waiting room entry. Polling it shows that its owner is present. Poll every `poll_after_seconds`; otherwise the entry is passed over when its turn comes. Once admitted, it has a `pass`. */
    getQueueEntry(event: string, entry: string, query?: GetQueueEntryQuery, options?: CallOptions): Promise<QueueEntry>;
    /** Leave a waiting room. An admitted entry gives its place to the next one. An entry that has ended is left unchanged. */
    leaveQueue(event: string, entry: string, query?: LeaveQueueQuery, options?: CallOptions): Promise<QueueEntry>;
    /** Stream a waiting room entry. Server-sent events, each with the whole entry, at most 15 seconds apart. The stream ends when the entry is finished or left. */
    streamQueueEntry(event: string, entry: string, options: FollowOptions<StreamEvent<QueueEntry, "entry">>): Promise<void>;
    /** List the entries of a waiting list in the order they joined. May lag behind by a moment. */
    listWaitingList(event: string, query?: ListWaitingListQuery, options?: CallOptions): Promise<Page<ListEntry>>;
    /** Join the waiting list. One live entry per user: joining again returns 200 and the same entry. If the event has a waiting room, users are refused while what they want is still available. */
    joinWaitingList(event: string, body: JoinWaitingListBody, options?: CallOptions): Promise<ListEntry>;
    /** Get a waiting list entry. Once offered, it has a `reservation_id`: commit that reservation before its deadline. */
    getWaitingListEntry(event: string, entry: string, query?: GetWaitingListEntryQuery, options?: CallOptions): Promise<ListEntry>;
    /** Leave a waiting list, or decline its offer. Also releases the reservation of an offer. */
    leaveWaitingList(event: string, entry: string, query?: LeaveWaitingListQuery, options?: CallOptions): Promise<ListEntry>;
    /** List calendars. Ordered by id. */
    listCalendars(query?: ListCalendarsQuery, options?: CallOptions): Promise<Page<Calendar>>;
    /** Get a calendar. Reflects every change acknowledged so far. */
    getCalendar(calendar: string, options?: CallOptions): Promise<Calendar>;
    /** Create or replace a calendar. Replaces the whole record: an omitted field gets its default. Changes affect new claims only. */
    putCalendar(calendar: string, body: PutCalendarBody, options?: CallOptions): Promise<Calendar>;
    /** Change some settings of a calendar. A JSON merge patch (RFC 7396) of the record as GET shows it: omitted fields stay, null sets the default, objects merge, lists replace. Concurrent patches of different fields all take effect. Changes affect new claims only. */
    updateCalendar(calendar: string, body?: UpdateCalendarBody, options?: CallOptions): Promise<Calendar>;
    /** Delete a calendar without current or future claims. Refused while any time on it, including buffers, is held or sold. Past reservations keep their items, which can no longer move. */
    deleteCalendar(calendar: string, options?: CallOptions): Promise<null>;
    /** List available slots. The slots that can be claimed right now, over at most 62 days. A page may be short or empty and still have a next page. */
    listSlots(calendar: string, query?: ListSlotsQuery, options?: CallOptions): Promise<Page<Slot>>;
    /** Stream changes of available time. Server-sent events; the id is the version. `changed` says that slots which overlap [`from`, `to`) may have changed; changed settings affect all future slots. Without a Last-Event-ID, or if it is too old, the stream starts with `reset`: list the slots, then follow. A comment is sent every 15 seconds. */
    streamCalendar(calendar: string, options: FollowOptions<StreamEvent<StreamReset, "reset"> | StreamEvent<CalendarChanged, "changed">>): Promise<void>;
    /** Get confirmed bookings as iCalendar. One VEVENT per confirmed slot, in order of time. `from` and `to` select the bookings that overlap that interval. */
    exportBookings(calendar: string, query?: ExportBookingsQuery, options?: CallOptions): Promise<string>;
    /** List groups of calendars. In the order in which they were first created. */
    listGroups(query?: ListGroupsQuery, options?: CallOptions): Promise<Page<Group>>;
    /** Get a group of calendars. Reflects every change acknowledged so far. */
    getGroup(group: string, options?: CallOptions): Promise<Group>;
    /** Create or replace a group of calendars. Calendars that are interchangeable: any doctor, a table for four. Replaces the whole record. Claims made through the group stay on their calendars. */
    putGroup(group: string, body: PutGroupBody, options?: CallOptions): Promise<Group>;
    /** Remove a group of calendars. Its calendars stay, and so do claims made through it. */
    deleteGroup(group: string, options?: CallOptions): Promise<null>;
    /** List available slots of a group. As for a calendar; `available` counts the free calendars. Slots that begin at the same time are on one page, which may therefore be longer than `limit`. */
    listGroupSlots(group: string, query?: ListGroupSlotsQuery, options?: CallOptions): Promise<Page<Slot>>;
    /** List reservations, newest first. Users see only their own. May lag behind by a moment. App and admin keys can get CSV, one row per item: send `Accept: text/csv`; the next cursor is then in the header `Holdfast-Next-Cursor`. */
    listReservations(query?: ListReservationsQuery, options?: CallOptions): Promise<Page<Reservation>>;
    /** List reservations, newest first. Users see only their own. May lag behind by a moment. App and admin keys can get CSV, one row per item: send `Accept: text/csv`; the next cursor is then in the header `Holdfast-Next-Cursor`. */
    listReservationsCsv(query?: ListReservationsQuery, options?: CallOptions): Promise<string>;
    /** Hold seats, pool units and slots: all or nothing. The hold lasts as long as the event or calendar allows. A refusal lists all items that are not available. With an Idempotency-Key it is safe to retry. */
    createReservation(body: CreateReservationBody, options?: CallOptions): Promise<Reservation>;
    /** Get a reservation. A user token gets 404 for other users' reservations. */
    getReservation(id: string, query?: GetReservationQuery, options?: CallOptions): Promise<Reservation>;
    /** Replace the attributes. Replaces the whole object. */
    updateReservation(id: string, body: UpdateReservationBody, options?: CallOptions): Promise<Reservation>;
    /** Release a hold. Its items are available again immediately. Repeating the call returns the same response. */
    deleteReservation(id: string, body?: DeleteReservationBody, options?: CallOptions): Promise<EndedReservation>;
    /** Release a hold. Its items are available again immediately. Repeating the call returns the same response. */
    releaseReservation(id: string, body?: ReleaseReservationBody, options?: CallOptions): Promise<EndedReservation>;
    /** Add items to a hold. All or nothing. Items that the hold already has are skipped; if that is all, the response is 200 and nothing changes. The deadline never moves later: an item with a shorter TTL moves it earlier. */
    addItems(id: string, body: AddItemsBody, options?: CallOptions): Promise<Reservation>;
    /** Change an item: seat, time, quantity, category or attributes. The old seat or time is released only if the new one is granted. The tickets of a confirmed reservation stay valid. */
    updateItem(id: string, item_id: string, body: UpdateItemBody, options?: CallOptions): Promise<Reservation>;
    /** Remove an item. Removing the last one releases the hold. The seat, units or slot are available again immediately. */
    removeItem(id: string, item_id: string, body?: RemoveItemBody, options?: CallOptions): Promise<Reservation>;
    /** Extend a hold. Sets the deadline to now plus the TTL, at most `max_expires_at`, and never earlier than before. */
    extendReservation(id: string, body?: ExtendReservationBody, options?: CallOptions): Promise<HeldReservation>;
    /** Start the payment. Extends the deadline to now plus `payment_ttl_seconds`; from then on the items cannot change. A `payment_ref` from an app or admin key is recorded as started, not as paid. Repeating the call returns the same response. */
    startPayment(id: string, body?: StartPaymentBody, options?: CallOptions): Promise<HeldReservation>;
    /** Confirm a hold. Does not charge a payment. If payment is required, only app and admin keys can confirm, and with a `payment_ref` only if the payment covers the total. If the commit is refused, the amount paid is owed: `refund_due`. On a confirmed reservation another `payment_ref` pays the balance. Repeating the call returns the same response. */
    commitReservation(id: string, body?: CommitReservationBody, options?: CallOptions): Promise<ConfirmedReservation>;
    /** Transfer a confirmed reservation to another user. Its ticket codes and manage tokens are replaced; earlier ones are void. Attributes of the reservation and its items are cleared unless an app or admin key sets `keep_attributes`. Only app and admin keys get the whole reservation in the response; for the old owner it no longer exists. */
    transferReservation(id: string, body: TransferReservationBody, options?: CallOptions): Promise<Transfer>;
    /** Cancel a confirmed reservation. By its owner, while every item allows it (`cancel_until_seconds` of events, `cancel_until_minutes` of calendars). Its items are available again immediately; a recorded payment becomes a refund due. App and admin keys get 403: they refund instead. Repeating the call returns the same response. */
    cancelReservation(id: string, body?: CancelReservationBody, options?: CallOptions): Promise<ReturnedReservation>;
    /** Refund a confirmed reservation, or some of its items. The items are available again immediately, and their tickets are void. Holdfast moves no money: for a recorded payment their prices become a refund due, unless `paid_back`. Repeating the call returns the same response. */
    refundReservation(id: string, body?: RefundReservationBody, options?: CallOptions): Promise<RefundResult>;
    /** Revoke all manage tokens of a reservation. New ones can be issued at any time. */
    revokeManageTokens(id: string, body?: RevokeManageTokensBody, options?: CallOptions): Promise<null>;
    /** Get the history of a reservation. Oldest first. May lag behind by a moment. After a transfer the new owner sees only what happened since. */
    listReservationHistory(id: string, query?: ListReservationHistoryQuery, options?: CallOptions): Promise<Page<ReservationChange>>;
    /** List fleets. Ordered by id. */
    listFleets(query?: ListFleetsQuery, options?: CallOptions): Promise<Page<Fleet>>;
    /** Get a fleet. Its settings. */
    getFleet(fleet: string, options?: CallOptions): Promise<Fleet>;
    /** Create or replace a fleet. Replaces the whole record: an omitted field gets its default. Changes affect new offers only. The resolution cannot change while there are drivers or rides. */
    putFleet(fleet: string, body?: PutFleetBody, options?: CallOptions): Promise<Fleet>;
    /** Delete a fleet without live rides. Also deletes its drivers and past rides. */
    deleteFleet(fleet: string, options?: CallOptions): Promise<null>;
    /** Get an overview of a fleet. Drivers by cell, rides by status, and how long rides waited for a driver. Figures over time are counted since the server started. */
    getFleetOverview(fleet: string, options?: CallOptions): Promise<FleetOverview>;
    /** List the drivers of a fleet. In no particular order. A page may be short: `next_cursor` shows whether there are more. */
    listDrivers(fleet: string, query?: ListDriversQuery, options?: CallOptions): Promise<Page<Driver>>;
    /** Get a driver. A user token can only get its own record. */
    getDriver(fleet: string, driver: string, options?: CallOptions): Promise<Driver>;
    /** Create a driver, or report its position. App and admin keys create drivers and set `rating` and `types`. A user token whose `sub` is the driver may then send the other fields. Counts as a sign of presence. `available: false` withdraws a live offer immediately. */
    putDriver(fleet: string, driver: string, body: PutDriverBody, options?: CallOptions): Promise<Driver>;
    /** Delete a driver. A live offer is withdrawn immediately. A ride in progress continues, but no offers follow. */
    deleteDriver(fleet: string, driver: string, options?: CallOptions): Promise<null>;
    /** Report the positions of many drivers. All or nothing: one invalid entry and nothing changes. If a driver occurs twice, the last entry counts. Positions are not stored: after a restart a driver gets no offers until its next position. */
    updatePositions(fleet: string, body: UpdatePositionsBody, options?: CallOptions): Promise<PositionsResult>;
    /** Get the live offer of a driver. Without one: 204. */
    getDriverOffer(fleet: string, driver: string, options?: CallOptions): Promise<DriverOffer | null>;
    /** Stream the offers of a driver. Server-sent events: `offer` when one is made, `offer_ended` when it ends. Without a Last-Event-ID, or if it is too old, the stream starts with `reset`, followed by the live offer if there is one. A comment is sent every 15 seconds. An open stream does not count as presence. */
    streamDriver(fleet: string, driver: string, options: FollowOptions<StreamEvent<StreamReset, "reset"> | StreamEvent<DriverOffer, "offer"> | StreamEvent<OfferEnded, "offer_ended">>): Promise<void>;
    /** List rides. Newest first. A user token sees the rides it requested, or with `driver_id` those it drives. May lag behind by a moment, except for the drivers' positions. */
    listRides(fleet: string, query?: ListRidesQuery, options?: CallOptions): Promise<Page<Ride>>;
    /** Request a ride. It is offered to one driver at a time, best first. Each driver is asked at most three times. The search ends when one accepts, after `search_seconds`, or after 1,000 offers. */
    createRide(fleet: string, body: CreateRideBody, options?: CallOptions): Promise<Ride>;
    /** Get a ride, with all its offers. For its rider, its driver, the driver it is offered to, and app and admin keys. Others get 404. */
    getRide(fleet: string, ride: string, options?: CallOptions): Promise<Ride>;
    /** Stream the changes of a ride. Server-sent events: `ride`, the whole ride, at each change; `driver`, at most once a second while it is assigned. Without a Last-Event-ID, or with one of another stream, the stream starts with `reset` and the current ride. It ends with the ride. A comment is sent every 15 seconds. */
    streamRide(fleet: string, ride: string, options: FollowOptions<StreamEvent<StreamReset, "reset"> | StreamEvent<Ride, "ride"> | StreamEvent<DriverPosition, "driver">>): Promise<void>;
    /** Cancel a ride. By its rider. A live offer is withdrawn, an assigned driver becomes free. Repeating the call returns the same response. */
    cancelRide(fleet: string, ride: string, body?: CancelRideBody, options?: CallOptions): Promise<Ride>;
    /** Complete a ride. By its driver, who becomes free. Repeating the call returns the same response. */
    completeRide(fleet: string, ride: string, body?: CompleteRideBody, options?: CallOptions): Promise<Ride>;
    /** Give a ride back. By its driver. The search continues without that driver, for another `search_seconds`. Repeating the call returns the current ride. */
    driverCancelRide(fleet: string, ride: string, body?: DriverCancelRideBody, options?: CallOptions): Promise<Ride>;
    /** Accept an offer. By its driver, before it expires. Repeating the call returns the same response. */
    acceptOffer(fleet: string, offer: string, body?: AcceptOfferBody, options?: CallOptions): Promise<Ride>;
    /** Decline an offer. By its driver, who is not offered this ride again. For an offer that was declined or has timed out: the same response. */
    declineOffer(fleet: string, offer: string, body?: DeclineOfferBody, options?: CallOptions): Promise<Ride>;
    /** Set the payment provider. The provider whose events `POST /v1/webhooks/payments` accepts, and the secret that signs them: the signing secret of the Stripe endpoint, or `whsec_` and base64 for Standard Webhooks. The previous secret stays valid for a day. */
    putPaymentProvider(body: PutPaymentProviderBody, options?: CallOptions): Promise<PaymentProvider>;
    /** Receive a payment event. For the payment provider. Events as Stripe sends them, signed in `Stripe-Signature`, or by Standard Webhooks in `webhook-id`, `webhook-timestamp` and `webhook-signature`, not older than five minutes; otherwise 401. `payment_intent.succeeded` and `.payment_failed` name the reservation in `data.object.metadata.reservation_id`; those without it are ignored. Refunds and disputes are matched by their payment intent. Every signed event gets 200 once it is durable; repeating an event returns the same response. */
    receivePaymentEvent(body?: ReceivePaymentEventBody, options?: CallOptions): Promise<PaymentResult>;
    /** List payments. The rows of the ledger, newest first: the amounts received, kept, returned and owed of each payment. May lag behind by a moment. */
    listPayments(query?: ListPaymentsQuery, options?: CallOptions): Promise<Page<PaymentRow>>;
    /** Get a payment. Includes the provider's events about it. May lag behind by a moment. */
    getPayment(payment_ref: string, options?: CallOptions): Promise<PaymentShown>;
    /** List payment events. Oldest first: each signed event of the provider with its result, and payments that came with a refused hold. May lag behind by a moment. */
    listPaymentEvents(query?: ListPaymentEventsQuery, options?: CallOptions): Promise<Page<PaymentEvent>>;
    /** List refunds due. Oldest first; only open ones unless `status` says otherwise. The id is a safe idempotency key at the provider: the amount of an open one may change, but once any part was paid back it is done, and the remainder is another refund due. May lag behind by a moment. For CSV send `Accept: text/csv`; the next cursor is then in the header `Holdfast-Next-Cursor`. */
    listRefundsDue(query?: ListRefundsDueQuery, options?: CallOptions): Promise<Page<RefundDue>>;
    /** List refunds due. Oldest first; only open ones unless `status` says otherwise. The id is a safe idempotency key at the provider: the amount of an open one may change, but once any part was paid back it is done, and the remainder is another refund due. May lag behind by a moment. For CSV send `Accept: text/csv`; the next cursor is then in the header `Holdfast-Next-Cursor`. */
    listRefundsDueCsv(query?: ListRefundsDueQuery, options?: CallOptions): Promise<string>;
    /** Mark a refund due as paid back. Without an `amount`, the full amount was paid back; if the amount has ever changed, `amount` is required. A withdrawn refund can be marked too, if it was already paid. Repeating the call returns the same response. */
    completeRefund(refund: string, body?: CompleteRefundBody, options?: CallOptions): Promise<RefundDue>;
    /** List the tickets of an event that were used, are void or have moved. For a door that may lose its network, in the order of their last change. May lag behind by a moment. An undone check-in is listed as `out`, so that a door that follows with `since` learns that the ticket can be used again. */
    listCheckIns(query: ListCheckInsQuery, options?: CallOptions): Promise<Page<DoorTicket>>;
    /** Check a ticket in, undo that, or upload a scan. Once per ticket, no matter how many scanners try. With a `nonce` it is safe to retry: the answer is the same as long as that check-in is the ticket's last. A scan made offline is uploaded with `scanned_at` and always recorded; its `result` is the answer that the scanner should have given. */
    checkIn(body: CheckInBody, options?: CallOptions): Promise<CheckIn>;
    /** Get the public keys that verify signed tickets. A JWK set (RFC 7517, RFC 8037). The first key signs; the others have signed before. */
    getTicketKeys(options?: CallOptions): Promise<JwkSet>;
    /** Get a ticket as a QR code, as SVG. Needs no other credentials than the code. The QR code contains the current signed form of the ticket. */
    getTicketSvg(ticket: string, options?: CallOptions): Promise<string>;
    /** Get a ticket as a QR code, as PNG. Like the SVG, with eight pixels per module. */
    getTicketPng(ticket: string, options?: CallOptions): Promise<Blob>;
    /** Report sales. By the day of the sale and by event and tier, pool, or calendar and service; items refunded or cancelled since are counted separately. Days are in UTC. Always one page; more than 50,000 rows: 400. May lag by a moment; 503 if it takes more than 30 s. For CSV send `Accept: text/csv`. */
    getSalesReport(query?: GetSalesReportQuery, options?: CallOptions): Promise<Page<SalesRow>>;
    /** Report sales. By the day of the sale and by event and tier, pool, or calendar and service; items refunded or cancelled since are counted separately. Days are in UTC. Always one page; more than 50,000 rows: 400. May lag by a moment; 503 if it takes more than 30 s. For CSV send `Accept: text/csv`. */
    getSalesReportCsv(query?: GetSalesReportQuery, options?: CallOptions): Promise<string>;
    /** Report changes in the ledger. By day and currency: how the amounts received, kept, returned and owed changed. Past days never change, and the totals over all days equal those of the payments. Always one page; more than 50,000 rows: 400. For CSV send `Accept: text/csv`. */
    getMoneyReport(query?: GetMoneyReportQuery, options?: CallOptions): Promise<Page<MoneyRow>>;
    /** Report changes in the ledger. By day and currency: how the amounts received, kept, returned and owed changed. Past days never change, and the totals over all days equal those of the payments. Always one page; more than 50,000 rows: 400. For CSV send `Accept: text/csv`. */
    getMoneyReportCsv(query?: GetMoneyReportQuery, options?: CallOptions): Promise<string>;
    /** Report abandoned checkouts. Holds that expired or were released: when, how far they got, how long they were held, and their items. Days are in UTC. Always one page; more than 50,000 rows: 400. May lag by a moment; 503 if it takes more than 30 s. For CSV send `Accept: text/csv`. */
    getAbandonedReport(query?: GetAbandonedReportQuery, options?: CallOptions): Promise<Page<AbandonedRow>>;
    /** Report abandoned checkouts. Holds that expired or were released: when, how far they got, how long they were held, and their items. Days are in UTC. Always one page; more than 50,000 rows: 400. May lag by a moment; 503 if it takes more than 30 s. For CSV send `Accept: text/csv`. */
    getAbandonedReportCsv(query?: GetAbandonedReportQuery, options?: CallOptions): Promise<string>;
    /** Report how far reservations got. Of those created on each day: held, paying, confirmed, late, refunded. A reservation with items of several rows counts in each. Days are in UTC. Always one page; more than 50,000 rows: 400. May lag by a moment; 503 if it takes more than 30 s. For CSV send `Accept: text/csv`. */
    getFunnelReport(query?: GetFunnelReportQuery, options?: CallOptions): Promise<Page<FunnelRow>>;
    /** Report how far reservations got. Of those created on each day: held, paying, confirmed, late, refunded. A reservation with items of several rows counts in each. Days are in UTC. Always one page; more than 50,000 rows: 400. May lag by a moment; 503 if it takes more than 30 s. For CSV send `Accept: text/csv`. */
    getFunnelReportCsv(query?: GetFunnelReportQuery, options?: CallOptions): Promise<string>;
    /** Get a recommended hold TTL for an event. Based on the last 10,000 payments for holds of the last 30 days, including late ones, so that a TTL that is too short shows. Changes nothing: set `hold_ttl_seconds` yourself. May lag behind by a moment. */
    getTtlAdvice(event: string, options?: CallOptions): Promise<TtlAdvice>;
    /** List who changed the catalogue, keys and hooks. Newest first. Changes of reservations are in their own history. Kept as long as that history. May lag behind by a moment. */
    listAuditEntries(query?: ListAuditEntriesQuery, options?: CallOptions): Promise<Page<AuditEntry>>;
    /** Export all data about a person. Reservations as an app sees them, newest first, each with its history, refunds due and payments; the first page also has entries of waiting rooms and lists, and reservations given to others. May take several pages. May lag behind by a moment. */
    exportUser(user: string, query?: ExportUserQuery, options?: CallOptions): Promise<Person>;
    /** Erase a person's data. Sales stay. The user id becomes `erased_…`, a random name, everywhere. Reservations lose their attributes, manage tokens are revoked, entries of waiting rooms and lists end, and the words are removed from search. Tickets stay valid; items, amounts and payments stay. Refused while anything is held. Cannot be undone. */
    eraseUser(user: string, options?: CallOptions): Promise<Erasure>;
    /** Get the progress of a person's last erasure. By the user id that was erased. `done`: neither the book nor any segment of the journal contains it any more. Earlier backups still do. */
    getErasure(user: string, options?: CallOptions): Promise<Erasure>;
    /** List keys by name. The keys themselves are not included. */
    listKeys(query?: ListKeysQuery, options?: CallOptions): Promise<Page<Key>>;
    /** Create an app or door key. It is shown once. Save the key: only its hash is stored. */
    createKey(body: CreateKeyBody, options?: CallOptions): Promise<NewKey>;
    /** Rotate a key. The old value stays valid for a while. Rotating again while two values are valid ends the older one at once. */
    rotateKey(name: string, body?: RotateKeyBody, options?: CallOptions): Promise<RotatedKey>;
    /** Delete a key. It stops working immediately. */
    deleteKey(name: string, options?: CallOptions): Promise<null>;
    /** Create a guest token, or renew one, for a day. For browsers without an account. With a valid guest token the same guest gets a new token; any other user token is refused. The operator can turn guests off (`--guests off`). */
    createSession(body?: CreateSessionBody, options?: CallOptions): Promise<Session>;
    /** List webhooks by name. Their secrets are never shown. */
    listHooks(query?: ListHooksQuery, options?: CallOptions): Promise<Page<Hook>>;
    /** Get a webhook. Its secret is never shown. */
    getHook(hook: string, options?: CallOptions): Promise<Hook>;
    /** Create or replace an outgoing webhook. Messages follow Standard Webhooks: a POST of `{type, timestamp, data}`, where data is the reservation as an app sees it, signed in `webhook-signature`. Delivered at least once, in order for each reservation; retried with growing pauses for a day. A replaced secret also signs for a day. Private addresses are refused at every connection unless the operator allows them (`--hooks-private`); redirects are not followed. */
    putHook(hook: string, body: PutHookBody, options?: CallOptions): Promise<Hook>;
    /** Delete a webhook. Nothing more is sent to it, and its messages are deleted. */
    deleteHook(hook: string, options?: CallOptions): Promise<null>;
    /** List the messages that could not be delivered. Oldest first; given up after a day of attempts. Kept as long as the history. */
    listDeadMessages(hook: string, query?: ListDeadMessagesQuery, options?: CallOptions): Promise<Page<DeadMessage>>;
    /** Resend messages that could not be delivered. All of them, or those that the body names; at most 1024 per call. */
    resendMessages(hook: string, body?: ResendMessagesBody, options?: CallOptions): Promise<Resent>;
    /** List the nodes of this site, with their roles. What the node that answers knows. With a shared log each node writes a row every second, or every few: a node whose `seen_at` is older does not run, or does not reach the log. Without one there is one node. */
    listNodes(options?: CallOptions): Promise<Page<Node>>;
    /** Check that the process is alive. For supervisors: restart the process if it does not respond. */
    getHealth(options?: CallOptions): Promise<Health>;
    /** Check that new holds are accepted. For load balancers: do not send holds here while it returns 503. A node that follows another is ready while it can pass them on. */
    getReadiness(options?: CallOptions): Promise<Readiness>;
    /** Get metrics in Prometheus text format. For Prometheus to scrape. */
    getMetrics(options?: CallOptions): Promise<string>;
    /** Get this OpenAPI description. Generated from the tables that validate requests. */
    getOpenapi(options?: CallOptions): Promise<OpenapiDocument>;
}
