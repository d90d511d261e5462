/* SPDX-License-Identifier: Apache-2.0 */
/* calendar_views.js — a week and a month of free times; templates of <holdfast-calendar>. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { repeat } from '../vendor/lit-html/directives/repeat.js';
import { clock, clockWithOffset, count, dateTime, dayText } from '../lib/format.js';
import { t } from '../lib/texts.js';
import { hoursOf } from '../lib/zone.js';

/* Times of a day as buttons. A time that occurs twice, when the clocks go back, is shown with the name of its zone. */
function times(slots, { zone, chosen, several, choose }) {
    const labels = slots.map(({ start }) => clock(start, zone));
    return html`<ul class="times">${repeat(slots, ({ start }) => start, (slot, i) => {
        const twice = labels.indexOf(labels[i]) !== labels.lastIndexOf(labels[i]);
        const label = twice ? clockWithOffset(slot.start, zone) : labels[i];
        return html`<li><button class="slot" type="button" data-slot=${slot.start} aria-pressed=${slot.start === chosen?.start}
            title=${dateTime(slot.start, zone)} @click=${() => choose(slot)}><span class="number">${label}</span>
            ${several ? html`<span class="fine number">${t('left', { n: slot.available })}</span>` : nothing}</button></li>`;
    })}</ul>`;
}

const changes = (day, zone) => (hoursOf(day, zone) !== 24 ? html`<p class="fine clocks">${t('cal_clocks')}</p>` : nothing);

/* Seven days beside each other; on a phone one below the other. A past day is empty. */
export function week(days, byDay, look) {
    return html`<div class="week">${days.map((day) => {
        const slots = byDay.get(day) ?? [];
        const name = dayText(day, { weekday: 'long', day: 'numeric', month: 'long' });
        return html`<section class=${`day ${slots.length ? '' : 'none'} ${day < look.today ? 'past' : ''}`} data-day=${day} aria-label=${name}>
            <h3 aria-current=${day === look.today ? 'date' : nothing}><span>${dayText(day, { weekday: 'short' })}</span>
                <span class="date number">${dayText(day, { day: 'numeric', month: 'short' })}</span></h3>
            ${changes(day, look.zone)}
            ${slots.length ? times(slots, look) : day < look.today ? nothing : html`<p class="fine">${t('cal_day_none')}</p>`}</section>`;
    })}</div>`;
}

/* A month: how much is free on each day, and the times of the chosen one below. */
export function month(weeks, byDay, look) {
    const name = dayText(look.day, { month: 'long', year: 'numeric' });
    const cell = (day) => {
        const n = byDay.get(day)?.length ?? 0;
        const other = !day.startsWith(look.day.slice(0, 7));
        return html`<td><button class=${`cell ${other ? 'other' : ''}`} type="button" data-day=${day} ?disabled=${n === 0}
            aria-pressed=${day === look.day} @click=${() => look.pick(day)}><span class="number">${Number(day.slice(8))}</span>
            <span class="visually-hidden">${dayText(day, { weekday: 'long', month: 'long' })}</span>
            ${n ? html`<span class="fine number">${t('cal_free', { n }).replace(n, count(n))}</span>`
                : day < look.today ? nothing : html`<span class="fine" aria-hidden="true">–</span>`}</button></td>`;
    };
    const slots = byDay.get(look.day) ?? [];
    return html`<table class="month"><caption class="visually-hidden">${name}</caption>
            <thead><tr>${weeks[0].map((day) => html`<th scope="col"><abbr title=${dayText(day, { weekday: 'long' })}>${dayText(day, { weekday: 'short' })}</abbr></th>`)}</tr></thead>
            <tbody>${weeks.map((days) => html`<tr>${days.map(cell)}</tr>`)}</tbody></table>
        ${slots.length ? html`<section class="picked" aria-label=${dayText(look.day, { weekday: 'long', day: 'numeric', month: 'long' })}>
            <h3>${dayText(look.day, { weekday: 'long', day: 'numeric', month: 'long' })}</h3>${changes(look.day, look.zone)}${times(slots, look)}</section>` : nothing}`;
}
