/* SPDX-License-Identifier: Apache-2.0 */
/* queue.js — the waiting room of an event; goes to its map when the turn has come. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { dateTime } from '../lib/format.js';
import { saleOf } from '../lib/sale.js';
import { server } from '../lib/server.js';
import { show, subject } from '../lib/shell.js';
import { cancelled, note } from '../lib/states.js';
import { isolated, t } from '../lib/texts.js';
import '../components/queue.js';

const { client } = server();
const map = `/e/${encodeURIComponent(subject())}`;

/* Back must not lead into a line that is over. */
function admitted() {
    document.title = t('queue_admitted');
    location.replace(map);
}

/* How the sale itself stands; what is over has no line. */
function body(event) {
    const { state } = saleOf(event, client.clock.now());
    const others = html`<a class="button" href="/">${t('other_events')}</a>`;
    switch (state) {
    case 'over': return note('', t('event_over'), t('event_over_why'), others);
    case 'cancelled': return cancelled(event, t('event_cancelled'), t('event_cancelled_why'), others);
    default: return html`${state === 'sold_out' ? note('warn', t('event_sold_out'), t('event_sold_out_why')) : nothing}
        ${event.waiting_room ? html`<holdfast-queue event=${event.id} timezone=${event.timezone} @admitted=${admitted}></holdfast-queue>`
            : note('', t('queue_none'), t('queue_none_why'), html`<a class="button primary" href=${map}>${t('queue_map')}</a>`)}`;
    }
}

show(async () => {
    const event = await client.event(subject());
    document.title = `${t('queue_title')}: ${isolated(event.name)} · Holdfast`;
    return html`<div><p class="eyebrow">${t('queue_title')}</p><h1>${event.name}</h1>
        <p class="facts">${event.starts_at ? html`<span>${dateTime(event.starts_at, event.timezone)}</span>` : nothing}
            ${event.venue ? html`<span>${event.venue}</span>` : nothing}</p></div>${body(event)}`;
});
