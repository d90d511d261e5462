/* SPDX-License-Identifier: Apache-2.0 */
/* fleet_panels.js — both sides of a ride, to be played: a rider who asks, drivers who are offered. */
import { html, nothing, svg } from '../vendor/lit-html/lit-html.js';
import { LIVE } from '../lib/played.js';
import { span } from '../lib/format.js';
import { note } from '../lib/states.js';
import { t } from '../lib/texts.js';

/* ---- Places ---- */

const placeText = (place) => (place ? `${place.lat.toFixed(4)}, ${place.lng.toFixed(4)}` : '');

/* "52.5, 13.4"; null: not a place. */
function readPlace(text) {
    const [, lat, lng] = /^\s*(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
    return lat !== undefined && Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat: Number(lat), lng: Number(lng) } : null;
}

/* A place as text, to be typed or picked on the map. */
function placeField(label, place, { change, pick, picking, needed = true }) {
    const typed = (e) => {
        const read = readPlace(e.target.value);
        const fine = read || (!needed && !e.target.value.trim());
        e.target.setCustomValidity(fine ? '' : t('fleet_place_form'));
        fine ? change(read) : e.target.reportValidity();
    };
    return html`<div class="place"><label class="field"><span>${label}</span>
            <input .value=${placeText(place)} autocomplete="off" inputmode="text" placeholder=${needed ? '' : t('fleet_anywhere')} @change=${typed}></label>
        <button class="button" type="button" aria-pressed=${picking} aria-label=${`${label}: ${t('fleet_on_map')}`} @click=${pick}>${t('fleet_on_map')}</button></div>`;
}

const button = (text, click, busy, kind = '') => html`<button class=${`button ${kind}`} type="button" ?disabled=${busy} @click=${click}>${text}</button>`;
const trouble = (one) => (one.problem ? note('bad', t('refused'), one.problem.message) : nothing);

/* ---- The rider ---- */

const ENDS = {
    declined: () => t('fleet_end_declined'), timed_out: () => t('fleet_end_timed_out'), withdrawn: () => t('fleet_end_withdrawn'),
    accepted: () => t('fleet_end_accepted'),
};
const RIDES = {
    searching: ['warn', () => t('fleet_ride_searching')], offered: ['warn', () => t('fleet_ride_offered')],
    assigned: ['good', () => t('fleet_ride_assigned')], no_driver: ['bad', () => t('fleet_ride_no_driver')],
    cancelled: ['', () => t('fleet_ride_cancelled')], completed: ['good', () => t('fleet_ride_completed')],
};

const offers = (ride) => (ride.offers.length ? html`<ol class="offers">${ride.offers.map((offer, i) => html`<li>
    <span>${offer.driver_id ?? t('fleet_a_driver', { n: i + 1 })}</span><span class="fine">${offer.end ? ENDS[offer.end]() : t('fleet_asked')}</span></li>`)}</ol>` : nothing);

function underWay({ ride, busy }, rider) {
    const [kind, words] = RIDES[ride.status];
    const live = LIVE.includes(ride.status);
    return html`<div class="ride" data-my-ride=${ride.status}><p class="line"><span class=${`tag ${kind}`} role="status">${words()}</span>
            ${ride.driver_id ? html`<strong>${ride.driver_id}</strong>` : nothing}
            ${ride.driver ? html`<span class="number">${t('fleet_comes', { time: span(ride.driver.eta_seconds) })}</span>` : nothing}</p>
        ${offers(ride)}
        <div class="actions">${live ? button(t('fleet_cancel'), () => rider.cancel(), busy)
            : button(t('fleet_again'), () => { rider.ride = null; rider.changed(); }, busy, 'primary')}</div></div>`;
}

/* `wish` is { pickup, to }; `page` places things on the map. */
export function riderPanel(rider, wish, page) {
    const rename = (e) => { rider.id = e.target.value.trim() || rider.id; };
    return html`<section class="card panel" aria-labelledby="rider-title"><h2 id="rider-title">${t('fleet_rider')}</h2>
        ${rider.ride ? underWay(rider, rider) : html`
            ${page.staff ? html`<label class="field"><span>${t('fleet_rider_name')}</span><input .value=${rider.id} maxlength="64" autocomplete="off" @change=${rename}></label>` : nothing}
            ${placeField(t('fleet_pickup'), wish.pickup, page.placer('pickup', t('fleet_pickup')))}
            ${placeField(t('fleet_to'), wish.to, { ...page.placer('to', t('fleet_to')), needed: false })}
            <div class="actions">${button(t('fleet_ask'), () => rider.ask(wish.pickup, wish.to), rider.busy || !wish.pickup, 'primary')}</div>`}
        ${trouble(rider)}</section>`;
}

/* ---- Drivers ---- */

/* How much of the time to answer is left; the number is in it as well. */
function ring(driver, total) {
    const left = driver.secondsLeft;
    return html`<div class="ring" data-ring=${Math.ceil(left)}><svg viewBox="0 0 64 64" aria-hidden="true"><circle class="track" cx="32" cy="32" r="28"></circle>
        ${svg`<circle class="left" cx="32" cy="32" r="28" pathLength="1" stroke-dasharray="1" stroke-dashoffset=${(1 - Math.min(1, left / total)).toFixed(3)}></circle>`}</svg>
        <span class="number" role="timer">${Math.ceil(left)}</span></div>`;
}

function offered(driver, total) {
    const { offer, busy } = driver;
    return html`<div class="offer" data-offer=${offer.offer_id}>${ring(driver, total)}
        <div><p role="status"><strong>${t('fleet_offer')}</strong></p><p class="fine">${t('fleet_offer_away', { time: span(offer.eta_seconds) })}</p></div>
        <div class="actions">${button(t('fleet_accept'), () => driver.accept(), busy, 'primary')}${button(t('fleet_decline'), () => driver.decline(), busy)}</div></div>`;
}

function driving(driver) {
    const { ride, busy } = driver;
    const live = ride.status === 'assigned';
    return html`<div class="ride"><p class="line"><span class=${`tag ${RIDES[ride.status][0]}`} role="status">${live ? t('fleet_driving') : RIDES[ride.status][1]()}</span>
            ${live ? html`<strong>${ride.rider_id}</strong>` : nothing}</p>
        ${live ? html`<div class="actions">${button(t('fleet_complete'), () => driver.complete(), busy, 'primary')}${button(t('fleet_give_back'), () => driver.giveBack(), busy)}</div>` : nothing}</div>`;
}

function doing(driver, total) {
    if (driver.offer) {
        return offered(driver, total);
    }
    if (driver.ride) {
        return driving(driver);
    }
    return html`<p class="fine" role="status">${driver.onDuty ? driver.lastEnd ? ENDS[driver.lastEnd]() : t('fleet_waits') : t('fleet_off_duty')}</p>`;
}

function driverCard(driver, page) {
    const { id, onDuty, busy } = driver;
    return html`<li class="driver" data-play=${id} data-duty=${onDuty ? 'on' : 'off'}>
        <div class="line"><h3>${id}</h3><button class=${`button ${onDuty ? '' : 'primary'}`} type="button" ?disabled=${busy}
            aria-label=${`${onDuty ? t('fleet_go_off') : t('fleet_go_on')}: ${id}`} @click=${() => driver.duty(!onDuty)}>${onDuty ? t('fleet_go_off') : t('fleet_go_on')}</button></div>
        ${doing(driver, page.offerSeconds)}
        ${driver.offer ? nothing : placeField(t('fleet_driver_place', { driver: id }), driver.place, page.placer(`driver:${id}`, id))}
        ${trouble(driver)}</li>`;
}

/* With a key any driver can be played, also one who is not there yet. */
function another(page) {
    const submit = (e) => {
        e.preventDefault();
        page.play(e.target.elements.driver.value.trim());
        e.target.reset();
    };
    return html`<form class="another" @submit=${submit}><label class="field"><span>${t('fleet_play')}</span>
            <input name="driver" list="drivers" maxlength="64" required autocomplete="off"></label>
        <datalist id="drivers">${page.driverIds.map((id) => html`<option value=${id}></option>`)}</datalist>
        <button class="button">${t('fleet_play_go')}</button></form>`;
}

export const driverPanel = (drivers, page) => html`<section class="card panel" aria-labelledby="drivers-title"><h2 id="drivers-title">${t('fleet_drivers')}</h2>
    ${drivers.length ? html`<ul class="played">${drivers.map((driver) => driverCard(driver, page))}</ul>` : html`<p class="fine">${page.staff ? t('fleet_play_why') : t('fleet_play_none')}</p>`}
    ${page.staff ? another(page) : nothing}</section>`;
