/* SPDX-License-Identifier: Apache-2.0 */
/* seat_map.js — a hall drawn into an element that scrolls: sections first, seats when close.
 *
 * The plan is a box of `scale` pixels to a unit inside a scroller, so that panning is the browser's own scrolling. Sections
 * are buttons that are always there. Seats are buttons of the sections that are open: all of them in a hall of up to
 * OPEN_ALL seats, otherwise those in view once seats are large enough to be hit, and never more than SEATS_MAX. Everything
 * is placed in per cent of the plan, so that zooming changes one box. Seats that are not open are dots on a canvas below (seat_dots.js).
 */
import { t } from '../lib/texts.js';
import { MapGestures } from './map_gestures.js';
import { SeatDots } from './seat_dots.js';
import { fillSeat, labelSection, rowElement, seatElement, sectionElement, stageElement } from './seat_elements.js';

const OPEN_ALL = 1_000;
const SEATS_MAX = 2_000;
const PITCH_OPEN = 12; /* px between seats from which on they are shown */
const PITCH_TOUCH = 27; /* px that a finger can hit, */
const PITCH_MOUSE = 12; /* and a mouse */
const PITCH_FITS = 24; /* enough for a finger if the whole hall is in view */
const PITCH_MOST = 44;
const HEIGHT_LEAST = 0.5;
const ROWS_NAMED = 100;
const KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'];

export class SeatMap {
    #drawing = 0;
    #dirty = new Set();
    #moved = false;

    /* `mine(seat)` and `pending(seat)` are about the visitor; `price(seat)` what it costs now; `choose(seat)` is called when
     * one is clicked, `look(seat)` when it is pointed at or focused; `told(seat)`, if given, is
     * what else is to be seen of a seat: null, or {mark, sign, text}: a word for its looks, what stands on it, and in words. */
    constructor(hall, { mine, pending, price: cost, choose, look, usable, told = () => null }) {
        Object.assign(this, { hall, mine, pending, cost, choose, look, usable, told });
        this.all = hall.size <= OPEN_ALL;
        this.open = new Set(); /* numbers of sections */
        this.pinned = null;
        this.elements = new Map(); /* index → element */
        this.scale = 1;
        this.origin = [0, 0]; /* of the plan in the scroller, px */
        this.#build();
    }

    #build() {
        this.root = document.createElement('div');
        this.root.className = 'scroller';
        this.plan = document.createElement('div');
        this.plan.className = 'plan';
        this.plan.setAttribute('role', 'group');
        this.plan.setAttribute('aria-label', t('map_label'));
        this.root.append(this.plan);
        this.plan.append(stageElement());
        if (!this.all) {
            this.dots = new SeatDots(this);
            this.plan.append(this.dots.canvas);
        }
        this.sections = this.hall.sections.map((section) => sectionElement(this.hall, section));
        this.plan.append(...this.sections);
        this.root.addEventListener('scroll', () => this.#later(), { passive: true });
        this.plan.addEventListener('click', (e) => this.#click(e));
        this.plan.addEventListener('keydown', (e) => this.#key(e));
        this.plan.addEventListener('focusin', (e) => this.#focus(e));
        this.plan.addEventListener('pointerover', (e) => this.#point(e));
        this.gestures = new MapGestures(this);
    }

    /* Once it is in a document. */
    start(signal) {
        const sizes = new ResizeObserver(() => this.#resized());
        sizes.observe(this.root);
        const scheme = matchMedia('(prefers-color-scheme: dark)');
        scheme.addEventListener('change', () => this.dots?.paintAll(), { signal });
        signal.addEventListener('abort', () => sizes.disconnect());
    }

    #resized() {
        const fresh = !this.width;
        const fitted = !fresh && this.fits;
        const { hall, root } = this;
        this.width = root.clientWidth;
        if (!this.width) {
            return;
        }
        root.style.height = '';
        const style = getComputedStyle(root);
        const [sides, ends] = [['Left', 'Right'], ['Top', 'Bottom']].map((pair) => pair.reduce((sum, side) => sum + parseFloat(style[`padding${side}`]), 0));
        const across = Math.min((this.width - sides) / hall.width, PITCH_MOST / hall.pitch);
        const fit = (height) => Math.min(across, (height - ends) / hall.height);
        const close = this.all && fit(root.clientHeight) * hall.pitch < Math.min(this.#pitchOpen(), PITCH_FITS);
        this.height = root.clientHeight;
        const wanted = close ? this.#blockScale(this.#front()) : across;
        /* No higher than a flat hall needs. */
        this.height = Math.min(this.height, Math.max(this.height * HEIGHT_LEAST, wanted * hall.height + ends));
        root.style.height = `${this.height}px`;
        this.least = fit(this.height);
        this.zoomTo(fresh && close ? wanted : fresh || fitted ? this.least : this.scale);
        if (fresh) {
            close && this.#frame(this.#front());
            this.dots?.paintAll();
        }
    }

    /* The section that a hall opens with if it cannot be seen whole: with something left, in the middle of the front. */
    #front() {
        const { sections, width } = this.hall;
        const far = ({ left, right, top }) => Math.hypot((left + right - width) / 2, top);
        const free = sections.filter((section) => section.free);
        return (free.length ? free : sections).reduce((a, b) => (far(b) < far(a) ? b : a));
    }

    /* As large as it can be seen whole, with the names of its rows, but so that its seats can be hit. */
    #blockScale({ left, right, top, bottom }) {
        const { pitch } = this.hall;
        const whole = Math.min(this.width / (right - left + 2 * pitch), this.height / (bottom - top + 2 * pitch));
        return Math.max(Math.min(whole, PITCH_TOUCH / pitch), Math.min(this.#pitchOpen(), PITCH_FITS) / pitch);
    }

    #pitchOpen() {
        return matchMedia('(pointer: coarse)').matches || this.width < 600 ? PITCH_TOUCH : PITCH_MOUSE;
    }

    /* ---- Zoom ---- */

    /* The point at (x, y) of the scroller stays where it is. */
    zoomTo(scale, x = this.width / 2, y = this.height / 2) {
        const most = (PITCH_MOST * 1.5) / this.hall.pitch;
        const next = Math.min(most, Math.max(this.least, scale));
        const at = this.#at(x, y);
        this.scale = next;
        this.plan.style.width = `${this.hall.width * next}px`;
        this.plan.style.height = `${this.hall.height * next}px`;
        this.plan.style.setProperty('--pitch', `${this.hall.pitch * next}px`);
        this.plan.classList.toggle('numbers', this.hall.pitch * next >= 21);
        this.origin = [this.plan.offsetLeft, this.plan.offsetTop];
        this.#bring(at, x, y);
        this.#later();
    }

    /* The point of the hall at (x, y) of the scroller, */
    #at(x, y) {
        return [(this.root.scrollLeft + x - this.origin[0]) / this.scale, (this.root.scrollTop + y - this.origin[1]) / this.scale];
    }

    /* and the other way: that point comes to (x, y). */
    #bring(at, x = this.width / 2, y = this.height / 2) {
        this.root.scrollTo(at[0] * this.scale + this.origin[0] - x, at[1] * this.scale + this.origin[1] - y);
    }

    /* A section in the middle, with the names of its rows; with the front in view if that is near. */
    #frame({ left, right, top, bottom }) {
        const high = bottom * this.scale + this.origin[1] < this.height;
        this.#bring([(left + right - this.hall.pitch) / 2, high ? 0 : (top + bottom) / 2]);
    }

    zoomBy(factor) {
        this.zoomTo(this.scale * factor);
    }

    fit() {
        this.pinned = null;
        this.zoomTo(this.least);
    }

    get fits() {
        return this.scale <= this.least * 1.01;
    }

    /* Goes so close to a section that its seats can be chosen. */
    openSection(number) {
        const { left, right, top, bottom } = this.hall.sections[number];
        const fit = Math.min(this.width / (right - left), this.height / (bottom - top)) * 0.92;
        this.pinned = number;
        this.zoomTo(Math.max(this.#pitchOpen() / this.hall.pitch, Math.min(fit, PITCH_MOST / this.hall.pitch)));
        this.#bring([(left + right) / 2, (top + bottom) / 2]);
        this.#refresh();
    }

    /* Brings a seat into view, with an element of its own; that element. */
    show(index) {
        const seat = this.hall.seats[index];
        if (!this.elements.has(index)) {
            this.openSection(seat.area);
        }
        const element = this.elements.get(index);
        element?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        return element;
    }

    /* ---- What is open ---- */

    #later() {
        this.#moved = true;
        this.#drawing ||= requestAnimationFrame(() => this.#draw());
    }

    #draw() {
        this.#drawing = 0;
        if (this.#moved) {
            this.#moved = false;
            this.#refresh();
        }
        for (const index of this.#dirty) {
            this.#paint(index);
        }
        this.#dirty.clear();
    }

    /* Which sections should be open: the one with the focus, those in view, the nearest to its middle first, as many as there
     * may be. */
    #wanted(focused) {
        const { hall, scale } = this;
        if (this.all) {
            return new Set(hall.sections.map(({ number }) => number));
        }
        if (hall.pitch * scale < PITCH_OPEN) {
            return new Set();
        }
        const [x, y] = this.#at(this.width / 2, this.height / 2);
        const [w, h] = [this.width / scale / 2, this.height / scale / 2];
        const near = hall.sections.filter((s) => s.number === focused || (s.left < x + w && s.right > x - w && s.top < y + h && s.bottom > y - h));
        const far = (s) => (s.number === focused ? -2 : s.number === this.pinned ? -1 : Math.hypot((s.left + s.right) / 2 - x, (s.top + s.bottom) / 2 - y));
        let left = SEATS_MAX;
        return new Set(near.sort((a, b) => far(a) - far(b)).filter((s, i) => (left -= s.seats.length) >= 0 || i === 0).map((s) => s.number));
    }

    /* The seat that has the focus. */
    get focused() {
        return this.hall.seats[this.hall.index.get(this.root.getRootNode().activeElement?.dataset?.seat)];
    }

    #refresh() {
        if (!this.width) {
            return;
        }
        const wanted = this.#wanted(this.focused?.area);
        for (const number of this.open) {
            wanted.has(number) || this.#close(number);
        }
        for (const number of wanted) {
            this.open.has(number) || this.#open(number);
        }
        for (const number of this.open) { /* more than may be at once: those in view */
            this.hall.sections[number].seats.length > SEATS_MAX && this.#cull(number);
        }
    }

    #open(number) {
        this.open.add(number);
        this.sections[number].classList.add('open');
        this.#rows(this.hall.sections[number]);
        const { seats } = this.hall.sections[number];
        if (seats.length <= SEATS_MAX) {
            this.#add(seats);
        }
    }

    #close(number) {
        this.open.delete(number);
        this.sections[number].classList.remove('open');
        this.hall.sections[number].names.forEach((name) => name.remove());
        this.#remove(this.hall.sections[number].seats);
    }

    #cull(number) {
        const { scale } = this;
        const edge = 2 * this.hall.pitch;
        const [left, top] = this.#at(0, 0).map((at) => at - edge);
        const [right, bottom] = [left + this.width / scale + 2 * edge, top + this.height / scale + 2 * edge];
        const { seats } = this.hall.sections[number];
        const { focused } = this;
        const first = focused?.area === number ? [focused] : [];
        const seen = [...first, ...seats.filter((s) => s.x > left && s.x < right && s.y > top && s.y < bottom)].slice(0, SEATS_MAX);
        const kept = new Set(seen);
        this.#remove(seats.filter((seat) => !kept.has(seat)));
        this.#add(seen);
    }

    #add(seats) {
        const made = document.createDocumentFragment();
        for (const seat of seats) {
            if (!this.elements.has(seat.index)) {
                const element = seatElement(this.hall, seat);
                this.elements.set(seat.index, element);
                fillSeat(element, seat, this);
                made.append(element);
            }
        }
        this.plan.append(made);
        this.#rove();
    }

    /* The names of rows, unless there are too many. */
    #rows(section) {
        const lines = new Set(section.seats.map((seat) => seat.line));
        section.names = [...lines].filter(([first]) => first.row && lines.size <= ROWS_NAMED).map((line) => rowElement(this.hall, line));
        this.plan.append(...section.names);
    }

    #remove(seats) {
        for (const seat of seats) {
            this.elements.get(seat.index)?.remove();
            this.elements.delete(seat.index);
        }
        this.#rove();
    }

    /* ---- Changes ---- */

    /* A seat stands differently: it alone is painted again, with what its section says. */
    changed(index) {
        this.#dirty.add(index);
        this.#drawing ||= requestAnimationFrame(() => this.#draw());
    }

    changedAll() {
        for (const index of this.elements.keys()) {
            this.#paint(index);
        }
        this.hall.sections.forEach((section) => labelSection(this.sections[section.number], section));
        this.dots?.paintAll();
    }

    #paint(index) {
        const seat = this.hall.seats[index];
        const element = this.elements.get(index);
        const section = this.hall.sections[seat.area];
        element && fillSeat(element, seat, this);
        labelSection(this.sections[section.number], section);
        this.dots?.paint(seat);
    }

    /* ---- Pointer, keys ---- */

    #hit(e) {
        const element = e.target.closest?.('[data-seat]');
        return element ? this.hall.seats[this.hall.index.get(element.dataset.seat)] : null;
    }

    #click(e) {
        const seat = this.#hit(e);
        const section = e.target.closest('[data-section]');
        if (this.gestures.dragged) {
            return;
        }
        if (seat) {
            this.choose(seat);
        } else if (section) {
            const number = this.sections.indexOf(section);
            this.all || this.openSection(number);
            e.detail === 0 && this.#enter(number); /* by keyboard */
        }
    }

    /* Goes on with the seats of a section: the first one that is free, or the first. */
    #enter(number) {
        const { seats } = this.hall.sections[number];
        const first = seats.find((seat) => this.hall.status[seat.index] === 0) ?? seats[0];
        this.show(first.index)?.focus();
    }

    #key(e) {
        const seat = this.#hit(e);
        if (!seat || !KEYS.includes(e.key)) {
            return;
        }
        e.preventDefault();
        const next = this.hall.beside(seat.index, e.key);
        next && this.show(next.index)?.focus();
    }

    #focus(e) {
        const seat = this.#hit(e);
        if (seat) {
            this.stop = seat.index;
            this.#rove();
            this.look(seat);
        }
    }

    /* One stop of the Tab key for all seats: the one that had it last, or the first that is free. */
    #rove() {
        if (!this.elements.has(this.stop)) {
            this.stop = undefined;
            for (const index of this.elements.keys()) {
                this.stop ??= index;
                if (this.hall.status[index] === 0) {
                    this.stop = index;
                    break;
                }
            }
        }
        const element = this.elements.get(this.stop);
        if (element !== this.stopped) {
            this.stopped?.setAttribute('tabindex', '-1');
            element?.setAttribute('tabindex', '0');
            this.stopped = element;
        }
    }

    #point(e) {
        const seat = this.#hit(e);
        seat && this.look(seat);
    }
}
