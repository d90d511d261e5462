/* SPDX-License-Identifier: Apache-2.0 */
/* seat_dots.js — all seats of a large hall as dots on one canvas, below the sections of a seat map.
 *
 * Painted once at the size at which the whole hall is in view, and stretched when it is zoomed; a change paints one dot.
 */
const SHARPER = 1.5;
const SIDE_MAX = 4_096;
const SIZE = 0.62; /* of the distance between seats */
const TIERS = [1, 2, 3, 4, 5];

export class SeatDots {
    constructor(map) {
        this.map = map;
        this.canvas = document.createElement('canvas');
        this.canvas.setAttribute('aria-hidden', 'true');
    }

    paintAll() {
        const { hall, width, least, root } = this.map;
        if (!width) {
            return;
        }
        const factor = Math.min(2, devicePixelRatio || 1) * least * SHARPER;
        this.canvas.width = Math.min(SIDE_MAX, Math.ceil(hall.width * factor));
        this.canvas.height = Math.min(SIDE_MAX, Math.ceil(hall.height * factor));
        this.factors = [this.canvas.width / hall.width, this.canvas.height / hall.height];
        const style = getComputedStyle(root);
        const colour = (name) => style.getPropertyValue(`--hf-seat-${name}`).trim();
        this.marked = (mark) => style.getPropertyValue(`--hf-mark-${mark}`).trim();
        this.colours = { tiers: TIERS.map(colour), taken: colour('taken'), mine: colour('mine') };
        this.pen = this.canvas.getContext('2d');
        hall.seats.forEach((seat) => this.paint(seat));
    }

    paint(seat) {
        if (!this.pen) {
            return;
        }
        const { hall, mine, told } = this.map;
        const { mark } = told(seat) ?? {};
        const [x, y] = this.factors;
        const size = SIZE * hall.pitch;
        const free = hall.statusOf(seat.index) === 'available';
        this.pen.fillStyle = mark ? this.marked(mark) : mine(seat) ? this.colours.mine : free ? this.colours.tiers[seat.rank % TIERS.length] : this.colours.taken;
        this.pen.fillRect((seat.x - size / 2) * x, (seat.y - size / 2) * y, Math.max(1, size * x), Math.max(1, size * y));
    }
}
