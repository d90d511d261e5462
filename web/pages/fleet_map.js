/* SPDX-License-Identifier: Apache-2.0 */
/* fleet_map.js — the map of a fleet: hexagons with how many drivers are in them, drivers by what they do, live rides.
 *
 * Every status has a shape of its own. A ride shows its way: from the driver who comes, or who is asked, to the pickup, and on to
 * where it goes; drivers who were asked before and do not come have a dotted line. The mouse, one finger and the arrow keys move it; buttons, and Ctrl with the wheel,
 * zoom; a click passes its place to `onPick` while something is being placed.
 */
import { html, nothing, render, svg } from '../vendor/lit-html/lit-html.js';
import { boundary } from '../lib/h3.js';
import { Plane } from '../lib/plane.js';
import { t } from '../lib/texts.js';

const DRAG_PX = 5;
const DRIVERS_MAX = 600; /* drawn at once; the hexagons count all */
const NUMBER_PX = 30; /* of a hexagon that has room for its number */
const SHAPES = {
    free: svg`<circle r="6"></circle>`,
    offered: svg`<circle r="6"></circle><circle class="halo" r="10"></circle>`,
    busy: svg`<rect x="-6" y="-6" width="12" height="12" rx="2"></rect>`,
    away: svg`<path d="M-4.5 -4.5 L4.5 4.5 M4.5 -4.5 L-4.5 4.5"></path>`,
};
const ARROW_PX = 40; /* a shorter way has no room for one */
const THERE_M = 60; /* as near as this, a driver is at the pickup */
const STEP_PX = 60;
const ARROWS = { ArrowLeft: [STEP_PX, 0], ArrowRight: [-STEP_PX, 0], ArrowUp: [0, STEP_PX], ArrowDown: [0, -STEP_PX] };
/* The same shape, for legends. */
export const sign = (status) => html`<svg class=${`sign ${status}`} viewBox="-11 -11 22 22" aria-hidden="true">${SHAPES[status]}</svg>`;

/* A way from one point to another, with its direction in the middle: an outline, so that it is seen on any ground. */
function way([a, b], [c, d]) {
    const turn = Math.atan2(d - b, c - a) * 180 / Math.PI;
    const arrow = Math.hypot(c - a, d - b) > ARROW_PX ? svg`<path class="arrow" d="M-5 -5 L5 0 L-5 5 Z" transform=${`translate(${(a + c) / 2} ${(b + d) / 2}) rotate(${turn})`}></path>` : nothing;
    return svg`<line class="edge" x1=${a} y1=${b} x2=${c} y2=${d}></line><line x1=${a} y1=${b} x2=${c} y2=${d}></line>${arrow}`;
}

export class FleetMap {
    constructor(root, { onPick }) {
        Object.assign(this, { root, onPick, plane: new Plane(), placing: null, outlines: new Map(), shown: null, fitted: false, marks: [], aboard: new Set() /* rides whose driver was at the pickup */ });
        root.tabIndex = 0;
        root.setAttribute('role', 'group');
        root.setAttribute('aria-label', t('fleet_map'));
        new ResizeObserver(() => this.#resized()).observe(root);
        this.#gestures();
    }

    #resized() {
        this.plane.resize(this.root.clientWidth, this.root.clientHeight);
        this.shown && this.show(this.shown);
    }

    /* ---- Moving it ---- */

    #gestures() {
        const { root, plane } = this;
        let from = null;
        root.addEventListener('pointerdown', (e) => {
            from = e.button === 0 && !e.target.closest('button') ? { x: e.clientX, y: e.clientY, dragged: false } : null;
        });
        root.addEventListener('pointermove', (e) => {
            if (!from) {
                return;
            }
            const [x, y] = [e.clientX - from.x, e.clientY - from.y];
            if (from.dragged || Math.hypot(x, y) > DRAG_PX) {
                from.dragged || root.setPointerCapture(e.pointerId);
                plane.move(x, y);
                from = { x: e.clientX, y: e.clientY, dragged: true };
                this.show();
            }
        });
        root.addEventListener('pointerup', (e) => {
            const box = root.getBoundingClientRect();
            if (from && !from.dragged && this.placing) {
                this.onPick(plane.unproject(e.clientX - box.left, e.clientY - box.top));
            }
            from = null;
        });
        root.addEventListener('pointercancel', () => { from = null; });
        root.addEventListener('keydown', (e) => {
            if (e.key in ARROWS && e.target === root) {
                e.preventDefault();
                plane.move(...ARROWS[e.key]);
                this.show();
            }
        });
        root.addEventListener('wheel', (e) => {
            if (e.ctrlKey || e.metaKey) { /* the wheel alone scrolls the page */
                e.preventDefault();
                const box = root.getBoundingClientRect();
                this.zoom(Math.exp(-e.deltaY / 200), e.clientX - box.left, e.clientY - box.top);
            }
        }, { passive: false });
    }

    zoom(factor, x, y) {
        this.plane.zoom(factor, x, y);
        this.show();
    }

    fit() {
        const { cells, rides, drivers } = this.shown;
        const points = [...cells.flatMap(({ cell }) => this.#outline(cell)), ...rides.flatMap(({ pickup, to }) => (to ? [pickup, to] : [pickup])),
            ...drivers.filter(({ lat }) => lat !== null), ...this.marks.map(({ place }) => place)];
        this.plane.fit(points);
        this.fitted ||= points.length > 0;
    }

    /* ---- Drawing ---- */

    #outline(cell) {
        if (!this.outlines.has(cell)) {
            this.outlines.set(cell, boundary(cell));
        }
        return this.outlines.get(cell);
    }

    #cell(cell) {
        const corners = this.#outline(cell.cell).map((point) => this.plane.project(point));
        const n = cell.free + cell.offered + cell.busy;
        const [x, y] = [0, 1].map((i) => corners.reduce((sum, one) => sum + one[i], 0) / corners.length);
        const wide = Math.max(...corners.map((one) => one[0])) - Math.min(...corners.map((one) => one[0]));
        return svg`<g class=${`cell n-${Math.min(n, 4)}`} data-cell=${cell.cell}>
            <polygon points=${corners.map((one) => one.map((at) => at.toFixed(1)).join(',')).join(' ')}></polygon>
            ${n > 1 && wide > NUMBER_PX ? svg`<text x=${x} y=${y - wide / 4}>${n}</text>` : nothing}</g>`;
    }

    #at(point) {
        return this.plane.project(point).map((at) => at.toFixed(1)).join(' ');
    }

    #played(driver) {
        return this.marks.some(({ kind, id }) => kind === 'driver' && id === driver.driver_id);
    }

    #driver(driver) {
        const played = this.#played(driver);
        return svg`<g class=${`driver ${driver.status} ${played ? 'played' : ''}`} data-driver=${driver.driver_id} data-status=${driver.status}
            transform=${`translate(${this.#at(driver)})`}>${SHAPES[driver.status]}${played ? svg`<text y="-14">${driver.driver_id}</text>` : nothing}</g>`;
    }

    #placeOf(id) {
        const driver = this.shown.drivers.find((one) => one.driver_id === id && one.lat !== null);
        return driver && this.plane.project(driver);
    }

    /* Drivers who were asked: the last one, until an answer; those before, who do not come. */
    #asked({ offers, pickup }) {
        const at = this.plane.project(pickup);
        return (offers ?? []).filter(({ end }) => end !== 'accepted').map((offer) => ({ offer, place: this.#placeOf(offer.driver_id) })).filter(({ place }) => place)
            .map(({ offer, place }) => svg`<g class=${offer.end ? 'passed' : 'asks'} data-asked=${offer.driver_id} data-end=${offer.end ?? 'live'}>${way(place, at)}</g>`);
    }

    /* The driver comes to the pickup, and then drives on to where the ride goes. */
    #ride(ride) {
        const [from, to] = [ride.pickup, ride.to].map((point) => point && this.plane.project(point));
        const driver = ride.status === 'assigned' ? this.#placeOf(ride.driver_id) : null;
        if (driver && Math.hypot(driver[0] - from[0], driver[1] - from[1]) < THERE_M * this.plane.scale) {
            this.aboard.add(ride.ride_id);
        }
        const aboard = driver && this.aboard.has(ride.ride_id);
        return svg`<g class=${`ride ${ride.status}`} data-ride=${ride.ride_id} data-status=${ride.status} data-leg=${driver ? aboard ? 'drives' : 'comes' : nothing}>
            ${to ? svg`<g class=${aboard ? 'done' : 'way'}>${way(from, aboard ? driver : to)}</g>` : nothing}
            ${ride.status === 'assigned' ? nothing : this.#asked(ride)}
            ${driver && !aboard ? svg`<g class="comes">${way(driver, from)}</g>` : nothing}
            ${aboard && to ? svg`<g class="comes">${way(driver, to)}</g>` : nothing}
            <path class="pickup" transform=${`translate(${from.join(' ')})`} d="M0 0 L-6 -10 A7 7 0 1 1 6 -10 Z"></path>
            ${to ? svg`<path class="to" transform=${`translate(${to.join(' ')})`} d="M0 0 V-15 H10 L7 -11 L10 -7 H0"></path>` : nothing}</g>`;
    }

    /* The way that is about to be asked for. */
    #wish() {
        const [from, to] = ['pickup', 'to'].map((kind) => this.marks.find((mark) => mark.kind === kind)).map((mark) => mark && this.plane.project(mark.place));
        return from && to ? svg`<g class="mark way">${way(from, to)}</g>` : nothing;
    }

    /* What is about to be asked for. */
    #mark({ kind, place }) {
        return kind === 'driver' ? nothing : svg`<g class=${`mark ${kind}`} transform=${`translate(${this.#at(place)})`}>
            ${kind === 'pickup' ? svg`<path d="M0 0 L-6 -10 A7 7 0 1 1 6 -10 Z"></path>` : svg`<path d="M0 0 V-15 H10 L7 -11 L10 -7 H0"></path>`}</g>`;
    }

    #label({ cells, drivers, rides }) {
        return t('fleet_map_label', { cells: cells.length, drivers: drivers.length, rides: rides.length });
    }

    show(fleet = this.shown) {
        this.shown = fleet;
        if (!fleet || !this.root.clientWidth) {
            return;
        }
        this.plane.resize(this.root.clientWidth, this.root.clientHeight);
        this.fitted || this.fit();
        const { width, height } = this.plane;
        const drivers = fleet.drivers.filter(({ lat }) => lat !== null).slice(0, DRIVERS_MAX)
            .sort((a, b) => this.#played(a) - this.#played(b)); /* those on top */
        render(html`<svg role="img" aria-label=${this.#label(fleet)} viewBox=${`0 0 ${width} ${height}`} class=${this.placing ? 'placing' : ''}>
                ${fleet.cells.map((cell) => this.#cell(cell))}${fleet.rides.map((ride) => this.#ride(ride))}${this.#wish()}
                ${drivers.map((driver) => this.#driver(driver))}${this.marks.map((mark) => this.#mark(mark))}</svg>
            <div class="zoom"><button class="button icon" type="button" aria-label=${t('map_zoom_in')} @click=${() => this.zoom(1.5)}>+</button>
                <button class="button icon" type="button" aria-label=${t('map_zoom_out')} @click=${() => this.zoom(1 / 1.5)}>−</button>
                <button class="button icon" type="button" aria-label=${t('fleet_fit')} @click=${() => { this.fit(); this.show(); }}>⤢</button></div>
            ${this.placing ? html`<p class="placing-hint" role="status">${t('fleet_placing', { what: this.placing.what })}</p>` : nothing}`, this.root);
    }
}
