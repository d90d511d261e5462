/* SPDX-License-Identifier: Apache-2.0 */
/* history.js — the history of a reservation in words: [{at, what, by, change}], oldest first, whole or without what repeats itself. */
import { price, timeOfDay } from './format.js';
import { t } from './texts.js';

/* Of these the places are shown. */
const PLACES = { held: 'history_held', item_added: 'history_item_added', item_dropped: 'history_item_dropped', item_moved: 'history_item_moved',
    item_changed: 'history_item_changed', item_refunded: 'history_item_refunded' };
const PLAIN = { attributes_changed: 'history_attributes_changed', payment_started: 'history_payment_started', released: 'history_released',
    expired: 'history_expired', manage_tokens_revoked: 'history_manage_tokens_revoked', refunded: 'history_refunded', cancelled: 'history_cancelled',
    payment_received: 'history_payment_received', check_in_undone: 'history_check_in_undone', payment_failed: 'history_payment_failed', erased: 'history_erased' };
const REFUNDS = { refund_due: 'history_refund_due', refund_done: 'history_refund_done', refund_withdrawn: 'history_refund_withdrawn' };
const BY = { user: 'by_user', app: 'by_app', admin: 'by_admin', door: 'by_door', server: 'by_server', payment: 'by_payment', order: 'by_order' };

function places(change, about) {
    const names = change.what.items.map(({ before, after }) => {
        const item = after ?? before;
        const place = about(item)?.place(item) ?? item.seat ?? item.pool ?? item.start;
        return item.quantity ? `${item.quantity} × ${place}` : place;
    });
    return names.join('; ');
}

function words(change, about, currency) {
    const { action } = change;
    if (PLACES[action]) {
        return t(PLACES[action], { what: places(change, about) });
    }
    if (REFUNDS[action]) {
        return t(REFUNDS[action], { amount: price(change.refund.amount.amount, change.refund.amount.currency) });
    }
    switch (action) {
    case 'extended': return t('history_extended', { time: timeOfDay(change.expires_at) });
    case 'confirmed': return t('history_confirmed', { total: price(change.what.total.after, currency) });
    case 'transferred': return t('history_transferred', { user: change.what.user_id?.after ?? '' });
    case 'checked_in': return change.ticket?.gate ? t('history_checked_in_gate', { gate: change.ticket.gate }) : t('history_checked_in');
    default: return PLAIN[action] ? t(PLAIN[action]) : action.replaceAll('_', ' ');
    }
}

const REPEATED = ['attributes_changed', 'extended']; /* a call for each ticket; one every minute */

/* Of the same by the same, one after the other, only the last: that is how it stands. */
export const withoutRepeats = (changes) => changes.filter(({ action, actor }, i) => !REPEATED.includes(action) ||
    changes[i + 1]?.action !== action || changes[i + 1].actor !== actor);

/* What has to go back or went back of all payments, {amount, currency}; null: nothing. */
export function goingBack(changes) {
    const last = new Map(changes.filter(({ refund }) => refund).map((change) => [change.refund.id, change])); /* of each refund due */
    const owed = [...last.values()].filter(({ action }) => action !== 'refund_withdrawn').map(({ refund }) => refund.amount);
    const currency = owed.at(-1)?.currency;
    return owed.length ? { amount: owed.filter((one) => one.currency === currency).reduce((sum, { amount }) => sum + amount, 0), currency } : null;
}

/* `about` is of lib/order.js. */
export const history = (changes, about, currency) => changes.map((change) => ({
    at: change.at, what: words(change, about, currency), by: t(BY[change.actor.split(':')[0]] ?? 'by_server'), change,
}));
