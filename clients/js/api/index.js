/* SPDX-License-Identifier: Apache-2.0 */
/* Made from the description of the API by clients/generate. */
import { Holdfast as Client, UPLOAD_MS } from '../src/client.js';

export { Clock } from '../src/client.js';
export * from '../src/problem.js';

const segment = encodeURIComponent;

export class Holdfast extends Client {
    listEvents(query, options) {
        return this.call('GET', '/v1/events', { query, ...options });
    }

    getEvent(event, options) {
        return this.call('GET', `/v1/events/${segment(event)}`, options);
    }

    putEvent(event, body, options) {
        return this.call('PUT', `/v1/events/${segment(event)}`, { auth: true, body, ...options });
    }

    updateEvent(event, body = {}, options) {
        return this.call('PATCH', `/v1/events/${segment(event)}`, { auth: true, body, ...options });
    }

    deleteEvent(event, options) {
        return this.call('DELETE', `/v1/events/${segment(event)}`, { auth: true, ...options });
    }

    getEventCancellation(event, options) {
        return this.call('GET', `/v1/events/${segment(event)}/cancel`, { auth: true, ...options });
    }

    cancelEvent(event, body = {}, options) {
        return this.call('POST', `/v1/events/${segment(event)}/cancel`, { auth: true, body, ...options });
    }

    getLayout(event, options) {
        return this.call('GET', `/v1/events/${segment(event)}/seats`, options);
    }

    importSeats(event, body, options) {
        return this.call('POST', `/v1/events/${segment(event)}/seats`, { auth: true, body, within: UPLOAD_MS, ...options });
    }

    updateSeats(event, body, options) {
        return this.call('PATCH', `/v1/events/${segment(event)}/seats`, { auth: true, body, ...options });
    }

    deleteSeats(event, body, options) {
        return this.call('DELETE', `/v1/events/${segment(event)}/seats`, { auth: true, body, ...options });
    }

    getSeat(event, seat, options) {
        return this.call('GET', `/v1/events/${segment(event)}/seats/${segment(seat)}`, options);
    }

    getPool(event, pool, options) {
        return this.call('GET', `/v1/events/${segment(event)}/pools/${segment(pool)}`, options);
    }

    putPool(event, pool, body, options) {
        return this.call('PUT', `/v1/events/${segment(event)}/pools/${segment(pool)}`, { auth: true, body, ...options });
    }

    listPools(event, query, options) {
        return this.call('GET', `/v1/events/${segment(event)}/pools`, { query, ...options });
    }

    listCodes(event, query, options) {
        return this.call('GET', `/v1/events/${segment(event)}/codes`, { auth: true, query, ...options });
    }

    importCodes(event, body, options) {
        return this.call('POST', `/v1/events/${segment(event)}/codes`, { auth: true, body, within: UPLOAD_MS, ...options });
    }

    deleteCode(event, code, options) {
        return this.call('DELETE', `/v1/events/${segment(event)}/codes/${segment(code)}`, { auth: true, ...options });
    }

    getAvailability(event, query, options) {
        return this.call('GET', `/v1/events/${segment(event)}/availability`, { query, ...options });
    }

    streamEvent(event, options) {
        return this.follow(`/v1/events/${segment(event)}/stream`, options);
    }

    getQueue(event, options) {
        return this.call('GET', `/v1/events/${segment(event)}/queue`, options);
    }

    joinQueue(event, body = {}, options) {
        return this.call('POST', `/v1/events/${segment(event)}/queue`, { auth: true, body, ...options });
    }

    updateQueue(event, body = {}, options) {
        return this.call('PATCH', `/v1/events/${segment(event)}/queue`, { auth: true, body, ...options });
    }

    getQueueEntry(event, entry, query, options) {
        return this.call('GET', `/v1/events/${segment(event)}/queue/${segment(entry)}`, { auth: true, query, ...options });
    }

    leaveQueue(event, entry, query, options) {
        return this.call('DELETE', `/v1/events/${segment(event)}/queue/${segment(entry)}`, { auth: true, query, ...options });
    }

    streamQueueEntry(event, entry, options) {
        return this.follow(`/v1/events/${segment(event)}/queue/${segment(entry)}/stream`, { auth: true, ...options });
    }

    listWaitingList(event, query, options) {
        return this.call('GET', `/v1/events/${segment(event)}/waiting-list`, { auth: true, query, ...options });
    }

    joinWaitingList(event, body, options) {
        return this.call('POST', `/v1/events/${segment(event)}/waiting-list`, { auth: true, body, ...options });
    }

    getWaitingListEntry(event, entry, query, options) {
        return this.call('GET', `/v1/events/${segment(event)}/waiting-list/${segment(entry)}`, { auth: true, query, ...options });
    }

    leaveWaitingList(event, entry, query, options) {
        return this.call('DELETE', `/v1/events/${segment(event)}/waiting-list/${segment(entry)}`, { auth: true, query, ...options });
    }

    listCalendars(query, options) {
        return this.call('GET', '/v1/calendars', { query, ...options });
    }

    getCalendar(calendar, options) {
        return this.call('GET', `/v1/calendars/${segment(calendar)}`, options);
    }

    putCalendar(calendar, body, options) {
        return this.call('PUT', `/v1/calendars/${segment(calendar)}`, { auth: true, body, ...options });
    }

    updateCalendar(calendar, body = {}, options) {
        return this.call('PATCH', `/v1/calendars/${segment(calendar)}`, { auth: true, body, ...options });
    }

    deleteCalendar(calendar, options) {
        return this.call('DELETE', `/v1/calendars/${segment(calendar)}`, { auth: true, ...options });
    }

    listSlots(calendar, query, options) {
        return this.call('GET', `/v1/calendars/${segment(calendar)}/slots`, { query, ...options });
    }

    streamCalendar(calendar, options) {
        return this.follow(`/v1/calendars/${segment(calendar)}/stream`, options);
    }

    exportBookings(calendar, query, options) {
        return this.call('GET', `/v1/calendars/${segment(calendar)}.ics`, { auth: true, query, ...options });
    }

    listGroups(query, options) {
        return this.call('GET', '/v1/groups', { query, ...options });
    }

    getGroup(group, options) {
        return this.call('GET', `/v1/groups/${segment(group)}`, options);
    }

    putGroup(group, body, options) {
        return this.call('PUT', `/v1/groups/${segment(group)}`, { auth: true, body, ...options });
    }

    deleteGroup(group, options) {
        return this.call('DELETE', `/v1/groups/${segment(group)}`, { auth: true, ...options });
    }

    listGroupSlots(group, query, options) {
        return this.call('GET', `/v1/groups/${segment(group)}/slots`, { query, ...options });
    }

    listReservations(query, options) {
        return this.call('GET', '/v1/reservations', { auth: true, query, ...options });
    }

    listReservationsCsv(query, options) {
        return this.call('GET', '/v1/reservations', { auth: true, query, accept: 'text/csv', ...options });
    }

    createReservation(body, options) {
        return this.call('POST', '/v1/reservations', { auth: true, body, ...options });
    }

    getReservation(id, query, options) {
        return this.call('GET', `/v1/reservations/${segment(id)}`, { auth: true, query, ...options });
    }

    updateReservation(id, body, options) {
        return this.call('PATCH', `/v1/reservations/${segment(id)}`, { auth: true, body, ...options });
    }

    deleteReservation(id, body = {}, options) {
        return this.call('DELETE', `/v1/reservations/${segment(id)}`, { auth: true, body, ...options });
    }

    releaseReservation(id, body = {}, options) {
        return this.call('POST', `/v1/reservations/${segment(id)}/release`, { auth: true, body, ...options });
    }

    addItems(id, body, options) {
        return this.call('POST', `/v1/reservations/${segment(id)}/items`, { auth: true, body, ...options });
    }

    updateItem(id, item_id, body, options) {
        return this.call('PATCH', `/v1/reservations/${segment(id)}/items/${segment(item_id)}`, { auth: true, body, ...options });
    }

    removeItem(id, item_id, body = {}, options) {
        return this.call('DELETE', `/v1/reservations/${segment(id)}/items/${segment(item_id)}`, { auth: true, body, ...options });
    }

    extendReservation(id, body = {}, options) {
        return this.call('POST', `/v1/reservations/${segment(id)}/extend`, { auth: true, body, ...options });
    }

    startPayment(id, body = {}, options) {
        return this.call('POST', `/v1/reservations/${segment(id)}/payment`, { auth: true, body, ...options });
    }

    commitReservation(id, body = {}, options) {
        return this.call('POST', `/v1/reservations/${segment(id)}/commit`, { auth: true, body, ...options });
    }

    transferReservation(id, body, options) {
        return this.call('POST', `/v1/reservations/${segment(id)}/transfer`, { auth: true, body, ...options });
    }

    cancelReservation(id, body = {}, options) {
        return this.call('POST', `/v1/reservations/${segment(id)}/cancel`, { auth: true, body, ...options });
    }

    refundReservation(id, body = {}, options) {
        return this.call('POST', `/v1/reservations/${segment(id)}/refund`, { auth: true, body, ...options });
    }

    revokeManageTokens(id, body = {}, options) {
        return this.call('DELETE', `/v1/reservations/${segment(id)}/manage-tokens`, { auth: true, body, ...options });
    }

    listReservationHistory(id, query, options) {
        return this.call('GET', `/v1/reservations/${segment(id)}/history`, { auth: true, query, ...options });
    }

    listFleets(query, options) {
        return this.call('GET', '/v1/fleets', { auth: true, query, ...options });
    }

    getFleet(fleet, options) {
        return this.call('GET', `/v1/fleets/${segment(fleet)}`, { auth: true, ...options });
    }

    putFleet(fleet, body = {}, options) {
        return this.call('PUT', `/v1/fleets/${segment(fleet)}`, { auth: true, body, ...options });
    }

    deleteFleet(fleet, options) {
        return this.call('DELETE', `/v1/fleets/${segment(fleet)}`, { auth: true, ...options });
    }

    getFleetOverview(fleet, options) {
        return this.call('GET', `/v1/fleets/${segment(fleet)}/overview`, { auth: true, ...options });
    }

    listDrivers(fleet, query, options) {
        return this.call('GET', `/v1/fleets/${segment(fleet)}/drivers`, { auth: true, query, ...options });
    }

    getDriver(fleet, driver, options) {
        return this.call('GET', `/v1/fleets/${segment(fleet)}/drivers/${segment(driver)}`, { auth: true, ...options });
    }

    putDriver(fleet, driver, body, options) {
        return this.call('PUT', `/v1/fleets/${segment(fleet)}/drivers/${segment(driver)}`, { auth: true, body, ...options });
    }

    deleteDriver(fleet, driver, options) {
        return this.call('DELETE', `/v1/fleets/${segment(fleet)}/drivers/${segment(driver)}`, { auth: true, ...options });
    }

    updatePositions(fleet, body, options) {
        return this.call('POST', `/v1/fleets/${segment(fleet)}/positions`, { auth: true, body, ...options });
    }

    getDriverOffer(fleet, driver, options) {
        return this.call('GET', `/v1/fleets/${segment(fleet)}/drivers/${segment(driver)}/offer`, { auth: true, ...options });
    }

    streamDriver(fleet, driver, options) {
        return this.follow(`/v1/fleets/${segment(fleet)}/drivers/${segment(driver)}/stream`, { auth: true, ...options });
    }

    listRides(fleet, query, options) {
        return this.call('GET', `/v1/fleets/${segment(fleet)}/rides`, { auth: true, query, ...options });
    }

    createRide(fleet, body, options) {
        return this.call('POST', `/v1/fleets/${segment(fleet)}/rides`, { auth: true, body, ...options });
    }

    getRide(fleet, ride, options) {
        return this.call('GET', `/v1/fleets/${segment(fleet)}/rides/${segment(ride)}`, { auth: true, ...options });
    }

    streamRide(fleet, ride, options) {
        return this.follow(`/v1/fleets/${segment(fleet)}/rides/${segment(ride)}/stream`, { auth: true, ...options });
    }

    cancelRide(fleet, ride, body = {}, options) {
        return this.call('POST', `/v1/fleets/${segment(fleet)}/rides/${segment(ride)}/cancel`, { auth: true, body, ...options });
    }

    completeRide(fleet, ride, body = {}, options) {
        return this.call('POST', `/v1/fleets/${segment(fleet)}/rides/${segment(ride)}/complete`, { auth: true, body, ...options });
    }

    driverCancelRide(fleet, ride, body = {}, options) {
        return this.call('POST', `/v1/fleets/${segment(fleet)}/rides/${segment(ride)}/driver-cancel`, { auth: true, body, ...options });
    }

    acceptOffer(fleet, offer, body = {}, options) {
        return this.call('POST', `/v1/fleets/${segment(fleet)}/offers/${segment(offer)}/accept`, { auth: true, body, ...options });
    }

    declineOffer(fleet, offer, body = {}, options) {
        return this.call('POST', `/v1/fleets/${segment(fleet)}/offers/${segment(offer)}/decline`, { auth: true, body, ...options });
    }

    putPaymentProvider(body, options) {
        return this.call('PUT', '/v1/payments/provider', { auth: true, body, ...options });
    }

    receivePaymentEvent(body = {}, options) {
        return this.call('POST', '/v1/webhooks/payments', { body, ...options });
    }

    listPayments(query, options) {
        return this.call('GET', '/v1/payments', { auth: true, query, ...options });
    }

    getPayment(payment_ref, options) {
        return this.call('GET', `/v1/payments/${segment(payment_ref)}`, { auth: true, ...options });
    }

    listPaymentEvents(query, options) {
        return this.call('GET', '/v1/payment-events', { auth: true, query, ...options });
    }

    listRefundsDue(query, options) {
        return this.call('GET', '/v1/refunds-due', { auth: true, query, ...options });
    }

    listRefundsDueCsv(query, options) {
        return this.call('GET', '/v1/refunds-due', { auth: true, query, accept: 'text/csv', ...options });
    }

    completeRefund(refund, body = {}, options) {
        return this.call('POST', `/v1/refunds-due/${segment(refund)}/done`, { auth: true, body, ...options });
    }

    listCheckIns(query, options) {
        return this.call('GET', '/v1/check-ins', { auth: true, query, ...options });
    }

    checkIn(body, options) {
        return this.call('POST', '/v1/check-ins', { auth: true, body, ...options });
    }

    getTicketKeys(options) {
        return this.call('GET', '/v1/tickets/key', options);
    }

    getTicketSvg(ticket, options) {
        return this.call('GET', `/v1/tickets/${segment(ticket)}.svg`, options);
    }

    getTicketPng(ticket, options) {
        return this.call('GET', `/v1/tickets/${segment(ticket)}.png`, options);
    }

    getSalesReport(query, options) {
        return this.call('GET', '/v1/reports/sales', { auth: true, query, ...options });
    }

    getSalesReportCsv(query, options) {
        return this.call('GET', '/v1/reports/sales', { auth: true, query, accept: 'text/csv', ...options });
    }

    getMoneyReport(query, options) {
        return this.call('GET', '/v1/reports/money', { auth: true, query, ...options });
    }

    getMoneyReportCsv(query, options) {
        return this.call('GET', '/v1/reports/money', { auth: true, query, accept: 'text/csv', ...options });
    }

    getAbandonedReport(query, options) {
        return this.call('GET', '/v1/reports/abandoned', { auth: true, query, ...options });
    }

    getAbandonedReportCsv(query, options) {
        return this.call('GET', '/v1/reports/abandoned', { auth: true, query, accept: 'text/csv', ...options });
    }

    getFunnelReport(query, options) {
        return this.call('GET', '/v1/reports/funnel', { auth: true, query, ...options });
    }

    getFunnelReportCsv(query, options) {
        return this.call('GET', '/v1/reports/funnel', { auth: true, query, accept: 'text/csv', ...options });
    }

    getTtlAdvice(event, options) {
        return this.call('GET', `/v1/events/${segment(event)}/ttl-advice`, { auth: true, ...options });
    }

    listAuditEntries(query, options) {
        return this.call('GET', '/v1/audit', { auth: true, query, ...options });
    }

    exportUser(user, query, options) {
        return this.call('GET', `/v1/users/${segment(user)}/export`, { auth: true, query, ...options });
    }

    eraseUser(user, options) {
        return this.call('DELETE', `/v1/users/${segment(user)}`, { auth: true, ...options });
    }

    getErasure(user, options) {
        return this.call('GET', `/v1/users/${segment(user)}/erasure`, { auth: true, ...options });
    }

    listKeys(query, options) {
        return this.call('GET', '/v1/keys', { auth: true, query, ...options });
    }

    createKey(body, options) {
        return this.call('POST', '/v1/keys', { auth: true, body, ...options });
    }

    rotateKey(name, body = {}, options) {
        return this.call('POST', `/v1/keys/${segment(name)}/rotate`, { auth: true, body, ...options });
    }

    deleteKey(name, options) {
        return this.call('DELETE', `/v1/keys/${segment(name)}`, { auth: true, ...options });
    }

    createSession(body = {}, options) {
        return this.call('POST', '/v1/sessions', { body, ...options });
    }

    listHooks(query, options) {
        return this.call('GET', '/v1/hooks', { auth: true, query, ...options });
    }

    getHook(hook, options) {
        return this.call('GET', `/v1/hooks/${segment(hook)}`, { auth: true, ...options });
    }

    putHook(hook, body, options) {
        return this.call('PUT', `/v1/hooks/${segment(hook)}`, { auth: true, body, ...options });
    }

    deleteHook(hook, options) {
        return this.call('DELETE', `/v1/hooks/${segment(hook)}`, { auth: true, ...options });
    }

    listDeadMessages(hook, query, options) {
        return this.call('GET', `/v1/hooks/${segment(hook)}/messages`, { auth: true, query, ...options });
    }

    resendMessages(hook, body = {}, options) {
        return this.call('POST', `/v1/hooks/${segment(hook)}/resend`, { auth: true, body, ...options });
    }

    listNodes(options) {
        return this.call('GET', '/v1/nodes', { auth: true, ...options });
    }

    getHealth(options) {
        return this.call('GET', '/healthz', options);
    }

    getReadiness(options) {
        return this.call('GET', '/readyz', options);
    }

    getMetrics(options) {
        return this.call('GET', '/metrics', options);
    }

    getOpenapi(options) {
        return this.call('GET', '/openapi.json', options);
    }
}
