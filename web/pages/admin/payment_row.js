/* SPDX-License-Identifier: Apache-2.0 */
/* payment_row.js — a payment: a row of the ledger, alone or of a reservation; and what the views of the ledger share. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { dateTime, money } from '../../lib/format.js';
import { t } from '../../lib/texts.js';
import { listChoice } from './parts.js';
import { to } from './view.js';

const STATUSES = { begun: 'admin_payment_begun', failed: 'admin_payment_failed' };
const PARTS = { kept: 'admin_payment_kept', returned: 'admin_payment_returned', owed: 'admin_payment_owed' };
const SOURCES = { provider: 'admin_payment_by_provider', app: 'admin_payment_by_app', assumed: 'admin_payment_assumed' };
export const AMOUNTS = { received: 'ledger_received', kept: 'ledger_kept', returned: 'ledger_returned', owed: 'ledger_owed' };
/* What a discrepancy is called, and what to do about it. */
const DISCREPANCIES = {
    unknown_reservation: ['admin_wrong_unknown', 'ledger_do_unknown_reservation'], over_returned: ['admin_wrong_over_returned', 'ledger_do_over_returned'],
    disputed: ['admin_wrong_disputed', 'ledger_do_disputed'], currency: ['admin_wrong_currency', 'ledger_do_currency'],
    short: ['admin_wrong_short', 'ledger_do_short'], gone_back: ['admin_wrong_gone_back', 'ledger_do_gone_back'],
};

/* The lists of the ledger; `shown`: wrong, all or events. */
export const ledgerLists = (shown) => listChoice(t('admin_payments_which'), [[to('payments'), t('admin_payments_wrong'), shown === 'wrong'],
    [to('payments', 'all'), t('admin_payments_all'), shown === 'all'], [to('payments', 'events'), t('ledger_events'), shown === 'events']]);

/* Who says what was received; nothing: not reported yet. */
export const receivedBy = (source) => (SOURCES[source] ? t(SOURCES[source]) : null);

export function discrepancyTag({ discrepancy }) {
    const [name] = DISCREPANCIES[discrepancy] ?? [];
    return discrepancy ? html`<span class="tag bad" data-discrepancy=${discrepancy}>${name ? t(name) : discrepancy}</span>` : nothing;
}

/* What to do about its discrepancy, in a sentence. */
export function discrepancyAdvice({ discrepancy, owed }) {
    const [, advice] = DISCREPANCIES[discrepancy] ?? [];
    return advice ? html`<p class="advice"><strong>${t('ledger_what_to_do')}:</strong> ${t(advice)}${owed > 0 && discrepancy !== 'disputed'
        ? html` <a href=${to('refunds')}>${t('ledger_to_refunds')}</a>` : nothing}</p>` : nothing;
}

/* `alone`: with a link to its reservation, and what to do about its discrepancy. */
export function paymentRow(payment, { alone = false } = {}) {
    const amount = (name) => money(payment[name], payment.currency);
    const parts = Object.keys(PARTS).filter((name) => payment[name] > 0).map((name) => t(PARTS[name], { amount: amount(name) }));
    const said = [STATUSES[payment.status] ? t(STATUSES[payment.status]) : receivedBy(payment.received_by), ...parts, dateTime(payment.last_at)].filter(Boolean);
    return html`<li class="row refund" data-payment=${payment.payment_ref}><strong class="number">${amount('received')}</strong>
        <div><a href=${to('payments', 'one', payment.payment_ref)}><bdi>${payment.payment_ref}</bdi></a><p class="eyebrow">${said.join(' · ')}${alone && payment.reservation_id && payment.discrepancy !== 'unknown_reservation'
            ? html` · <a href=${to('find', payment.reservation_id)}>${t('admin_refund_reservation')}</a>` : nothing}</p>
            ${alone ? discrepancyAdvice(payment) : nothing}</div>${discrepancyTag(payment)}</li>`;
}
