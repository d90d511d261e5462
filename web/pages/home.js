/* SPDX-License-Identifier: Apache-2.0 */
/* home.js — what is on sale, with what is left, and the calendars. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { count, dateTime, locale, price, stayLength } from '../lib/format.js';
import { saleOf } from '../lib/sale.js';
import { server } from '../lib/server.js';
import { imageOf, setting, show } from '../lib/shell.js';
import { t } from '../lib/texts.js';

const { client, basket } = server();

const TAGS = {
    open: ['good', () => t('on_sale')],
    sold_out: ['bad', () => t('sold_out')],
    over: ['', () => t('sale_over')],
    cancelled: ['bad', () => t('cancelled')],
    early: ['warn', () => t('event_not_yet')],
    empty: ['', () => t('event_empty')],
};

function tag(event, sale) {
    const [kind, text] = TAGS[sale.state];
    return html`<span class=${`tag ${kind}`}>${text(event)}</span>`;
}

const hide = (e) => { e.target.hidden = true; };
const SHADES = 5;

/* Of the first word that says something. */
const initial = (name) => [...name.trim().replace(/^(a|an|the)\s+/i, '')][0]?.toUpperCase() ?? '·';
const shade = (id) => [...id].reduce((sum, letter) => sum * 31 + letter.codePointAt(0), 7) % SHADES;

function picture(event) {
    return html`<div class=${`picture shade-${shade(event.id)}`} aria-hidden="true">${imageOf(event)
        ? html`<img src=${imageOf(event)} alt="" loading="lazy" @error=${hide}>` : initial(event.name)}</div>`;
}

function eventCard(event) {
    const sale = saleOf(event, client.clock.now());
    const open = sale.state === 'open';
    const waits = event.waiting_room && !basket.passOf(event.id); /* the waiting room comes first */
    return html`<li><a class="card offer" href=${`/${waits ? 'q' : 'e'}/${encodeURIComponent(event.id)}`}>
        ${picture(event)}
        <div class="about">
            <h3>${event.name}</h3>
            <p class="eyebrow">${event.starts_at ? dateTime(event.starts_at, event.timezone) : nothing}
                ${event.venue ? html`<span class="venue">${event.venue}</span>` : nothing}</p>
            <p class="state">${tag(event, sale)}
                ${sale.state === 'early' ? html`<span>${t('not_yet', { when: dateTime(event.on_sale_at, event.timezone) })}</span>` : nothing}
                ${open ? html`<span class="number">${t('home_seats', { n: sale.left }).replace(sale.left, count(sale.left))}</span>` : nothing}</p>
        </div>
        <span class="go" aria-hidden="true">→</span></a></li>`;
}

function calendarCard(calendar) {
    return html`<li><a class="card offer plain" href=${`/c/${encodeURIComponent(calendar.id)}`}><div class="about"><h3>${calendar.name}</h3>
        <p class="eyebrow"><span>${stayLength(calendar.slot_minutes, calendar)}</span>
            <span>${price(calendar.price, calendar.currency)}</span><span>${calendar.timezone}</span></p></div>
        <span class="go" aria-hidden="true">→</span></a></li>`;
}

const groupCard = (group) => html`<li><a class="card offer plain" href=${`/c/group/${encodeURIComponent(group.id)}`}><div class="about"><h3>${group.name}</h3>
    <p class="eyebrow">${t('home_group_members', { n: group.calendars.length })}</p></div>
    <span class="go" aria-hidden="true">→</span></a></li>`;

const fleetCard = (fleet) => html`<li><a class="card offer plain" href=${`/f/${encodeURIComponent(fleet.id)}`}><div class="about"><h3>${fleet.id}</h3>
    <p class="eyebrow">${t('home_fleet')}</p></div><span class="go" aria-hidden="true">→</span></a></li>`;

const part = (title, list, card) => (list.length
    ? html`<section><h2>${title}</h2><ul class="offers">${list.map(card)}</ul></section>` : nothing);

/* What can be bought first, by its date; what is over last. */
function order(a, b) {
    const rank = (event) => ['open', 'early', 'sold_out', 'empty', 'over', 'cancelled']
        .indexOf(saleOf(event, client.clock.now()).state);
    return rank(a) - rank(b) || (a.starts_at ?? '9').localeCompare(b.starts_at ?? '9') || a.name.localeCompare(b.name, locale);
}

/* Under `holdfast demo`: where else a visitor can go. The setting says where the admin key is. */
function ways(place, [fleet]) {
    const way = (address, name, about, more = nothing) => html`<li><a href=${address}><strong>${name}</strong></a><p>${about}</p>${more}</li>`;
    return html`<nav class="card demo" aria-labelledby="demo"><div><h2 id="demo">${t('demo_title')}</h2><p>${t('demo_lead')}</p></div><ul>
        ${way('/admin', t('demo_admin'), t('demo_admin_why'), html`<p class="fine">${t('demo_key')} <code>${place}</code></p>`)}
        ${way('/door', t('demo_door'), t('demo_door_why'))}${way('/docs', t('demo_docs'), t('demo_docs_why'))}
        ${fleet ? way(`/f/${encodeURIComponent(fleet.id)}`, t('demo_fleet'), t('demo_fleet_why')) : nothing}</ul></nav>`;
}

const empty = () => html`<div class="card nothing"><h2>${t('home_empty')}</h2><p class="lead">${t('home_empty_next')}</p>
    <p class="fine">${t('home_empty_admin')} <a href="/admin#events/new">/admin</a>.</p></div>`;

show(async () => {
    const [events, calendars, groups, fleets] = await Promise.all(
        ['/v1/events', '/v1/calendars', '/v1/groups', ...(setting('demo') ? ['/demo/fleets'] : [])].map((path) => client.all(path)));
    const nothingThere = events.length + calendars.length + groups.length === 0;
    return html`<div><h1>${t('home_title')}</h1><p class="lead">${t('home_lead')}</p></div>
        ${setting('demo') ? ways(setting('demo'), fleets) : nothing}
        ${nothingThere ? empty() : nothing}
        ${part(t('home_events'), [...events].sort(order), eventCard)}
        ${part(t('home_calendars'), calendars, calendarCard)}
        ${part(t('home_groups'), groups, groupCard)}
        ${part(t('home_fleets'), fleets ?? [], fleetCard)}`;
});
