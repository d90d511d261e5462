/* SPDX-License-Identifier: Apache-2.0 */
/* events.js — the events: #events lists them, #events/new, edit/ID and copy/ID are a form, seats/ID is what an event has to
 * sell, import/ID takes a file of seats, draw/ID a drawn hall, cancel/ID cancels it. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { count, dateTime } from '../../lib/format.js';
import { saleOf } from '../../lib/sale.js';
import { t } from '../../lib/texts.js';
import { CancelView } from './cancel.js';
import { DrawView } from './draw.js';
import { EventForm } from './event_form.js';
import { ImportView } from './import.js';
import { ListView } from './list_view.js';
import { SeatsView } from './seats.js';
import { to } from './view.js';

const STATES = {
    open: ['good', 'on_sale'], sold_out: ['bad', 'sold_out'], over: ['', 'sale_over'], cancelled: ['bad', 'cancelled'],
    early: ['warn', 'event_not_yet'], empty: ['', 'ev_no_places'],
};

class EventList extends ListView {
    kind = 'events';
    path = '/v1/events';

    about(event) {
        const [kind, text] = STATES[saleOf(event, this.client.clock.now()).state];
        const { seats, sold, held, pools } = event.counts;
        return html`<span class=${`tag ${kind}`}>${t(text)}</span> ${event.starts_at ? html`<span>${dateTime(event.starts_at, event.timezone)}</span>` : nothing}
            ${seats ? html`<span class="number">${t('ev_counts', { n: seats, seats: count(seats), sold: count(sold), held: count(held) })}</span>` : nothing}
            ${pools.capacity ? html`<span class="number">${t('ev_pool_counts', { left: count(pools.available), all: count(pools.capacity) })}</span>` : nothing}`;
    }

    ways(event) {
        return html`<a class="button" href=${to('events', 'seats', event.id)} aria-label=${t('ev_seats_of', { name: event.name })}>${t('ev_seats')}</a>`;
    }

    words() {
        return { empty: t('ev_none'), next: t('ev_none_next'), create: t('ev_create') };
    }
}

const PARTS = { new: EventForm, edit: EventForm, copy: EventForm, seats: SeatsView, import: ImportView, draw: DrawView, cancel: CancelView };

export default class {
    constructor(options) {
        return new (PARTS[options.parts[0]] ?? EventList)(options);
    }
}
