/* SPDX-License-Identifier: Apache-2.0 */
/* payment_row.js — a payment: a row of the ledger, alone or of a reservation. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { dateTime, money } from '../../lib/format.js';
import { t } from '../../lib/texts.js';
import { to } from './view.js';

const STATUSES = { begun: 'admin_payment_begun', failed: 'admin_payment_failed' };
const PARTS = { kept: 'admin_payment_kept', returned: 'admin_payment_returned', owed: 'admin_payment_owed' };
const SOURCES = { provider: 'admin_payment_by_provider', app: 'admin_payment_by_app', assumed: 'admin_payment_assumed' };
const DISCREPANCIES = { unknown_reservation: 'admin_wrong_unknown', over_returned: 'admin_wrong_over_returned', disputed: 'admin_wrong_disputed',
    currency: 'admin_wrong_currency', short: 'admin_wrong_short', gone_back: 'admin_wrong_gone_back' };

/* Who says what was received; nothing: not reported yet. */
export const receivedBy = (source) => (SOURCES[source] ? t(SOURCES[source]) : null);

/* `alone`: with a link to its reservation. */
export function paymentRow(payment, { alone = false } = {}) {
    const amount = (name) => money(payment[name], payment.currency);
    const parts = Object.keys(PARTS).filter((name) => payment[name] > 0).map((name) => t(PARTS[name], { amount: amount(name) }));
    const said = [STATUSES[payment.status] ? t(STATUSES[payment.status]) : receivedBy(payment.received_by), ...parts, dateTime(payment.last_at)].filter(Boolean);
    return html`<li class="row refund" data-payment=${payment.payment_ref}><strong class="number">${amount('received')}</strong>
        <div><bdi>${payment.payment_ref}</bdi><p class="eyebrow">${said.join(' · ')}${alone && payment.reservation_id
            ? html` · <a href=${to('find', payment.reservation_id)}>${t('admin_refund_reservation')}</a>` : nothing}</p></div>
        ${payment.discrepancy ? html`<span class="tag bad">${DISCREPANCIES[payment.discrepancy] ? t(DISCREPANCIES[payment.discrepancy]) : payment.discrepancy}</span>` : nothing}</li>`;
}
