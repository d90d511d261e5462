/* SPDX-License-Identifier: Apache-2.0 */
/* seat_elements.js — what a seat map is made of: a section, a seat, the name of a row, as elements placed in per cent of the plan. */
import { nameOf } from '../lib/places.js';
import { count, price } from '../lib/format.js';
import { t } from '../lib/texts.js';

const SHAPES = 5; /* and colours, of tiers */
const PRICED = 5_000; /* seats of a section that are looked at for its lowest price */
const SIGNS = { sold: '×', held: '–', blocked: '', mine: '✓' };

const per = (part, whole) => `${(100 * part) / whole}%`;

function place(element, hall, x, y) {
    element.style.left = per(x, hall.width);
    element.style.top = per(y, hall.height);
    return element;
}

export function stageElement() {
    return Object.assign(document.createElement('div'), { className: 'stage', textContent: t('map_stage') });
}

export function sectionElement(hall, section) {
    const element = document.createElement('button');
    element.type = 'button';
    element.className = 'section';
    element.dataset.section = section.name;
    place(element, hall, section.left, section.top);
    element.style.width = per(section.right - section.left, hall.width);
    element.style.height = per(section.bottom - section.top, hall.height);
    const part = (kind, text, name = '') => Object.assign(document.createElement(kind), { textContent: text, className: name });
    const name = part('strong', section.name || t('section_plain'));
    section.name && name.prepend(part('span', t('section', { section: '' }), 'visually-hidden'));
    const least = Math.min(...section.seats.slice(0, PRICED).map((seat) => hall.price(seat) ?? Infinity));
    element.append(name, part('span', ''), part('span', Number.isFinite(least) ? t('from_price', { price: price(least, hall.currency) }) : '', 'visually-hidden'));
    labelSection(element, section);
    return element;
}

/* What is left in it. */
export function labelSection(element, section) {
    element.children[1].textContent = section.free ? t('left', { n: section.free }).replace(section.free, count(section.free)) : t('sold_out');
    element.dataset.left = section.free;
}

export function seatElement(hall, seat) {
    const element = document.createElement('button');
    element.type = 'button';
    element.tabIndex = -1;
    element.dataset.seat = seat.id;
    element.className = `seat shape-${seat.rank % SHAPES}${seat.accessible ? ' accessible' : ''}`;
    return place(element, hall, seat.x, seat.y);
}

/* How it stands now, as the map knows it: a colour, a sign, a name. */
export function fillSeat(element, seat, map) {
    const { hall } = map;
    const status = map.mine(seat) ? 'mine' : hall.statusOf(seat.index);
    const free = status === 'available' || status === 'mine' || map.usable(seat, status);
    const told = map.told(seat);
    element.dataset.status = status;
    told ? element.dataset.mark = told.mark : delete element.dataset.mark;
    element.textContent = told?.sign ?? SIGNS[status] ?? (seat.accessible ? '♿\uFE0E' : seat.number);
    const name = nameOf(seat, map.cost(seat), hall.currency, status);
    element.setAttribute('aria-label', told ? `${name}, ${told.text}` : name);
    element.setAttribute('aria-pressed', String(status === 'mine'));
    free ? element.removeAttribute('aria-disabled') : element.setAttribute('aria-disabled', 'true');
    element.toggleAttribute('data-pending', map.pending(seat));
}

/* The name of a row, beside its first seat. */
export function rowElement(hall, [first]) {
    const element = Object.assign(document.createElement('span'), { className: 'row', textContent: first.row });
    element.setAttribute('aria-hidden', 'true');
    return place(element, hall, first.x, first.y);
}
