/* SPDX-License-Identifier: Apache-2.0 */
/* fleet.js — a fleet, live: its map, a rider and drivers to play, and where the drivers' time goes.
 *
 * In the demo it opens at once, with the rider and the drivers that POST /demo/actors gives this visitor; otherwise with an
 * app or admin key, which is kept in memory only and acts for anyone.
 */
import { html, nothing, render } from '../vendor/lit-html/lit-html.js';
import { ref } from '../vendor/lit-html/directives/ref.js';
import { Fleet, STATUSES } from '../lib/fleet.js';
import { count } from '../lib/format.js';
import { PageClient } from '../lib/page_client.js';
import { PlayedDriver, PlayedRider } from '../lib/played.js';
import { setting, show, subject } from '../lib/shell.js';
import { note } from '../lib/states.js';
import { t } from '../lib/texts.js';
import { FleetMap, sign } from './fleet_map.js';
import { driverPanel, riderPanel } from './fleet_panels.js';
import { statusName, timePlot } from './fleet_time.js';

const RING_MS = 200;
const NEAR = 0.0015; /* degrees: a pickup that a driver reaches in a minute */
const KEPT = 'holdfast:actors'; /* in this tab: a reload goes on with the same rider */
const name = subject();
const demo = setting('demo') !== null;
const api = `/v1/fleets/${encodeURIComponent(name)}`;

class Page {
    constructor() {
        this.client = new PageClient({ guest: false });
        this.staff = !demo;
        this.fleet = new Fleet(this.client, demo ? `/demo/fleets/${encodeURIComponent(name)}` : api);
        this.wish = { pickup: null, to: null };
        this.drivers = [];
        this.parts = {};
        this.ended = new AbortController();
    }

    /* ---- Who is played ---- */

    /* All clients of the page share what is known of the server's time. */
    #as(token) {
        const client = token ? new PageClient({ token, guest: false }) : this.client;
        client.clock = this.client.clock;
        return client;
    }

    async #actors() {
        const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null');
        if (kept?.fleet === name && Date.parse(kept.expires_at) > this.client.clock.now() + 3600_000) {
            return kept;
        }
        const actors = await this.client.post('/demo/actors', { fleet: name });
        sessionStorage.setItem(KEPT, JSON.stringify(actors));
        return actors;
    }

    async open() {
        this.ended.abort(); /* of an attempt that failed */
        this.ended = new AbortController();
        await this.fleet.start(this.ended.signal);
        const actors = demo ? await this.#actors() : { rider: { user_id: 'ann' }, drivers: [] };
        this.rider = this.#watch(new PlayedRider(this.#as(actors.rider.token), api, actors.rider.user_id));
        demo && await this.rider.resume();
        actors.drivers.forEach(({ user_id: id, token }) => this.#add(id, this.#as(token)));
    }

    #watch(played) {
        played.addEventListener('change', () => this.update());
        return played;
    }

    #add(id, client) {
        const known = this.fleet.driver(id);
        const place = known && known.lat !== null ? { lat: known.lat, lng: known.lng } : this.map?.plane.middle ?? { lat: 0, lng: 0 };
        this.drivers.push(this.#watch(new PlayedDriver(client, api, id, place)));
    }

    play(id) {
        this.drivers.some((one) => one.id === id) || this.#add(id, this.client);
        this.update();
    }

    get driverIds() {
        return this.fleet.drivers.map(({ driver_id: id }) => id);
    }

    get offerSeconds() {
        return this.fleet.settings.offer_seconds;
    }

    /* ---- Places ---- */

    #set(key, place) {
        const driver = this.drivers.find(({ id }) => key === `driver:${id}`);
        driver ? driver.move(place) : (this.wish[key] = place);
        this.#placing(null);
    }

    #placing(placing) {
        this.map.placing = placing;
        this.update();
    }

    /* For a field of fleet_panels.js. */
    placer(key, what) {
        const picking = this.map?.placing?.key === key;
        return { picking, change: (place) => this.#set(key, place), pick: () => this.#placing(picking ? null : { key, what }) };
    }

    /* A pickup near the played driver, so that the offer goes there. */
    #suggest() {
        const near = this.drivers[0]?.place ?? (this.fleet.cells.length ? this.map.plane.middle : null);
        this.wish.pickup ??= near && { lat: near.lat + NEAR, lng: near.lng };
    }

    /* ---- Templates ---- */

    #facts() {
        const { counts, overview, problem } = this.fleet;
        const { rides, assignment } = overview;
        const seconds = (value) => (value === null ? t('fleet_none') : t('fleet_seconds', { n: count(Math.round(value)) }));
        return html`<ul class="facts">${STATUSES.map((status) => html`<li>${sign(status)}<span>${statusName(status)}</span>
                <strong class="number" data-count=${status}>${count(counts[status])}</strong></li>`)}
            <li><span>${t('fleet_rides_live')}</span><strong class="number" data-count="rides">${count(rides.searching + rides.offered + rides.assigned)}</strong></li>
            <li><span>${t('fleet_median')}</span><strong class="number">${seconds(assignment.median_seconds)}</strong></li>
            <li><span>${t('fleet_p95')}</span><strong class="number">${seconds(assignment.p95_seconds)}</strong></li></ul>
            ${problem ? note('warn', problem.code === 'no_such_fleet' ? t('fleet_gone') : t('fleet_old'), problem.message) : nothing}
            ${this.fleet.drivers.length ? nothing : note('', t('fleet_empty'), t('fleet_empty_next'))}`;
    }

    #panels() {
        return html`${riderPanel(this.rider, this.wish, this)}${driverPanel(this.drivers, this)}`;
    }

    update() {
        if (!this.parts.facts) {
            return;
        }
        const { pickup, to } = this.rider.ride ? {} : this.wish;
        this.map.marks = [...(pickup ? [{ kind: 'pickup', place: pickup }] : []), ...(to ? [{ kind: 'to', place: to }] : []),
            ...this.drivers.map(({ id, place }) => ({ kind: 'driver', id, place }))];
        render(this.#facts(), this.parts.facts);
        render(this.#panels(), this.parts.panels);
        render(timePlot(this.fleet), this.parts.time);
        this.map.show(this.fleet);
        this.#ring();
    }

    /* The rings turn by themselves. */
    #ring() {
        clearTimeout(this.timer);
        if (this.drivers.some(({ offer }) => offer)) {
            this.timer = setTimeout(() => { render(this.#panels(), this.parts.panels); this.#ring(); }, RING_MS);
        }
    }

    /* Once it is in the document. */
    begin(root) {
        ['facts', 'map', 'panels', 'time'].forEach((part) => { this.parts[part] = root.querySelector(`[data-part=${part}]`); });
        this.map = new FleetMap(this.parts.map, { onPick: (place) => this.#set(this.map.placing.key, place) });
        this.update(); /* the map has its size once the panels beside it are there */
        this.#suggest();
        this.fleet.addEventListener('change', () => this.update());
        addEventListener('keydown', (e) => e.key === 'Escape' && this.map.placing && this.#placing(null));
        this.update();
    }

    template() {
        return html`<div class="fleet" ${ref((root) => root && queueMicrotask(() => this.begin(root)))}>
            <div><p class="eyebrow">${t('fleet')}</p><h1>${name}</h1></div>
            <div data-part="facts"></div>
            <div class="stage"><div class="map card" data-part="map"></div><div class="panels" data-part="panels"></div></div>
            <div data-part="time"></div></div>`;
    }
}

/* ---- The key ---- */

function keyForm(problem) {
    const submit = (e) => {
        e.preventDefault();
        page.client.given = e.target.elements.key.value.trim();
        e.submitter.disabled = true; /* until the answer takes the form's place */
        document.querySelector('main').setAttribute('aria-busy', 'true');
        show(load);
    };
    return html`<div><p class="eyebrow">${t('fleet')}</p><h1>${name}</h1></div><form class="card key" @submit=${submit}>
        <h2>${t('fleet_key_title')}</h2><p>${t('fleet_key_why')}</p>${problem ? note('bad', t('fleet_key_wrong'), problem.message) : nothing}
        <label class="field"><span>${t('fleet_key')}</span><input name="key" type="password" autocomplete="off" spellcheck="false" required></label>
        <button class="button primary">${t('fleet_key_open')}</button></form>`;
}

const page = new Page();

async function load() {
    document.title = `${name} · Holdfast`;
    if (!demo && !page.client.given) {
        return keyForm();
    }
    try {
        await page.open();
    } catch (problem) {
        if (demo || (problem.status !== 401 && problem.status !== 403)) {
            throw problem;
        }
        return keyForm(problem);
    }
    return page.template();
}

show(load);
