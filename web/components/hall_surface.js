/* SPDX-License-Identifier: Apache-2.0 */
/* hall_surface.js — groups of seats on a plan: moved with a pointer or the arrow keys, seats chosen one by one or by a frame.
 *
 *     const surface = new HallSurface({ label, drag, choose, open });
 *     surface.show({ groups: [{ id, seats, title, still }], tool, opened, picks, ranks });
 *
 * `drag(id, dx, dy)` when a group was moved, in units of the plan; `choose(picks, adds)` with a Map of group → keys when seats
 * were chosen; `open(id)` when a group was taken; with `shrinks` it is no higher than it must be. A group of which `still` is true stays where it is. Each group is a few paths,
 * not an element for each seat, made again only when its seats are others; a tier is a colour and a shape.
 */
import { boxOf } from '../lib/drawing/box.js';
import { t } from '../lib/texts.js';

const SVG = 'http://www.w3.org/2000/svg';
const SIZE = 0.4; /* of half a seat, in units */
const EDGE = 2.5;
const FRONT = 2;
const FRONT_PX = 14;
const ROW_NAME_AT = 1.4; /* before the first seat: outside of the hull */
const ABOVE_PX = 12; /* as in the style */
const SNAP = 0.5;
const PITCH_LEAST = 3; /* px of a unit */
const PITCH_MOST = 60;
const PITCH_FIT = 28;
const SLIP_PX = 4; /* a press that moves less is a click */
const NAMED_MOST = 300; /* rows with their names */
const SHAPES = 5;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const element = (name, attributes = {}) => {
    const made = document.createElementNS(SVG, name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    return made;
};

/* One seat of each shape around (x, y). */
const circle = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
const DRAWN = [
    (x, y) => circle(x, y, SIZE),
    (x, y) => `M${x - 0.36} ${y - 0.36}h.72v.72h-.72z`,
    (x, y) => `M${x} ${y - 0.46}l.46 .8h-.92z`,
    (x, y) => `M${x} ${y - 0.48}l.48 .48l-.48 .48l-.48 -.48z`,
    (x, y) => `M${x - 0.44} ${y - 0.26}h.88v.52h-.88z`,
];
const MARKS = {
    allotment: (x, y) => circle(x, y, 0.16),
    blocked: (x, y) => `M${x - 0.5} ${y - 0.5}l1 1M${x + 0.5} ${y - 0.5}l-1 1`,
    accessible: (x, y) => `M${x - 0.2} ${y}h.4M${x} ${y - 0.2}v.4`,
};

export class HallSurface {
    #drawn = new Map(); /* group → {element, seats, ranks} */
    #press = null;

    constructor({ label, drag, choose, open, shrinks = false }) {
        Object.assign(this, { drag, choose, open, shrinks, scale: PITCH_FIT, groups: [], fitted: true });
        this.root = document.createElement('div');
        this.root.className = 'surface';
        this.svg = element('svg', { tabindex: '0', role: 'group', 'aria-label': label });
        this.front = element('text', { class: 'front', 'text-anchor': 'middle' });
        this.front.textContent = t('map_stage');
        this.frame = element('rect', { class: 'frame', visibility: 'hidden' });
        this.chosen = element('path', { class: 'chosen' });
        this.layer = element('g');
        this.svg.append(this.front, this.layer, this.chosen, this.frame);
        this.root.append(this.svg);
        this.svg.addEventListener('pointerdown', (e) => this.#down(e));
        this.svg.addEventListener('pointermove', (e) => this.#move(e));
        this.svg.addEventListener('pointerup', (e) => this.#up(e));
        this.svg.addEventListener('pointercancel', () => this.#end());
        this.svg.addEventListener('keydown', (e) => this.#key(e));
    }

    /* Once it is in a document. */
    start(signal) {
        const sizes = new ResizeObserver(() => this.#scaled());
        sizes.observe(this.root);
        signal.addEventListener('abort', () => sizes.disconnect());
    }

    show({ groups, tool, opened = null, picks = new Map(), ranks }) {
        Object.assign(this, { groups, tool, opened, picks });
        this.svg.classList.toggle('selecting', tool === 'select');
        const known = new Set(groups.map(({ id }) => id));
        for (const [id, { element: old }] of this.#drawn) {
            if (!known.has(id)) {
                old.remove();
                this.#drawn.delete(id);
            }
        }
        groups.forEach((group) => this.#group(group, ranks));
        this.chosen.setAttribute('d', groups.flatMap(({ id, seats }) => (picks.has(id)
            ? seats.filter(({ key }) => picks.get(id).has(key)).map(({ x, y }) => circle(x, y, 0.52)) : [])).join(''));
        this.#scaled();
    }

    /* ---- Groups ---- */

    #group(group, ranks) {
        const known = this.#drawn.get(group.id);
        const current = known && known.seats === group.seats && known.ranks === ranks;
        const drawn = current ? known.element : this.#draw(group, ranks);
        drawn.classList.toggle('opened', group.id === this.opened);
        drawn.classList.toggle('still', Boolean(group.still));
        if (!current) {
            known ? known.element.replaceWith(drawn) : this.layer.append(drawn);
            this.#drawn.set(group.id, { element: drawn, seats: group.seats, ranks });
        }
    }

    #draw({ id, seats }, ranks) {
        const made = element('g', { 'data-block': id });
        const shapes = Array.from({ length: SHAPES }, () => []);
        const marks = { allotment: [], blocked: [], accessible: [] };
        for (const seat of seats) {
            const rank = (ranks.get(seat.tier ?? '') ?? 0) % SHAPES;
            shapes[rank].push(DRAWN[rank](seat.x, seat.y));
            Object.keys(marks).forEach((mark) => seat[mark] && marks[mark].push(MARKS[mark](seat.x, seat.y)));
        }
        const box = boxOf(seats);
        made.append(element('rect', { class: 'hull', rx: 0.6, x: box.left - 0.8, y: box.top - 0.8, width: box.right - box.left + 1.6, height: box.bottom - box.top + 1.6 }));
        shapes.forEach((parts, rank) => parts.length && made.append(element('path', { class: `tier-${rank}`, d: parts.join('') })));
        Object.entries(marks).forEach(([mark, parts]) => parts.length && made.append(element('path', { class: `mark ${mark}`, d: parts.join('') })));
        made.append(...this.#names(seats));
        return made;
    }

    /* The name of each row beside its first seat, and the numbers of its first and last one. */
    #names(seats) {
        const rows = new Map();
        seats.forEach((seat) => {
            const row = `${seat.section}\n${seat.row}`;
            rows.has(row) ? rows.get(row).push(seat) : rows.set(row, [seat]);
        });
        if (rows.size > NAMED_MOST) {
            return [];
        }
        const text = (name, x, y, content) => {
            const made = element('text', { class: name, x, y, 'text-anchor': 'middle', 'dominant-baseline': 'central' });
            made.textContent = content;
            return made;
        };
        return [...rows.values()].flatMap((row) => {
            const [first, last] = [row[0], row.at(-1)];
            const next = row[1] ?? { x: first.x + 1, y: first.y };
            const far = Math.hypot(next.x - first.x, next.y - first.y) || 1;
            const [x, y] = [next.x - first.x, next.y - first.y].map((step) => (ROW_NAME_AT * step) / far);
            const name = text('row', first.x - x, first.y - y, first.row ?? '');
            return [name, ...[first, last].map((seat) => text('number', seat.x, seat.y, seat.number ?? ''))];
        });
    }

    /* ---- Size ---- */

    #bounds() {
        const box = boxOf(this.groups.flatMap(({ seats }) => seats)) ?? { left: -8, top: 0, right: 8, bottom: 8 };
        return { left: box.left - EDGE, top: box.top - EDGE - FRONT, width: box.right - box.left + 2 * EDGE, height: box.bottom - box.top + 2 * EDGE + FRONT };
    }

    #scaled() {
        const { left, top, width, height } = this.box = this.#bounds();
        const room = this.root.clientWidth;
        if (!room) {
            return;
        }
        this.root.style.height = '';
        if (this.fitted) {
            this.scale = Math.max(PITCH_LEAST, Math.min(PITCH_FIT, room / width, (this.root.clientHeight - ABOVE_PX) / height));
        }
        if (this.shrinks && height * this.scale + ABOVE_PX < this.root.clientHeight) {
            this.root.style.height = `${height * this.scale + ABOVE_PX}px`;
        }
        this.svg.setAttribute('viewBox', `${left} ${top} ${width} ${height}`);
        this.svg.setAttribute('width', width * this.scale);
        this.svg.setAttribute('height', height * this.scale);
        this.front.setAttribute('x', left + width / 2);
        this.front.setAttribute('y', top + FRONT);
        this.front.setAttribute('font-size', FRONT_PX / this.scale);
        this.svg.classList.toggle('close', this.scale >= 14);
    }

    zoomBy(factor) {
        const [x, y] = [this.root.scrollLeft + this.root.clientWidth / 2, this.root.scrollTop + this.root.clientHeight / 2];
        const before = this.scale;
        this.fitted = false;
        this.scale = Math.max(PITCH_LEAST, Math.min(PITCH_MOST, this.scale * factor));
        this.#scaled();
        const ratio = this.scale / before;
        this.root.scrollTo(x * ratio - this.root.clientWidth / 2, y * ratio - this.root.clientHeight / 2);
    }

    fit() {
        this.fitted = true;
        this.#scaled();
    }

    /* ---- Pointer, keys ---- */

    #at(e) {
        const { left, top } = this.svg.getBoundingClientRect();
        return [(e.clientX - left) / this.scale + this.box.left, (e.clientY - top) / this.scale + this.box.top];
    }

    /* The seat under a point, and its group. */
    #hit([x, y]) {
        for (const group of [...this.groups].reverse()) {
            const seat = group.seats.find((one) => Math.hypot(one.x - x, one.y - y) < 0.55);
            if (seat) {
                return { group, seat };
            }
        }
        return null;
    }

    #down(e) {
        if (e.button !== 0) {
            return;
        }
        const at = this.#at(e);
        const under = e.target.closest?.('[data-block]')?.dataset.block;
        const group = this.#hit(at)?.group ?? this.groups.find(({ id }) => String(id) === under);
        const moves = this.tool === 'move' && group && !group.still;
        this.#press = { at, from: [e.clientX, e.clientY], group: moves ? group : null, scroll: [this.root.scrollLeft, this.root.scrollTop], moved: false };
        if (moves || this.tool === 'select') {
            this.svg.setPointerCapture(e.pointerId);
        }
        if (moves) {
            this.open(group.id);
        }
    }

    #move(e) {
        const press = this.#press;
        if (!press) {
            return;
        }
        press.moved ||= Math.hypot(e.clientX - press.from[0], e.clientY - press.from[1]) > SLIP_PX;
        if (!press.moved) {
            return;
        }
        const [x, y] = this.#at(e);
        if (press.group) {
            press.by = [x - press.at[0], y - press.at[1]].map((far) => Math.round(far / SNAP) * SNAP);
            this.#drawn.get(press.group.id)?.element.setAttribute('transform', `translate(${press.by.join(' ')})`);
        } else if (this.tool === 'select') {
            press.box = { left: Math.min(x, press.at[0]), top: Math.min(y, press.at[1]), right: Math.max(x, press.at[0]), bottom: Math.max(y, press.at[1]) };
            const { left, top, right, bottom } = press.box;
            Object.entries({ x: left, y: top, width: right - left, height: bottom - top, visibility: 'visible' }).forEach(([key, value]) => this.frame.setAttribute(key, value));
        } else if (e.pointerType === 'mouse') {
            this.root.scrollTo(press.scroll[0] + press.from[0] - e.clientX, press.scroll[1] + press.from[1] - e.clientY);
        }
    }

    #up(e) {
        const press = this.#press;
        this.#end();
        if (press?.by?.some(Boolean)) {
            this.drag(press.group.id, ...press.by);
        } else if (press?.box) {
            this.choose(this.#inside(press.box), e.shiftKey);
        } else if (press && this.tool === 'select') {
            const hit = this.#hit(this.#at(e));
            hit && this.choose(new Map([[hit.group.id, new Set([hit.seat.key])]]), true);
        }
    }

    #end() {
        const { group } = this.#press ?? {};
        this.#press = null;
        this.frame.setAttribute('visibility', 'hidden');
        group && this.#drawn.get(group.id)?.element.removeAttribute('transform');
    }

    #inside({ left, top, right, bottom }) {
        const picks = new Map();
        for (const { id, seats } of this.groups) {
            const keys = seats.filter(({ x, y }) => x >= left && x <= right && y >= top && y <= bottom).map(({ key }) => key);
            keys.length && picks.set(id, new Set(keys));
        }
        return picks;
    }

    #key(e) {
        const way = KEYS[e.key];
        const group = this.groups.find(({ id }) => id === this.opened);
        if (way && group && !group.still && !e.ctrlKey && !e.metaKey && !e.altKey) {
            e.preventDefault();
            this.drag(group.id, ...way.map((one) => one * (e.shiftKey ? 5 : SNAP)));
        }
    }
}
