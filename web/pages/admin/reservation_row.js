/* SPDX-License-Identifier: Apache-2.0 */
/* reservation_row.js — a reservation in a list, and its status. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { dateTime, price } from '../../lib/format.js';
import { t } from '../../lib/texts.js';

export const STATUSES = {
    held: ['warn', () => t('admin_status_held')], confirmed: ['good', () => t('admin_status_confirmed')],
    released: ['', () => t('admin_status_released')], expired: ['', () => t('admin_status_expired')],
    cancelled: ['bad', () => t('admin_status_cancelled')], refunded: ['bad', () => t('admin_status_refunded')],
};

export const statusTag = ({ status }) => html`<span class=${`tag ${STATUSES[status][0]}`} data-status=${status}>${STATUSES[status][1]()}</span>`;

/* A link to `address`; `about`: what it is for. */
export const reservationRow = (one, address, about = nothing) => html`<li data-reservation=${one.reservation_id}><a class="row" href=${address}>
    <strong class="pnr">${one.pnr}</strong><div><bdi>${one.user_id}</bdi><p class="eyebrow">${about} <span>${dateTime(one.created_at)}</span></p></div>
    <span class="number">${price(one.total.amount, one.total.currency)}</span>${statusTag(one)}</a></li>`;
