/* SPDX-License-Identifier: Apache-2.0 */
/* booking.js — what is chosen, held and booked on a calendar; templates of <holdfast-calendar>, which is `of`. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { introduced } from '../lib/buyer.js';
import { dateTime, price, stayLength, stayText } from '../lib/format.js';
import { note } from '../lib/states.js';
import { t } from '../lib/texts.js';
import { stepper } from './choose.js';
import { emailField } from './email_field.js';
import './basket.js';
import './countdown.js';

/* A service has an id and no other name: "check_up" → "Check up". */
const words = (id) => id.replace(/[_.~-]+/g, ' ').trim().replace(/^./, (letter) => letter.toUpperCase());
const cost = ({ least, most }, currency) => (least === most ? price(least, currency) : t('from_price', { price: price(least, currency) }));

/* What to book: a service or a length, and for how many. */
export function choices(agenda, choice, set) {
    const { services, lengths, group, largest, currency } = agenda;
    const choose = (label, name, options) => html`<label class="field"><span>${label}</span><select name=${name}
        @change=${(e) => set({ [name]: name === 'minutes' ? Number(e.target.value) : e.target.value })}>${options.map(([value, text]) =>
            html`<option value=${value} ?selected=${value === choice[name]}>${text}</option>`)}</select></label>`;
    const service = services.find(({ id }) => id === choice.service);
    const several = services.length > 0 || lengths.length > 1 || (group && largest > 1);
    return several ? html`<div class="choices">
        ${services.length ? choose(t('cal_service'), 'service', services.map((one) => [one.id,
            `${words(one.id)} · ${cost(agenda.price({ ...choice, service: one.id }), currency)}`])) : nothing}
        ${service ? html`<p class="takes">${t('cal_takes', { time: stayLength(service.duration_minutes, agenda.first) })}</p>` : nothing}
        ${lengths.length > 1 ? choose(t('cal_length'), 'minutes', lengths.map((n) => [n, `${stayLength(n, agenda.first)} · ${cost(agenda.price({ ...choice, minutes: n }), currency)}`])) : nothing}
        ${group && largest > 1 ? html`<div class="field"><span>${t('cal_party')}</span>
            ${stepper(t('cal_party'), choice.party, { most: largest, set: (party) => set({ party }), name: 'party' })}</div>` : nothing}</div>` : nothing;
}

/* An instant in the calendar's zone, and in the visitor's when that is another time. */
function when(start, zone) {
    const there = dateTime(start, zone);
    const here = dateTime(start);
    return html`<p class="when"><strong>${there}</strong>${there === here ? nothing : html`<span class="eyebrow">${t('cal_for_you', { when: here })}</span>`}</p>`;
}

export function chosen(of) {
    const { agenda, slot, moving, busy } = of;
    if (moving) {
        return html`<h2>${t('cal_move_title')}</h2><p class="eyebrow">${t('cal_move_from', { when: dateTime(moving.item.start, agenda.zone) })}</p>
            ${slot ? when(slot.start, agenda.zone) : html`<p>${t('cal_move_choose')}</p>`}
            ${slot ? html`<button class="button primary wide" type="button" aria-disabled=${busy} @click=${of.press(() => of.move())}>${t('cal_move_here')}</button>` : nothing}
            <button class="button quiet wide" type="button" aria-disabled=${busy} @click=${of.press(() => of.endMove())}>${t('cal_move_keep')}</button>`;
    }
    const { service } = of.choice;
    return html`<h2>${agenda.name}</h2>${when(slot.start, agenda.zone)}
        <p class="facts">${service ? html`<span>${words(service)}</span>` : nothing}
            <span>${stayText(slot.start, slot.end, agenda.zone)}</span>
            ${of.choice.party > 1 ? html`<span>${t('cal_people', { n: of.choice.party })}</span>` : nothing}
            <span>${cost(agenda.price(of.choice), agenda.currency)}</span></p>
        <button class="button primary wide" type="button" aria-disabled=${busy} @click=${of.press(() => of.book())}>${t('cal_book')}</button>`;
}

const person = (agenda, item) => (agenda.group ? html`<span>${agenda.byId.get(item.calendar)?.name ?? item.calendar}</span>` : nothing);

const itemOf = (of, item, currency) => html`<div class="item" data-booking=${item.start}>${when(item.start, of.agenda.zone)}
    <p class="facts">${person(of.agenda, item)}${item.service ? html`<span>${words(item.service)}</span>` : nothing}
        <span>${stayText(item.start, item.end, of.agenda.zone)}</span><span>${price(item.price, currency)}</span></p></div>`;

/* Held: who it is for, and Confirm; what has to be paid goes the basket's way. */
export function held(of) {
    const { basket } = of.shared;
    const reservation = introduced(of, basket.reservation);
    const address = [of.getAttribute('server') ?? nothing, of.getAttribute('token') ?? nothing];
    if (!of.simple) {
        return html`<holdfast-basket server=${address[0]} token=${address[1]} checkout=${of.getAttribute('checkout') ?? nothing}
            order=${of.getAttribute('order') ?? nothing} ask-email=${of.getAttribute('ask-email') ?? nothing} ?demo=${of.hasAttribute('demo')}></holdfast-basket>`;
    }
    const submit = (e) => { e.preventDefault(); of.busy || of.confirm(e.target); };
    const known = reservation.attributes ?? {};
    return html`<h2>${t('cal_held')}</h2>
        <holdfast-countdown server=${address[0]} token=${address[1]}></holdfast-countdown>
        ${basket.items.map((item) => html`${itemOf(of, item, reservation.total.currency)}
            <button class="button quiet change" type="button" aria-disabled=${of.busy} @click=${of.press(() => of.startMove(reservation, item))}>${t('cal_change')}</button>`)}
        <form class="details" @submit=${submit}>
            <label class="field"><span>${t('cal_name')}</span><input name="name" autocomplete="name" maxlength="200" required value=${known.name ?? ''}></label>
            ${emailField(of, known.email)}
            <label class="field"><span>${t('cal_note')}</span><textarea name="note" rows="2" maxlength="1000">${known.note ?? ''}</textarea></label>
            <button class="button primary wide" aria-disabled=${of.busy}>${t('basket_confirm')}</button></form>
        <button class="button quiet wide" type="button" aria-disabled=${of.busy} @click=${of.press(() => of.giveBack())}>${t('cal_give_back')}</button>`;
}

/* With a payment under way, the basket's own words. */
export function expired(of) {
    const { basket } = of.shared;
    return basket.awaitsPayment || basket.refund ? html`<holdfast-basket server=${of.getAttribute('server') ?? nothing} token=${of.getAttribute('token') ?? nothing}></holdfast-basket>`
        : note('warn', t('basket_expired'), t('cal_expired_why'), html`<button class="button" type="button" @click=${() => basket.clear()}>${t('basket_again')}</button>`);
}

/* What was booked is below, among the bookings. */
export function confirmed(of) {
    const { done } = of;
    const link = done.manage_token && of.shared.client.url === location.origin ? `/o/${encodeURIComponent(done.reservation_id)}#t=${done.manage_token}` : null;
    return html`${note('good', t('cal_booked'), t('basket_confirmed_why', { pnr: done.pnr }))}
        ${link ? html`<p><a href=${link}>${t('cal_manage')}</a></p>` : nothing}`;
}

/* What may still be done about a booking, and until when. */
function terms(of, reservation, item) {
    const now = of.shared.client.clock.now();
    const [change, cancel] = ['change_until_minutes', 'cancel_until_minutes'].map((field) => of.agenda.until(item, field));
    const id = reservation.reservation_id;
    if (of.cancelling === id) {
        return html`<div role="group" tabindex="-1" aria-labelledby="sure"><p id="sure">${t('cal_cancel_sure')}</p><div class="actions">
            <button class="button" type="button" aria-disabled=${of.busy} @click=${of.press(() => of.cancel(reservation))}>${t('cal_cancel_yes')}</button>
            <button class="button quiet" type="button" @click=${() => { of.cancelling = null; of.update(); }}>${t('cal_cancel_no')}</button></div></div>`;
    }
    return html`<div class="actions">
            ${change !== null && now < change ? html`<button class="button" type="button" aria-disabled=${of.busy} @click=${of.press(() => of.startMove(reservation, item))}>${t('cal_move')}</button>` : nothing}
            ${cancel !== null && now < cancel ? html`<button class="button" type="button" aria-disabled=${of.busy}
                @click=${of.press(() => { of.cancelling = id; of.update(); })}>${t('cal_cancel')}</button>` : nothing}</div>
        <p class="fine">${cancel === null ? t('cal_cancel_never') : now < cancel
            ? t('cal_cancel_until', { when: dateTime(cancel, of.agenda.zone) }) : t('cal_cancel_late')}</p>`;
}

export function bookings(of) {
    const { agenda, booked } = of;
    return booked.length === 0 ? nothing : html`<section class="booked card"><h2>${t('cal_bookings')}</h2>
        <ul>${booked.flatMap((reservation) => reservation.items.filter((item) => agenda.has(item)).map((item) => html`<li>
            ${itemOf(of, item, reservation.total.currency)}<p class="fine">${t('cal_reference', { pnr: reservation.pnr })}</p>
            ${terms(of, reservation, item)}</li>`))}</ul></section>`;
}
